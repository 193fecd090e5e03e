import assert from "node:assert/strict";
import { test } from "@jest/globals";
import type { Page } from "playwright-core";
import { until } from "../../../../test/support/service/until.ts";
import { minutesAgo, problem, stagedActivity } from "./support/adminApi.ts";
import { DeveloperAreaTests } from "./support/developerAreaTests.ts";
import { assertPicture } from "./support/inspections.ts";
import { chooseMore, memory } from "./support/openDeveloperArea.ts";
import { stagedDelivery, stagedWebhook } from "./support/stagedWebhooks.ts";

const area = new DeveloperAreaTests();
const dialog = (page: Page) => page.getByRole("dialog");
const writes = (method: string) => area.stage.requests.filter((request) => request.method === method);

function stageWebhooks() {
  const crm = stagedWebhook({ description: "CRM", types: ["order", "ticket"], delivered_until: minutesAgo(2) });
  const failing = { failing_since: minutesAgo(180), next_attempt: minutesAgo(-24), delivered_until: minutesAgo(190) };
  area.stage.webhooks.webhooks.push(
    crm,
    stagedWebhook({ url: "https://door.example.org/hook", ...failing }),
    stagedWebhook({ description: "Newsletter", status: "paused", delivered_until: minutesAgo(3_000) }),
    stagedWebhook({ description: "Old shop", status: "disabled" }),
  );
  area.stage.webhooks.deliveries[crm.id] = [
    stagedDelivery({ time: minutesAgo(2), changes: 1, message_id: "msg_4fQ9wLxT2bYc8dKp1nRs7vZa3eG" }),
    stagedDelivery({
      time: minutesAgo(4),
      attempt: 3,
      changes: 41,
      replay: true,
      message_id: "msg_8hR2mNpV5cXd1eLq4oSt0wAb7fJ",
    }),
    ...[5, 7].map((minutes, index) =>
      stagedDelivery({
        time: minutesAgo(minutes),
        changes: 41,
        replay: true,
        message_id: "msg_8hR2mNpV5cXd1eLq4oSt0wAb7fJ",
        ...(index === 0
          ? { status: 503, attempt: 2 }
          : { status: null, error: "The receiver did not respond in 10 s.", duration_ms: 10_000 }),
      }),
    ),
  ];
  const about = { kind: "webhook", webhook_id: crm.id, url: crm.url };
  area.stage.api.activity.push(
    stagedActivity({ ...about, action: "replayed", time: minutesAgo(8), actor: "grace@example.org" }),
    stagedActivity({
      action: "created",
      time: minutesAgo(9),
      key_id: "1",
      key_name: "CRM",
      key_prefix: "tsk_4fQ9wLxT",
    }),
    stagedActivity({ ...about, action: "created", time: crm.created }),
  );
  return crm;
}

test("the picture in the documentation shows a webhook's page", async () => {
  const crm = stageWebhooks();
  const page = await area.openSignedIn(`#webhooks/${crm.id}`);
  await page.getByText("503 in 87 ms").waitFor();
  await assertPicture(page, "webhook");
});

test("a webhook's page shows what the receiver responded, page by page", async () => {
  const crm = stageWebhooks();
  const page = await area.openSignedIn(`#webhooks/${crm.id}`);
  const rows = page.getByRole("table", { name: "Latest deliveries" }).locator("tbody tr");
  await rows.nth(3).waitFor();
  const cells = async (index: number) => (await rows.nth(index).getByRole("cell").allTextContents()).slice(1, 4);
  assert.deepEqual(await cells(3), ["The receiver did not respond in 10 s.", "41 changes Replay", "first"]);
  assert.deepEqual(await cells(0), ["204 in 87 ms", "1 change ", "first"]);
  const advice = page.getByRole("link", { name: "How to find the cause" });
  assert.equal(await advice.count(), 0);
  area.stage.webhooks.deliveries[crm.id] = Array.from({ length: 45 }, (_, index) =>
    stagedDelivery({ time: minutesAgo(index + 1), ...(index === 0 && { status: 400 }) }),
  );
  await page.reload();
  await advice.waitFor();
  await page.getByRole("button", { name: "Show more" }).click();
  await rows.nth(39).waitFor();
  await page.getByRole("button", { name: "Show more" }).click();
  await rows.nth(44).waitFor();
});

