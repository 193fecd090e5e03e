import assert from "node:assert/strict";
import { test } from "@jest/globals";
import type { Page } from "playwright-core";
import { problem, stagedKey } from "./support/adminApi.ts";
import { DeveloperAreaTests } from "./support/developerAreaTests.ts";

const area = new DeveloperAreaTests();

/** Makes the API reject the page's token. */
async function expireSession(page: Page): Promise<void> {
  await page.locator("main [aria-busy=true]").waitFor({ state: "detached" });
  area.stage.intercept = () => problem(401, "Sign in again.");
}

/** Signs in again in a second window and waits until that is done. */
async function signInAgain(page: Page): Promise<void> {
  area.stage.intercept = undefined;
  const [second] = await Promise.all([
    page.waitForEvent("popup"),
    page.getByRole("button", { name: "Sign in again" }).click(),
  ]);
  if (!second.isClosed())
    await Promise.race([second.waitForEvent("close"), second.getByText("You can close this window").waitFor()]);
}

test("a form keeps its content when the session expires and the person signs in again in a second window", async () => {
  area.stage.api.keys.push(stagedKey({ name: "Website" }));
  const page = await area.openSignedIn();
  await page.getByRole("button", { name: "Create key" }).click();
  await page.getByLabel("Name").fill("Second");
  await expireSession(page);
  const submit = page.getByRole("button", { name: "Create key" }).last();
  await submit.click();
  await page.getByText("Your session has expired").waitFor();
  await page.keyboard.press("Escape");
  const dialog = page.getByRole("dialog", { name: "Your session has expired" });
  assert.equal(await dialog.getByRole("button", { name: "Close" }).count(), 0);
  await area.inspect("expired");
  await signInAgain(page);
  await page.getByText("Your session has expired").waitFor({ state: "detached" });
  assert.equal(await page.getByLabel("Name").inputValue(), "Second");
  await submit.click();
  await page.getByText("Store this key now").waitFor();
  assert.equal(await page.evaluate("JSON.stringify({ ...sessionStorage })"), "{}");
});

test("a secret on the screen stays when the session expires", async () => {
  const page = await area.openSignedIn();
  await page.clock.install();
  await page.getByRole("button", { name: "Create the first key" }).click();
  await page.getByLabel("Name").fill("Website");
  await page.getByRole("button", { name: "Create key" }).click();
  const secret = await page.getByLabel("Secret key").inputValue();
  await expireSession(page);
  await page.clock.runFor(20_000);
  await page.getByText("Your session has expired").waitFor();
  await signInAgain(page);
  await page.getByText("Your session has expired").waitFor({ state: "detached" });
  assert.equal(await page.getByLabel("Secret key").inputValue(), secret);
});

test("another person cannot continue an expired session", async () => {
  const page = await area.openSignedIn();
  await expireSession(page);
  await page.getByRole("tab", { name: "Activity" }).click();
  await page.getByText("Your session has expired").waitFor();
  area.stage.provider.script.person = { subject: "eve", email: "eve@example.org", organisationId: "2" };
  await signInAgain(page);
  await page.getByText("That was eve@example.org. To go on here, sign in as ada@example.org.").waitFor();
  await area.inspect("expired-someone-else");
  assert.ok(area.stage.requests.every(({ actor }) => actor === "ada@example.org"));
});
