import assert from "node:assert/strict";
import { test } from "@jest/globals";
import type { Locator } from "playwright-core";
import { minutesAgo, problem, stagedKey } from "./support/adminApi.ts";
import { DeveloperAreaTests } from "./support/developerAreaTests.ts";

const area = new DeveloperAreaTests();
const dayMinutes = 24 * 60;
const revokedByGrace = { status: "revoked", revoked: minutesAgo(5.5 * 60), revoked_by: "grace@example.org" } as const;

async function openRevocation(key: ReturnType<typeof stagedKey>): Promise<Locator> {
  area.stage.api.keys.push(key);
  const page = await area.openSignedIn();
  await page
    .getByRole("row")
    .last()
    .getByRole("button", { name: /^Revoke/ })
    .click();
  return page.getByRole("dialog");
}

const revoke = (dialog: Locator) => dialog.getByRole("button", { name: /^(Revoke “.*”|Try again)$/ });

test("revoking names the key and what stops working", async () => {
  const dialog = await openRevocation(
    stagedKey({ name: "Sync", last_used: minutesAgo(dayMinutes + 2), scopes: ["read", "write:orders"] }),
  );
  const facts = await dialog.getByRole("definition").allTextContents();
  assert.deepEqual(facts, ["Sync", area.stage.api.keys[0]?.prefix, "1 month ago", "1 day ago"]);
  const stops = await dialog.getByRole("list", { name: "What stops working" }).getByRole("listitem").allTextContents();
  assert.match(stops.join(), /^Reading events, .*Updating the admin notes of orders\.$/);
  await dialog.getByText("This cannot be undone.").waitFor();
  await revoke(dialog).click();
  await area.opened.page.getByText("Key “Sync” is revoked.").waitFor();
});

test("a key used in the last 24 hours is revoked only when its name is typed", async () => {
  const dialog = await openRevocation(stagedKey({ name: "In use", last_used: minutesAgo(dayMinutes - 2) }));
  assert.ok(await revoke(dialog).isDisabled());
  await dialog.getByLabel("Type In use to confirm").fill("In us");
  assert.ok(await revoke(dialog).isDisabled());
  await dialog.getByLabel("Type In use to confirm").fill("in USE");
  await revoke(dialog).click();
  await area.opened.page.getByText("Key “In use” is revoked.").waitFor();
});

test("after a request without a response, the dialog finds out whether the key is still active", async () => {
  const dialog = await openRevocation(stagedKey({ name: "Website" }));
  area.stage.intercept = () => problem(500, "Something went wrong.");
  await revoke(dialog).click();
  await dialog.getByText("It is not known whether the key was revoked").waitFor();
  await dialog.getByText("Try again: revoking a key twice does no harm.").waitFor();
  assert.equal(await dialog.getByRole("button", { name: "Keep the key" }).count(), 0);
  area.stage.intercept = ({ method }) => (method === "POST" ? problem(503, "Starting.") : undefined);
  await revoke(dialog).click();
  await dialog.getByText("The key is still active. Try again.").waitFor();
});

test("an open dialog says that somebody else has revoked the key", async () => {
  const key = stagedKey({ name: "Website", last_used: minutesAgo(1) });
  area.stage.api.keys.push(key);
  const page = await area.openSignedInWithClock();
  await page.getByRole("button", { name: "Revoke Website" }).click();
  await page.getByLabel("Type Website").fill("Web");
  Object.assign(key, revokedByGrace);
  await page.clock.runFor(20_000);
  const dialog = page.getByRole("dialog", { name: "This key is revoked" });
  await dialog.getByText("“Website” was revoked by grace@example.org 5 hours ago.").waitFor();
  await page.keyboard.press("Enter");
  await dialog.waitFor({ state: "detached" });
});

test("a revocation by somebody else is not reported as the person's own", async () => {
  const key = stagedKey({ name: "Website" });
  const dialog = await openRevocation(key);
  area.stage.beforeWrite(() => Object.assign(key, revokedByGrace));
  await revoke(dialog).click();
  await dialog.getByText("“Website” was revoked by grace@example.org 5 hours ago.").waitFor();
  assert.equal(await area.opened.page.getByText("Key “Website” is revoked.").count(), 0);
});
