import assert from "node:assert/strict";
import { test } from "@jest/globals";
import type { Page } from "playwright-core";
import { until } from "../../../../test/support/service/until.ts";
import { minutesAgo, problem, stagedKey } from "./support/adminApi.ts";
import { DeveloperAreaTests } from "./support/developerAreaTests.ts";

const area = new DeveloperAreaTests();
const dayMs = 24 * 60 * 60 * 1000;
const inDays = (days: number) => new Date(Date.now() + days * dayMs).toISOString();
const posts = () => area.stage.requests.filter(({ method }) => method === "POST");
const dialog = (page: Page) => page.getByRole("dialog");

/** As the browser's field for a date and time writes it, in this machine's time zone. */
function localTime(time: Date): string {
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, "YYYY-MM-DDTHH:mm".length);
}

/** A busy machine takes minutes between the choice and this. */
function assertInDays(instant: unknown, days: number): void {
  const off = Math.abs(Date.parse(String(instant)) - Date.now() - days * dayMs);
  assert.ok(off < dayMs / 24, `${instant} is ${off} ms away from ${days} days`);
}

test("a key can be created for a time, and the list and its page say when it ends", async () => {
  const page = await area.openSignedIn();
  await page.getByRole("button", { name: "Create the first key" }).click();
  await page.getByLabel("Name").fill("Trial");
  await page.getByLabel("For how long?").selectOption("7 days");
  await page.getByText(/^That is /).waitFor();
  await area.inspect("create-for-a-time");
  await dialog(page).getByRole("button", { name: "Create key" }).click();
  await page.getByLabel("I have stored it").check();
  await page.getByRole("button", { name: "Done" }).click();
  assertInDays(area.stage.api.keys[0]?.revokes_at, 7);
  await page.getByRole("cell", { name: "Active ends in 7 days" }).waitFor();
  await area.inspect("list-with-an-end");
  await page.getByRole("link", { name: "Trial" }).click();
  await page.locator(".facts div", { hasText: "Ends" }).getByText("in 7 days").waitFor();
  await page.getByText("will be revoked in 7 days").waitFor();
});

test("a time of one's own is in this computer's time zone, and a wrong one is refused before it is sent", async () => {
  const page = await area.openSignedIn();
  await page.getByRole("button", { name: "Create the first key" }).click();
  await page.getByLabel("Name").fill("Until");
  await page.getByLabel("For how long?").selectOption("Until a date and time");
  const field = page.getByLabel("Date and time");
  for (const [time, text] of [
    ["", "Choose a date and a time."],
    [localTime(new Date(Date.now() - 60_000)), "Must be in the future."],
    [localTime(new Date(Date.now() + 5.01 * 365.25 * dayMs)), "Must be within 5 years."],
  ] as const) {
    await field.fill(time);
    await dialog(page).getByRole("button", { name: "Create key" }).click();
    await page.getByText(text).waitFor();
  }
  await area.inspect("create-until-wrong");
  assert.deepEqual(posts(), []);
  const until = localTime(new Date(Date.now() + 2 * dayMs));
  await field.fill(until);
  await dialog(page).getByRole("button", { name: "Create key" }).click();
  await page.getByLabel("I have stored it").waitFor();
  assert.equal(area.stage.api.keys[0]?.revokes_at, new Date(until).toISOString());
});

test("a revocation is planned, and changed and withdrawn beside its end, without typing the name of a key in use", async () => {
  const key = stagedKey({ name: "Website", last_used: minutesAgo(2) });
  area.stage.api.keys.push(key);
  const page = await area.openSignedIn();
  await page.getByRole("button", { name: "Revoke Website" }).click();
  await page.getByLabel("When?").selectOption("In 7 days");
  await page.getByText("Until then, you can change or withdraw the plan on the key's page.").waitFor();
  await area.inspect("plan");
  await dialog(page).getByRole("button", { name: "Plan to revoke “Website”" }).click();
  await page.getByText(/^Key “Website” will be revoked on /).waitFor();
  assertInDays(key.revokes_at, 7);

  await page.getByRole("link", { name: "Website" }).click();
  const ends = page.locator(".facts > div", { hasText: "Ends" });
  await ends.getByRole("button", { name: "Change when the key ends" }).click();
  await area.inspect("plan-changed");
  await page.getByLabel("New end").selectOption("In 24 hours");
  await dialog(page).getByRole("button", { name: "Change the end" }).dblclick();
  await dialog(page).waitFor({ state: "hidden" });
  assertInDays(key.revokes_at, 1);
  assert.equal(posts().length, 2);

  await ends.getByRole("button", { name: "Withdraw the planned end" }).click();
  await page.getByText("Without that, it works until somebody revokes it.").waitFor();
  await area.inspect("plan-withdrawn");
  await dialog(page).getByRole("button", { name: "Withdraw" }).click();
  await page.getByText("Key “Website” works until somebody revokes it.").waitFor();
  assert.equal(key.revokes_at, null);
  await ends.waitFor({ state: "detached" });
});

