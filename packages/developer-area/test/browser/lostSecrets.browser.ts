import assert from "node:assert/strict";
import { test } from "@jest/globals";
import type { Page } from "playwright-core";
import { problem, stagedKey } from "./support/adminApi.ts";
import { DeveloperAreaTests } from "./support/developerAreaTests.ts";
import { loseResponses, secretOn, traces } from "./support/openDeveloperArea.ts";

const area = new DeveloperAreaTests();

const button = (page: Page, name: string) => page.getByRole("dialog").getByRole("button", { name, exact: true });
const replace = (page: Page) => button(page, "Revoke it and create another");
const states = () => area.stage.api.keys.map(({ name, status }) => `${name} ${status}`);
const creations = () =>
  area.stage.requests.filter(({ method, path }) => method === "POST" && path === "/admin/api-keys");

/** Creates a key from an open form. Its response is lost. */
async function loseResponse(page: Page): Promise<void> {
  await loseResponses(page, "api-keys");
  await button(page, "Create key").click();
  await page.getByText("It is not known whether the key was created").waitFor();
  await page.getByText("The key may exist. Try again without changes").waitFor();
  await page.unroute("**/admin/api-keys");
}

/** Then tries again, and hears that the key exists. */
async function loseSecret(page: Page): Promise<void> {
  await loseResponse(page);
  await button(page, "Try again").click();
  await page.getByRole("alert").getByText("The key was created, but its secret was lost on the way").waitFor();
}

/** Fills in the form for a key that may write, for a week. */
async function begin(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Create the first key" }).click();
  await page.getByLabel("Name").fill("Website");
  await page.getByRole("dialog").getByText("write:orders").click();
  await page.getByLabel("For how long?").selectOption("7 days");
}

test("after a lost response, one button revokes the key and creates another like it, with the same end", async () => {
  const page = await area.openSignedIn();
  await begin(page);
  await loseResponse(page);
  await area.inspect("not-known");
  await button(page, "Try again").click();
  await page.getByRole("alert").getByText("The key was created, but its secret was lost on the way").waitFor();
  await area.inspect("secret-lost");
  assert.deepEqual(states(), ["Website active"]);
  await replace(page).click();
  const secret = await secretOn(page);
  const [next, lost] = area.stage.api.keys;
  assert.equal(next?.prefix, secret.slice(0, 12));
  assert.deepEqual(states(), ["Website active", "Website revoked"]);
  assert.deepEqual([next?.scopes, next?.replaces], [lost?.scopes, null]);
  const [first, second, third, ...more] = creations();
  assert.deepEqual([first?.body, second?.body, more.length], [third?.body, third?.body, 0]);
  assert.equal(first?.idempotencyKey, second?.idempotencyKey);
  assert.notEqual(second?.idempotencyKey, third?.idempotencyKey);
  assert.match(first?.body ?? "", /"revokes_at":/);
});

test("a revocation of the lost key that fails, or whose response is lost, is tried again before another key is created", async () => {
  const page = await area.openSignedIn();
  await begin(page);
  await loseSecret(page);
  area.stage.intercept = ({ path }) => (path.endsWith("/revoke") ? problem(503, "Not now.") : undefined);
  await replace(page).click();
  await page.getByRole("alert").getByText("The lost key was not replaced").waitFor();
  await page.getByText("Not now.").waitFor();
  await area.inspect("lost-key-not-revoked");
  assert.deepEqual(states(), ["Website active"]);
  area.stage.intercept = undefined;
  await loseResponses(page, "api-keys/*/revoke");
  await replace(page).click();
  await page.getByText("“Website” may still be active. Try again: revoking it twice does no harm.").waitFor();
  assert.deepEqual(states(), ["Website revoked"]);
  await page.unroute("**/admin/api-keys/*/revoke");
  await replace(page).click();
  await secretOn(page);
  assert.deepEqual(states(), ["Website active", "Website revoked"]);
});

test("the other key's secret can be lost too, and is replaced in the same way", async () => {
  const page = await area.openSignedIn();
  await begin(page);
  await loseSecret(page);
  await loseResponses(page, "api-keys");
  await replace(page).click();
  await page.getByText("It is not known whether the key was created").waitFor();
  assert.deepEqual(states(), ["Website active", "Website revoked"]);
  await page.unroute("**/admin/api-keys");
  await button(page, "Try again").click();
  await page.getByText("The key was created, but its secret was lost on the way").waitFor();
  await replace(page).click();
  await secretOn(page);
  assert.deepEqual(states(), ["Website active", "Website revoked", "Website revoked"]);
});

test("a refusal after the revocation of the lost key is not uncertain, and another name creates a key", async () => {
  const page = await area.openSignedIn();
  await begin(page);
  await loseSecret(page);
  area.stage.intercept = ({ path }) =>
    path === "/admin/api-keys" ? problem(409, "The organisation is suspended.") : undefined;
  await replace(page).click();
  await page.getByText("The key was not created").waitFor();
  assert.deepEqual(states(), ["Website revoked"]);
  area.stage.intercept = undefined;
  await page.getByLabel("Name").fill("Shop");
  await button(page, "Create key").click();
  await secretOn(page);
  assert.deepEqual(states(), ["Shop active", "Website revoked"]);
});

test("a successor whose secret was lost is revoked, so that another can replace the old key", async () => {
  const old = stagedKey({ name: "Website", scopes: ["read", "write:orders"] });
  area.stage.api.keys.push(old);
  const page = await area.openSignedIn();
  await page.getByRole("button", { name: "Rotate Website" }).click();
  await loseSecret(page);
  await replace(page).click();
  await secretOn(page);
  const [next] = area.stage.api.keys;
  assert.deepEqual(states(), ["Website (2) active", "Website (2) revoked", "Website active"]);
  assert.deepEqual([next?.replaces, old.replaced_by, next?.scopes], [old.id, next?.id, old.scopes]);
  await page.getByLabel("I have stored it").check();
  await page.getByRole("button", { name: "Done" }).click();
  await page.getByText("Now give the new key to everything that uses the old one").waitFor();
});

test("closing the dialog says that the key exists, and a reload keeps nothing: the list shows the key, to be revoked there", async () => {
  const page = await area.openSignedIn();
  await begin(page);
  await loseSecret(page);
  await button(page, "Cancel").click();
  const question = page.getByRole("dialog", { name: "Close without finishing?" });
  await question.getByText("The key “Website” exists, and nobody has its secret. Revoke it in the list.").waitFor();
  await area.inspect("close-lost");
  await question.getByRole("button", { name: "Go back" }).click();
  await page.reload();
  await page.getByRole("rowheader", { name: "Website" }).waitFor();
  assert.equal(await page.getByRole("dialog").count(), 0);
  const kept = await traces(area.opened);
  for (const { idempotencyKey } of creations()) assert.ok(!kept.includes(idempotencyKey ?? assert.fail()));
  await page.getByRole("button", { name: "Revoke Website" }).click();
  await button(page, "Revoke “Website”").click();
  await page.getByText("Key “Website” is revoked.").waitFor();
});

test("a key that a second tab has revoked is replaced all the same", async () => {
  const page = await area.openSignedIn();
  await begin(page);
  await loseSecret(page);
  const other = await area.opened.context.newPage();
  await other.goto(`${area.stage.origin}/developer`);
  await other.getByRole("button", { name: "Revoke Website" }).click();
  await button(other, "Revoke “Website”").click();
  await other.getByText("Key “Website” is revoked.").waitFor();
  await replace(page).click();
  await secretOn(page);
  assert.deepEqual(states(), ["Website active", "Website revoked"]);
});
