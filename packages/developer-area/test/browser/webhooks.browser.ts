import assert from "node:assert/strict";
import { test } from "@jest/globals";
import type { Page } from "playwright-core";
import { minutesAgo, problem } from "./support/adminApi.ts";
import { DeveloperAreaTests } from "./support/developerAreaTests.ts";
import { assertPicture } from "./support/inspections.ts";
import { stagedDelivery, stagedWebhook } from "./support/stagedWebhooks.ts";

const area = new DeveloperAreaTests();
const dialog = (page: Page) => page.getByRole("dialog");
const writes = (method: string) => area.stage.requests.filter((request) => request.method === method);

/** Stages a webhook of each health. */
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
    stagedDelivery({ time: minutesAgo(2), message_id: "msg_4fQ9wLxT2bYc8dKp1nRs7vZa3eG" }),
    stagedDelivery({ time: minutesAgo(4), attempt: 2, changes: 41, message_id: "msg_8hR2mNpV5cXd1eLq4oSt0wAb7fJ" }),
    ...[5, 7].map((minutes, index) =>
      stagedDelivery({
        time: minutesAgo(minutes),
        changes: 41,
        message_id: "msg_8hR2mNpV5cXd1eLq4oSt0wAb7fJ",
        ...(index === 0
          ? { status: 503 }
          : { status: null, error: "The receiver did not respond in 10 s.", duration_ms: 10_000 }),
      }),
    ),
  ];
  return crm;
}

test("each webhook shows whether it delivers, and since when it does not", async () => {
  stageWebhooks();
  const page = await area.openSignedIn("#webhooks");
  const items = page.getByRole("list", { name: "Webhooks" }).getByRole("listitem");
  await items.first().waitFor();
  for (const [index, texts] of [
    ["CRM", "Active", "Orders, Tickets", "Delivered 2 minutes ago."],
    ["door.example.org", "Failing", "All changes", "Failing since 3 hours ago. Next attempt in 2"],
    ["Newsletter", "Paused", "Delivered 2 days ago."],
    ["Old shop", "Disabled", "The receiver failed for five days, or responded with 410. Nothing was delivered yet."],
  ].entries()) {
    for (const text of texts) await items.nth(index).getByText(text).first().waitFor();
  }
  await area.inspect("webhooks");
});

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
  assert.deepEqual((await rows.nth(3).getByRole("cell").allTextContents()).slice(1, 4), [
    "The receiver did not respond in 10 s.",
    "41 changes",
    "first",
  ]);
  await area.inspect("webhook-page");
  area.stage.webhooks.deliveries[crm.id] = Array.from({ length: 45 }, (_, index) =>
    stagedDelivery({ time: minutesAgo(index + 1) }),
  );
  await page.reload();
  await page.getByRole("button", { name: "Show more" }).click();
  await rows.nth(39).waitFor();
  await page.getByRole("button", { name: "Show more" }).click();
  await rows.nth(44).waitFor();
});

test("a webhook is paused and continued, and a failed change can be repeated", async () => {
  const crm = stageWebhooks();
  const page = await area.openSignedIn(`#webhooks/${crm.id}`);
  await page.getByRole("button", { name: "Pause" }).dblclick();
  await page.getByText("The webhook is paused.").waitFor();
  assert.equal(writes("PATCH").length, 1);
  area.stage.intercept = ({ method }) => (method === "PATCH" ? problem(503, "The service is unavailable.") : undefined);
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByText("It is not known whether the webhook was changed").waitFor();
  await area.inspect("webhook-not-changed");
  area.stage.intercept = undefined;
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByText("The webhook continues within a minute.").waitFor();
  assert.equal(crm.status, "active");
});

test("a webhook is edited, and leaving asks before it discards input", async () => {
  const crm = stageWebhooks();
  const page = await area.openSignedIn(`#webhooks/${crm.id}`);
  await page.getByRole("button", { name: "Edit" }).click();
  await page.getByLabel("Description").fill("CRM of the box office");
  await page.keyboard.press("Escape");
  await page.getByText("What you entered is not saved.").waitFor();
  await page.getByRole("button", { name: "Go back" }).click();
  await page.getByLabel("All changes").check();
  await dialog(page).getByRole("button", { name: "Save" }).click();
  await page.locator("h1", { hasText: "CRM of the box office" }).waitFor();
  assert.equal(crm.types, null);
});