test("closing the dialog to revoke a key does not withdraw its plan, and the button says so", async () => {
  const key = stagedKey({ name: "Website", revokes_at: inDays(3) });
  area.stage.api.keys.push(key);
  const page = await area.openSignedIn();
  await page.getByRole("button", { name: "Revoke Website" }).click();
  await page.getByText(/^Its end is planned for .*: “Change nothing” does not\.$/).waitFor();
  await area.inspect("planned");
  await dialog(page).getByRole("button", { name: "Change nothing" }).click();
  await dialog(page).waitFor({ state: "hidden" });
  assert.deepEqual(posts(), []);
});

test("the hour that a change of the clocks skips is refused, and every time names its zone", async () => {
  // The first planned end that is still ahead when this runs.
  const year = new Date().getUTCFullYear() + 1;
  const sunday = 31 - new Date(Date.UTC(year, 2, 31)).getUTCDay();
  const key = stagedKey({ name: "Website", revokes_at: inDays(3) });
  area.stage.api.keys.push(key);
  const page = await area.openSignedIn(`#key/${key.id}`);
  const client = await area.opened.context.newCDPSession(page);
  await client.send("Emulation.setTimezoneOverride", { timezoneId: "Europe/Zurich" });
  await page.reload();
  await page.getByRole("button", { name: "Change when the key ends" }).click();
  await page.getByText("In the time zone of this computer, Europe/Zurich.").waitFor();
  await page.getByLabel("Date and time").fill(`${year}-03-${sunday}T02:30`);
  await dialog(page).getByRole("button", { name: "Change the end" }).click();
  await page.getByText("The clocks in Europe/Zurich skip this time.").waitFor();
  assert.deepEqual(posts(), []);
  await page.getByLabel("Date and time").fill(`${year}-03-${sunday}T03:30`);
  await dialog(page).getByRole("button", { name: "Change the end" }).click();
  await page.getByText(`Key “Website” will be revoked on ${sunday} Mar ${year}, 03:30 CEST.`).waitFor();
  assert.equal(key.revokes_at, `${year}-03-${sunday}T01:30:00.000Z`);
  await page.locator(".facts > div", { hasText: "Ends" }).getByText(`${sunday} Mar ${year}, 03:30 CEST`).waitFor();
});

test("a plan whose response is lost is not reported as failed, and the dialog shows what the list says", async () => {
  const key = stagedKey({ name: "Website" });
  area.stage.api.keys.push(key);
  const page = await area.openSignedIn();
  await page.getByRole("button", { name: "Revoke Website" }).click();
  await page.getByLabel("When?").selectOption("In 7 days");
  await page.route("**/revoke", async (route) => {
    await route.fetch();
    await route.abort("connectionreset");
  });
  await dialog(page).getByRole("button", { name: "Plan to revoke “Website”" }).click();
  await page.getByText("It is not known whether the plan was changed").waitFor();
  await page.getByText(/According to the list, the key is still active, and it will be revoked on /).waitFor();
  await area.inspect("plan-unknown");
  await page.unroute("**/revoke");
  await page.getByRole("button", { name: "Try again" }).click();
  await dialog(page).waitFor({ state: "hidden" });
  assertInDays(key.revokes_at, 7);
});

test("after a lost response, the button names what it does: a plan never turns into revoking the key", async () => {
  const key = stagedKey({ name: "Website", revokes_at: inDays(3) });
  area.stage.api.keys.push(key);
  const page = await area.openSignedIn(`#key/${key.id}`);
  await page.route("**/revoke", (route) => route.abort("connectionreset"));
  await page.getByRole("button", { name: "Withdraw the planned end" }).click();
  await dialog(page).getByRole("button", { name: "Withdraw" }).click();
  await page.getByText("It is not known whether the plan was changed").waitFor();
  await page.getByText(/According to the list, the key is still active, and it will be revoked on /).waitFor();
  await dialog(page).getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("button", { name: "Revoke Website" }).click();
  await page.getByLabel("When?").selectOption("In 7 days");
  await dialog(page).getByRole("button", { name: "Plan to revoke “Website”" }).click();
  await dialog(page).getByRole("button", { name: "Try again" }).waitFor();
  await page.getByLabel("When?").selectOption("Now");
  await dialog(page).getByRole("button", { name: "Revoke “Website”" }).waitFor();
  await dialog(page).getByRole("button", { name: "Close" }).last().click();
  await page.getByRole("button", { name: "Withdraw the planned end" }).click();
  await page.unroute("**/revoke");
  await dialog(page).getByRole("button", { name: "Withdraw" }).click();
  await dialog(page).waitFor({ state: "hidden" });
  assert.deepEqual([key.status, key.revokes_at], ["active", null]);
});