test("a webhook's page shows who did what to it, also before what is loaded at first", async () => {
  const crm = stageWebhooks();
  const others = Array.from({ length: 120 }, () =>
    stagedActivity({
      action: "created",
      time: minutesAgo(1),
      key_id: "1",
      key_name: "CRM",
      key_prefix: "tsk_4fQ9wLxT",
    }),
  );
  area.stage.api.activity.unshift(...others);
  const page = await area.openSignedIn(`#webhooks/${crm.id}`);
  const activity = page.getByRole("region", { name: "Activity" });
  await activity.getByText("2 entries.").waitFor();
  assert.deepEqual(await activity.getByRole("listitem").allTextContents(), [
    `grace@example.org replayed changes to the webhook ${crm.url}8 minutes ago`,
    `ada@example.org created the webhook ${crm.url}12 days ago`,
  ]);
});

test("webhooks are searched by name and address, in the page's address", async () => {
  stageWebhooks();
  const page = await area.openSignedIn("#webhooks?search=SHOP");
  const items = page.getByRole("list", { name: "Webhooks" }).getByRole("listitem");
  await items.getByText("Old shop").waitFor();
  assert.equal(await items.count(), 1);
  await page.getByLabel("Search webhooks").fill("door.example");
  await items.getByText("Failing", { exact: true }).waitFor();
  await items.getByRole("link").click();
  await page.getByRole("link", { name: "All webhooks" }).click();
  await page.locator("h2", { hasText: "Webhooks" }).waitFor();
  assert.equal(await items.count(), 1);
  await page.getByLabel("Search webhooks").fill("none");
  await page.getByText("No webhook matches").waitFor();
  await page.getByRole("button", { name: "Clear the search" }).click();
  await items.nth(3).waitFor();
});

test("the limit is said before the form opens", async () => {
  for (let count = 0; count < 19; count++) area.stage.webhooks.webhooks.push(stagedWebhook());
  const page = await area.openSignedIn("#webhooks");
  await page.getByText("An organisation can have up to 20 webhooks.").waitFor();
  await page.getByRole("button", { name: "Create webhook" }).waitFor();
  area.stage.webhooks.webhooks.push(stagedWebhook());
  await page.reload();
  await page.getByText("You have 20 webhooks. To create another, delete one first.").waitFor();
  assert.equal(await page.getByRole("button", { name: "Create webhook" }).count(), 0);
});

test("the page and the API refuse a webhook at its fields", async () => {
  const page = await area.openSignedIn("#webhooks");
  await page.getByRole("button", { name: "Create the first webhook" }).click();
  const create = dialog(page).getByRole("button", { name: "Create webhook" });
  await create.click();
  await page.getByText("Enter the receiver's address.").waitFor();
  await page.getByLabel("Address").fill("http://crm.example.org");
  await create.click();
  await page.getByText("Must be an https URL.").waitFor();
  await page.getByLabel("Address").fill("https://crm.example.org/hook");
  await page.getByLabel("All changes").uncheck();
  await create.click();
  await page.getByText("Choose at least one.").waitFor();
  await page.getByLabel("Orders", { exact: true }).check();
  await create.click();
  await page.getByText("Give this secret to the receiver now").waitFor();
  assert.deepEqual(area.stage.webhooks.webhooks[0]?.types, ["order"]);
});

test("a signing secret stays until it is stored, and then leaves no trace", async () => {
  const page = await area.openSignedIn("#webhooks");
  await page.getByRole("button", { name: "Create the first webhook" }).click();
  await page.getByLabel("Address").fill("https://crm.example.org/hook");
  await dialog(page).getByRole("button", { name: "Create webhook" }).click();
  const field = page.getByLabel("Signing secret", { exact: true });
  assert.match(await field.inputValue(), /^whsec_•+$/);
  await area.opened.context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.keyboard.press("Control+C");
  const copied = await page.evaluate<string>("navigator.clipboard.readText()");
  await page.getByRole("button", { name: "Show: Signing secret" }).click();
  const secret = await field.inputValue();
  assert.equal(copied, secret);
  const asText = page.getByLabel("The same secret as text", { exact: true });
  assert.match(await asText.inputValue(), /^•{32}$/);
  await page.getByRole("button", { name: "Show: The same secret as text" }).click();
  const text = await asText.inputValue();
  assert.equal(`whsec_${btoa(text)}`, secret);
  await page.keyboard.press("Escape");
  await page.getByText("You have not stored the signing secret yet.").waitFor();
  await page.getByLabel("I have stored it").check();
  await page.getByRole("button", { name: "Done" }).click();
  await page.getByRole("link", { name: "crm.example.org" }).waitFor();
  for (const trace of [secret.slice("whsec_".length), text]) assert.ok(!(await memory(area.opened)).includes(trace));
});