test("a test shows what the receiver responds", async () => {
  const crm = stageWebhooks();
  const page = await area.openSignedIn(`#webhooks/${crm.id}`);
  await page.getByRole("button", { name: "Test" }).click();
  await page.getByRole("button", { name: "Send a test message" }).click();
  await page.getByText("The receiver accepted it").waitFor();
  area.stage.webhooks.test = {
    status: 500,
    duration_ms: 12,
    error: null,
    response: `<h1>${"Broken ".repeat(100)}</h1>`,
  };
  await page.getByRole("button", { name: "Send again" }).click();
  await page.getByText("The receiver did not accept it").waitFor();
  await page.getByText("500 in 12 ms").waitFor();
  await area.inspect("webhook-test");
  area.stage.intercept = ({ path }) => (path.endsWith("/test") ? problem(500, "Something went wrong.") : undefined);
  await page.getByRole("button", { name: "Send again" }).click();
  await page.getByText("The test was not made").waitFor();
});

test("changes are sent again from a time, which the service may refuse", async () => {
  const crm = stageWebhooks();
  const page = await area.openSignedIn(`#webhooks/${crm.id}`);
  await page.getByRole("button", { name: "Replay" }).click();
  await page.getByLabel("Which changes?").selectOption("Since a date and time");
  await dialog(page).getByRole("button", { name: "Send again" }).click();
  await page.getByText("Choose a date and a time.").waitFor();
  await page.getByLabel("Since", { exact: true }).fill("2020-01-01T00:00");
  await dialog(page).getByRole("button", { name: "Send again" }).click();
  await page.getByText("Must be at most 30 days ago.").waitFor();
  await area.inspect("webhook-replay");
  await page.getByLabel("Which changes?").selectOption("The last 30 days");
  await dialog(page).getByRole("button", { name: "Send again" }).click();
  await page.getByText("The changes are sent again within a minute.").waitFor();
  assert.ok(Date.now() - Date.parse(crm.delivered_until ?? "") > 29.9 * 24 * 60 * 60_000);
});

test("a webhook in use is deleted only with its typed name, and a lost response does no harm", async () => {
  const crm = stageWebhooks();
  const page = await area.openSignedIn(`#webhooks/${crm.id}`);
  await page.getByRole("button", { name: "Delete" }).click();
  const remove = dialog(page).getByRole("button", { name: "Delete “CRM”" });
  assert.ok(await remove.isDisabled());
  await area.inspect("webhook-delete");
  await page.getByLabel("Type CRM to confirm").fill("CRM");
  await page.route("**/admin/webhooks/*", async (route) => {
    if (route.request().method() !== "DELETE") return route.continue();
    await route.fetch();
    await route.abort("connectionreset");
  });
  await remove.click();
  // The list already says that it is gone.
  await page.getByText("This webhook does not exist").waitFor();
  assert.deepEqual(
    area.stage.webhooks.webhooks.map(({ description }) => description),
    [null, "Newsletter", "Old shop"],
  );
});

test("a webhook that is not in use is deleted with the keyboard alone", async () => {
  stageWebhooks();
  const page = await area.openSignedIn("#webhooks");
  await page.emulateMedia({ forcedColors: "active" });
  await page.getByRole("link", { name: "Old shop" }).focus();
  await page.keyboard.press("Enter");
  await page.locator("h1:focus", { hasText: "Old shop" }).waitFor();
  await page.getByRole("button", { name: "Delete" }).focus();
  await page.keyboard.press("Enter");
  await dialog(page).getByRole("button", { name: "Delete “Old shop”" }).focus();
  await page.keyboard.press("Enter");
  await page.getByText("The webhook “Old shop” is deleted.").waitFor();
  assert.equal(await page.getByRole("list", { name: "Webhooks" }).getByRole("listitem").count(), 3);
});

test("an outage is reported once in the list and on a page, and can be retried", async () => {
  const crm = stageWebhooks();
  area.stage.intercept = ({ path }) =>
    path.startsWith("/admin/webhooks") ? problem(500, "Something went wrong.") : undefined;
  const page = await area.openSignedIn("#webhooks");
  await page.getByText("The webhooks could not be loaded").waitFor();
  await area.inspect("webhooks-error");
  area.stage.intercept = undefined;
  await page.getByRole("button", { name: "Retry" }).click();
  await page.getByRole("link", { name: "CRM" }).click();
  await page.locator("h1", { hasText: "CRM" }).waitFor();
  assert.equal(new URL(page.url()).hash, `#webhooks/${crm.id}`);
  assert.match(await page.title(), /^CRM · /);
});