test("a plan for a key that somebody else has revoked is refused, and a failed one can be retried", async () => {
  const key = stagedKey({ name: "Website" });
  area.stage.api.keys.push(key);
  const page = await area.openSignedIn();
  await page.getByRole("button", { name: "Revoke Website" }).click();
  await page.getByLabel("When?").selectOption("In 24 hours");
  area.stage.intercept = ({ method }) =>
    method === "POST"
      ? problem(400, "The body is invalid.", { errors: [{ pointer: "/at", detail: "Must be in the future." }] })
      : undefined;
  await dialog(page).getByRole("button", { name: "Plan to revoke “Website”" }).click();
  await page.getByText("Must be in the future.").waitFor();
  await page.locator("select[aria-invalid=true]:focus").waitFor();
  area.stage.beforeWrite(() =>
    Object.assign(key, { status: "revoked", revoked: minutesAgo(5.5 * 60), revoked_by: "grace@example.org" }),
  );
  await dialog(page).getByRole("button", { name: "Plan to revoke “Website”" }).click();
  await page.getByText("“Website” was revoked by grace@example.org 5 hours ago.").waitFor();
});

test("a rotation offers to revoke the old key later, and is then left", async () => {
  const old = stagedKey({ name: "Website", last_used: minutesAgo(60) });
  const successor = stagedKey({ name: "Website (2)", last_used: minutesAgo(1), replaces: old.id });
  old.replaced_by = successor.id;
  area.stage.api.keys.push(successor, old);
  const page = await area.openSignedIn();
  await page.getByRole("button", { name: "Continue rotation of Website", exact: true }).click();
  await page.getByRole("button", { name: "Revoke the old key…" }).click();
  assert.deepEqual(await page.getByLabel("When?").locator("option").allTextContents(), [
    "Now",
    "In 24 hours",
    "In 7 days",
    "At a date and time",
  ]);
  await page.getByLabel("When?").selectOption("In 7 days");
  await page.getByRole("button", { name: "Plan to revoke “Website”" }).click();
  await page.getByText(/^Key “Website” will be revoked on /).waitFor();
  await dialog(page).waitFor({ state: "hidden" });
  assertInDays(old.revokes_at, 7);
  await page
    .getByRole("row", { name: /Website tsk/ })
    .last()
    .getByText("ends in")
    .waitFor();
});

test("a planned revocation is made with the keyboard alone, and Escape leaves everything as it was", async () => {
  const key = stagedKey({ name: "Website", revokes_at: inDays(3) });
  area.stage.api.keys.push(key);
  const page = await area.openSignedIn();
  await page.emulateMedia({ forcedColors: "active" });
  await page.getByRole("button", { name: "Revoke Website" }).focus();
  await page.keyboard.press("Enter");
  await page.getByLabel("When?").focus();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Escape");
  await dialog(page).waitFor({ state: "hidden" });
  assert.deepEqual(posts(), []);
  await page.locator("button:focus", { hasText: /^Revoke$/ }).waitFor();
  await page.keyboard.press("Enter");
  await page.getByLabel("When?").focus();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Plan to revoke “Website”" }).focus();
  await page.keyboard.press("Enter");
  await dialog(page).waitFor({ state: "hidden" });
  assertInDays(key.revokes_at, 1);
});

test("a key is renamed on its page, and the new name is everywhere", async () => {
  const key = stagedKey({ name: "Sync" });
  area.stage.api.keys.push(key);
  const page = await area.openSignedIn(`#key/${key.id}`);
  await page.getByRole("button", { name: "Rename" }).click();
  await dialog(page).getByRole("textbox").fill("  ");
  await dialog(page).getByRole("button", { name: "Rename" }).click();
  await page.getByText("Give the key a name.").waitFor();
  await dialog(page).getByRole("textbox").fill("refused");
  await dialog(page).getByRole("button", { name: "Rename" }).click();
  await page.getByText("This name is refused.").waitFor();
  await area.inspect("rename");
  await dialog(page).getByRole("textbox").fill("Sync, Riverside");
  await page.keyboard.press("Escape");
  await page.getByText("The new name is not saved.").waitFor();
  await page.getByRole("button", { name: "Go back" }).click();
  await dialog(page).getByRole("button", { name: "Rename" }).dblclick();
  await page.locator("h1", { hasText: "Sync, Riverside" }).waitFor();
  assert.equal(
    area.stage.requests.filter(({ method, body }) => method === "PATCH" && body.includes("Riverside")).length,
    1,
  );
  await until(async () => (await page.title()).startsWith("Sync, Riverside"));
});

test("a renaming whose response is lost is not reported as failed, and can be repeated", async () => {
  const key = stagedKey({ name: "Sync" });
  area.stage.api.keys.push(key);
  const page = await area.openSignedIn(`#key/${key.id}`);
  await page.getByRole("button", { name: "Rename" }).click();
  await dialog(page).getByRole("textbox").fill("Sync 2");
  await page.route("**/admin/api-keys/*", async (route) => {
    await route.fetch();
    await route.abort("connectionreset");
  });
  await dialog(page).getByRole("button", { name: "Rename" }).click();
  await page.getByText("It is not known whether the key was renamed").waitFor();
  await area.inspect("rename-unknown");
  await page.unroute("**/admin/api-keys/*");
  await page.getByRole("button", { name: "Try again" }).click();
  await dialog(page).waitFor({ state: "hidden" });
  assert.equal(key.name, "Sync 2");
});