test("while both secrets sign, another rotation is refused until the earlier one is ended", async () => {
  const crm = stageWebhooks();
  crm.earlier_secret_until = minutesAgo(-60);
  const page = await area.openSignedIn(`#webhooks/${crm.id}`);
  await page.getByText("Signed with both secrets until").waitFor();
  await chooseMore(page, "Rotate secret");
  await dialog(page).getByText("Messages are signed with both secrets until").waitFor();
  await page.getByRole("button", { name: "Make a new secret" }).click();
  await page.getByText("The earlier secret still signs.").waitFor();
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("button", { name: "End the earlier secret" }).click();
  await dialog(page).getByRole("button", { name: "End the earlier secret" }).click();
  await page.getByText("The earlier secret has ended.").waitFor();
  await page.getByText("Signed with both secrets until").waitFor({ state: "detached" });
  assert.equal(crm.earlier_secret_until, null);
});

test("a webhook is paused and resumed, and a failed change can be repeated", async () => {
  const crm = stageWebhooks();
  const page = await area.openSignedIn(`#webhooks/${crm.id}`);
  await chooseMore(page, "Pause");
  await page.getByText("The webhook is paused.").waitFor();
  area.stage.intercept = ({ method }) => (method === "PATCH" ? problem(503, "The service is unavailable.") : undefined);
  await page.getByRole("button", { name: "Resume" }).click();
  await page.getByText("It is not known whether the webhook was changed").waitFor();
  area.stage.intercept = undefined;
  const before = writes("PATCH").length;
  await page.getByRole("button", { name: "Resume" }).dblclick();
  await page.getByText("The webhook sends again within a minute.").waitFor();
  assert.deepEqual([crm.status, writes("PATCH").length], ["active", before + 1]);
});

test("a test shows what the receiver responds", async () => {
  const crm = stageWebhooks();
  const page = await area.openSignedIn(`#webhooks/${crm.id}`);
  await page.getByRole("button", { name: "Test" }).click();
  await page.getByRole("button", { name: "Send a test message" }).click();
  await page.getByText("The receiver accepted it").waitFor();
  const response = `<h1>${"Broken ".repeat(100)}</h1>`;
  area.stage.webhooks.test = { status: 500, duration_ms: 12, error: null, sent: true, response };
  await page.getByRole("button", { name: "Send again" }).click();
  await page.getByText("The receiver did not accept it").waitFor();
  await page.getByText("500 in 12 ms").waitFor();
  const advice = dialog(page).getByRole("link", { name: "How to find the cause" });
  assert.equal(await advice.count(), 0);
  area.stage.webhooks.test = { status: 400, duration_ms: 12, error: null, sent: true, response: "" };
  await page.getByRole("button", { name: "Send again" }).click();
  await advice.waitFor();
  const failed = { status: null, duration_ms: 10_000, response: "" };
  area.stage.webhooks.test = { ...failed, error: "The connection failed (ECONNREFUSED).", sent: false };
  await page.getByRole("button", { name: "Send again" }).click();
  await page.getByText("The message did not reach the receiver").waitFor();
});

test("a test with an unknown outcome says so, without the previous test's outcome", async () => {
  const crm = stageWebhooks();
  const page = await area.openSignedIn(`#webhooks/${crm.id}`);
  await page.getByRole("button", { name: "Test" }).click();
  const accepted = dialog(page).getByText("The receiver accepted it");
  const acceptOne = async () => {
    area.stage.intercept = undefined;
    area.stage.webhooks.test = { status: 204, duration_ms: 87, error: null, sent: true, response: "" };
    await dialog(page).getByRole("button", { name: "Send" }).click();
    await accepted.waitFor();
  };
  await acceptOne();
  const error = "No response within 10 seconds.";
  area.stage.webhooks.test = { status: null, duration_ms: 10_001, error, sent: true, response: "" };
  await page.getByRole("button", { name: "Send again" }).click();
  await page.getByText("It is not known whether the receiver got it").waitFor();
  await page.getByText(error).waitFor();
  assert.equal(await accepted.count(), 0);
  await acceptOne();
  const answered = Promise.withResolvers<undefined>();
  area.stage.intercept = ({ path }) => (path.endsWith("/test") ? answered.promise.then(() => outage) : undefined);
  await page.getByRole("button", { name: "Send again" }).click();
  await page.locator("form[aria-busy=true]").waitFor();
  assert.equal(await accepted.count(), 0);
  answered.resolve(undefined);
  await page.getByText("It is not known whether the test message was received").waitFor();
  await page.getByText("The receiver may have got it.").waitFor();
  assert.equal(await accepted.count(), 0);
  area.stage.intercept = ({ path }) => (path.endsWith("/test") ? problem(404, "No such webhook.") : undefined);
  await page.getByRole("button", { name: "Send again" }).click();
  await page.getByText("The test message was not received").waitFor();
});

