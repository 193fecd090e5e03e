import assert from "node:assert/strict";
import { test } from "@jest/globals";
import type { Locator } from "playwright-core";
import { minutesAgo, problem, stagedKey } from "./support/adminApi.ts";
import { DeveloperAreaTests } from "./support/developerAreaTests.ts";

const area = new DeveloperAreaTests();
const dayMinutes = 24 * 60;

test("revoking names the key and what stops working, and requires the name of a key that was used in the last 24 hours", async () => {
  area.stage.api.keys.push(
    stagedKey({ name: "In use", last_used: minutesAgo(dayMinutes - 2), scopes: ["read", "write:orders"] }),
    stagedKey({ name: "Idle", last_used: minutesAgo(dayMinutes + 2) }),
  );
  const page = await area.openSignedIn();
  const dialog = page.getByRole("dialog");
  await page.getByRole("button", { name: "Revoke In use" }).click();
  for (const text of ["In use", "23 hours ago", "Updating the admin notes of orders.", "This cannot be undone."]) {
    await dialog.getByText(text, { exact: true }).or(dialog.getByText(text)).first().waitFor();
  }
  const revoke = dialog.getByRole("button", { name: "Revoke “In use”" });
  assert.ok(await revoke.isDisabled());
  await area.inspect("revoke-typed");
  await dialog.getByLabel("Type In use to confirm").fill("In us");
  assert.ok(await revoke.isDisabled());
  await dialog.getByLabel("Type In use to confirm").fill("in USE");
  await revoke.click();
  await page.getByText("Key “In use” is revoked.").waitFor();

  await page.getByRole("button", { name: "Revoke Idle" }).click();
  await area.inspect("revoke");
  await dialog.getByRole("button", { name: "Revoke “Idle”" }).click();
  await page.getByText("Key “Idle” is revoked.").waitFor();
  assert.deepEqual(
    area.stage.api.keys.map(({ status }) => status),
    ["revoked", "revoked"],
  );
});

test("a failed revocation shows its request id and can be retried", async () => {
  area.stage.api.keys.push(stagedKey({ name: "Website" }));
  const page = await area.openSignedIn();
  area.stage.intercept = ({ method }) => (method === "POST" ? problem(500, "Something went wrong.") : undefined);
  await page.getByRole("button", { name: "Revoke Website" }).click();
  const revoke = page.getByRole("button", { name: "Revoke “Website”" });
  await revoke.click();
  await page.getByText("request-4711").waitFor();
  await area.inspect("not-revoked");
  area.stage.intercept = undefined;
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByText("Key “Website” is revoked.").waitFor();
});

test("a revocation whose response is lost is not reported as failed, and the dialog finds out what happened", async () => {
  area.stage.api.keys.push(stagedKey({ name: "Website" }));
  const page = await area.openSignedIn();
  const dialog = page.getByRole("dialog");
  await page.getByRole("button", { name: "Revoke Website" }).click();
  await page.route("**/revoke", (route) => route.abort("connectionreset"));
  await dialog.getByRole("button", { name: "Revoke “Website”" }).click();
  await dialog.getByText("It is not known whether the key was revoked").waitFor();
  await dialog.getByText("According to the list, the key is still active. Try again.").waitFor();
  assert.equal(await dialog.getByText("The key was not revoked").count(), 0);
  assert.equal(await dialog.getByRole("button", { name: "Change nothing" }).count(), 0);
  await page.unroute("**/revoke");
  await page.route("**/revoke", async (route) => {
    await route.fetch();
    await route.abort("connectionreset");
  });
  await dialog.getByRole("button", { name: "Try again" }).click();
  await page.getByText("“Website” was revoked by ada@example.org just now.").waitFor();
});

test("while neither a revocation nor the list gets a response, the dialog says that trying again does no harm", async () => {
  area.stage.api.keys.push(stagedKey({ name: "Website" }));
  const page = await area.openSignedIn();
  await page.getByRole("button", { name: "Revoke Website" }).click();
  area.stage.intercept = () => problem(500, "Something went wrong.");
  await page.getByRole("button", { name: "Revoke “Website”" }).click();
  await page.getByText("Try again: doing it twice does no harm.").waitFor();
  await area.inspect("revocation-unknown");
});

test("revoking a key with a successor says that only what still uses the old key stops", async () => {
  const key = stagedKey({ name: "Website" });
  area.stage.api.keys.push(stagedKey({ name: "Website (2)", replaces: key.id }), key);
  const page = await area.openSignedIn();
  await page.getByRole("button", { name: "Revoke Website", exact: true }).click();
  const stops = page.getByRole("list", { name: "What stops working" });
  assert.equal(await stops.textContent(), "Only what still uses the old key. What uses “Website (2)” keeps working.");
});