const outage = problem(503, "The service is temporarily unavailable. Retry later.");

test("a webhook that does not deliver is counted on the tab, and its page leads to what to do", async () => {
  stageWebhooks();
  const page = await area.openSignedIn("#keys");
  await page.getByRole("tab", { name: "Webhooks 2 failing or disabled" }).click();
  for (const [name, title, action, announced] of [
    ["door.example.org", "The latest delivery failed", "Try now", "The webhook sends again within a minute."],
    ["Old shop", "Nothing is sent", "Resume", "The webhook sends again within a minute."],
  ] as const) {
    await page.getByRole("link", { name }).click();
    await page.getByText(title).waitFor();
    await page.getByRole("button", { name: action, exact: true }).click();
    await page.getByText(announced).waitFor();
    assert.equal(writes("PATCH").at(-1)?.body, '{"status":"active"}');
    await page.getByRole("link", { name: "All webhooks" }).click();
  }
  // The receiver has not responded yet.
  await page.getByRole("tab", { name: "Webhooks 1 failing or disabled" }).waitFor();
  for (const webhook of area.stage.webhooks.webhooks) webhook.failing_since = null;
  await page.reload();
  await page.getByRole("tab", { name: "Webhooks", exact: true }).waitFor();
});

test("changes are sent again from a time, which the service may refuse", async () => {
  const crm = stageWebhooks();
  const page = await area.openSignedIn(`#webhooks/${crm.id}`);
  await chooseMore(page, "Replay");
  await page.getByLabel("Since", { exact: true }).fill("");
  await dialog(page).getByRole("button", { name: "Send again" }).click();
  await page.getByText("Choose a date and a time.").waitFor();
  await page.getByLabel("Since", { exact: true }).fill("2020-01-01T00:00");
  await dialog(page).getByRole("button", { name: "Send again" }).click();
  await page.getByText("Must be at most 30 days ago.").waitFor();
  const daysAgo = new Date(Date.now() - 28 * 24 * 60 * 60_000).toISOString();
  await page.getByLabel("Since", { exact: true }).fill(daysAgo.slice(0, "YYYY-MM-DDTHH:MM".length));
  await dialog(page).getByRole("button", { name: "Send again" }).click();
  await page.getByText("The changes will be sent again within a minute.").waitFor();
  assert.ok(Date.now() - Date.parse(crm.delivered_until ?? "") > 27 * 24 * 60 * 60_000);
});

test("a webhook in use is deleted only with its typed name", async () => {
  const crm = stageWebhooks();
  const page = await area.openSignedIn(`#webhooks/${crm.id}`);
  await chooseMore(page, "Delete");
  const remove = dialog(page).getByRole("button", { name: "Delete “CRM”" });
  assert.ok(await remove.isDisabled());
  await page.getByLabel("Type CRM to confirm").fill("CRM");
  await remove.click();
  await page.getByText("The webhook “CRM” is deleted").waitFor();
  assert.deepEqual(
    area.stage.webhooks.webhooks.map(({ description }) => description),
    [null, "Newsletter", "Old shop"],
  );
});

test("an outage is reported once in the list and on a page, and can be retried", async () => {
  const crm = stageWebhooks();
  area.stage.intercept = ({ path }) =>
    path.startsWith("/admin/webhooks") ? problem(500, "Something went wrong.") : undefined;
  const page = await area.openSignedIn("#webhooks");
  await page.getByText("The webhooks could not be loaded").waitFor();
  area.stage.intercept = undefined;
  await page.getByRole("button", { name: "Retry" }).click();
  await page.getByRole("link", { name: "CRM" }).click();
  await page.locator("h1", { hasText: "CRM" }).waitFor();
  assert.equal(new URL(page.url()).hash, `#webhooks/${crm.id}`);
  await until(async () => (await page.title()).startsWith("CRM · "));
});