/** Opens the dialog to revoke the only key, which is in use. */
async function openRevocation(key: ReturnType<typeof stagedKey>): Promise<Locator> {
  area.stage.api.keys.push(key);
  const page = await area.openSignedIn();
  const row = page.getByRole("row").last();
  await row.getByRole("button", { name: /^Revoke/ }).click();
  return page.getByRole("dialog");
}

test("a key with an awkward name can be revoked by typing what a keyboard can", async () => {
  const dialog = await openRevocation(
    stagedKey({ name: "“Anna’s”  Cafe\u0301\u200b – shop", last_used: minutesAgo(1) }),
  );
  const revoke = dialog.getByRole("button", { name: /^Revoke “/ });
  await dialog.getByRole("textbox").fill('"Anna\'s" Cafe - shop');
  assert.ok(await revoke.isDisabled());
  await dialog.getByRole("textbox").fill('"anna\'s" café - SHOP');
  await revoke.click();
  await area.opened.page.getByText("is revoked.").waitFor();
  assert.equal(area.stage.api.keys[0]?.status, "revoked");
});

test("a key with a name of invisible characters can be revoked by typing its prefix", async () => {
  const key = stagedKey({ name: "\u200b\u2060", last_used: minutesAgo(1) });
  const dialog = await openRevocation(key);
  await dialog.getByText(key.prefix).last().waitFor();
  const revoke = dialog.getByRole("button", { name: /^Revoke “/ });
  await dialog.getByRole("textbox").fill(" ");
  assert.ok(await revoke.isDisabled());
  await dialog.getByRole("textbox").fill(key.prefix);
  await revoke.click();
  await area.opened.page.getByText("is revoked.").waitFor();
});

test("an open dialog says that somebody else has revoked the key", async () => {
  const key = stagedKey({ name: "Website", last_used: minutesAgo(1) });
  area.stage.api.keys.push(key);
  const page = await area.openSignedInWithClock();
  await page.getByRole("button", { name: "Revoke Website" }).click();
  await page.getByLabel("Type Website").fill("Web");
  Object.assign(key, { status: "revoked", revoked: minutesAgo(5.5 * 60), revoked_by: "grace@example.org" });
  await page.clock.runFor(20_000);
  const dialog = page.getByRole("dialog", { name: "This key is revoked" });
  await dialog.getByText("“Website” was revoked by grace@example.org 5 hours ago.").waitFor();
  assert.deepEqual(await dialog.getByRole("button").allTextContents(), ["", "Close"]);
  await area.inspect("revoked-already");
  await page.keyboard.press("Enter");
  await dialog.waitFor({ state: "detached" });
});

test("if somebody else was faster, the dialog says so instead of claiming the revocation", async () => {
  const key = stagedKey({ name: "Website" });
  area.stage.api.keys.push(key);
  const page = await area.openSignedIn();
  await page.getByRole("button", { name: "Revoke Website" }).click();
  area.stage.beforeWrite(() =>
    Object.assign(key, { status: "revoked", revoked: minutesAgo(5.5 * 60), revoked_by: "grace@example.org" }),
  );
  await page.getByRole("button", { name: "Revoke “Website”" }).click();
  await page.getByText("“Website” was revoked by grace@example.org 5 hours ago.").waitFor();
  assert.equal(await page.getByText("Key “Website” is revoked.").count(), 0);
});

test("a restart of the service during a revocation loses nothing", async () => {
  area.stage.api.keys.push(stagedKey({ name: "Website", last_used: minutesAgo(1) }));
  const page = await area.openSignedIn();
  await page.getByRole("button", { name: "Revoke Website" }).click();
  await page.getByLabel("Type Website").fill("Website");
  const revoke = page.getByRole("button", { name: "Revoke “Website”" });
  await page.route("**/admin/**", (route) => route.abort("connectionrefused"));
  await revoke.click();
  const again = page.getByRole("dialog").getByRole("button", { name: "Try again" });
  await again.waitFor();
  await page.unroute("**/admin/**");
  area.stage.intercept = () => problem(503, "Starting.");
  await again.click();
  await page.getByRole("dialog").getByText("Starting.").waitFor();
  assert.equal(await page.getByLabel("Type Website").inputValue(), "Website");
  area.stage.intercept = undefined;
  await again.click();
  await page.getByText("Key “Website” is revoked.").waitFor();
});
