import assert from "node:assert/strict";
import { test } from "@jest/globals";
import type { Page } from "playwright-core";
import { stagedKey } from "../support/adminApi.ts";
import { DeveloperAreaTests } from "../support/developerAreaTests.ts";
import { secretOn, traces } from "../support/openDeveloperArea.ts";

const area = new DeveloperAreaTests();
const minuteMs = 60_000;

/** Opens a second tab in the same browser, which signs in by itself. */
async function secondTab(): Promise<Page> {
  const page = await area.opened.context.newPage();
  await page.goto(`${area.stage.origin}/developer`);
  await page.getByRole("tablist").waitFor();
  return page;
}

/** Creates a key and returns its secret. The dialog stays open. */
async function createKey(page: Page): Promise<string> {
  await page.getByRole("button", { name: /^Create (the first )?key$/ }).click();
  await page.getByLabel("Name").fill("Website");
  await page.getByRole("dialog").getByRole("button", { name: "Create key" }).click();
  return secretOn(page);
}

/** Advances only the wall clock by 31 minutes; timers stop. */
async function sleepMachine(page: Page): Promise<void> {
  await page.clock.pauseAt(Date.now() + minuteMs);
  await page.evaluate(`{ const late = Date.now() + ${31 * minuteMs}; Date.now = () => late; }`);
}

test("signing out in one tab signs out the others, which keep nothing", async () => {
  area.stage.api.keys.push(stagedKey({ name: "Website" }));
  const page = await area.openSignedIn();
  const other = await secondTab();
  await page.getByRole("button", { name: "Create key" }).click();
  await page.getByLabel("Name").fill("Typed");
  await other.getByRole("button", { name: "Sign out" }).click();
  await page.getByText("You signed out in another tab.").waitFor();
  await page.getByRole("button", { name: "Sign in" }).waitFor();
  assert.doesNotMatch(await traces(area.opened), /Typed|Website|ada@example/);
  const requests = area.stage.requests.length;
  await page.reload();
  await page.getByText("You signed out in another tab.").waitFor({ state: "detached" });
  assert.equal(area.stage.requests.length, requests);
});

test("another person's tab stays signed in", async () => {
  const page = await area.openSignedIn();
  area.stage.provider.script.person = { subject: "eve", email: "eve@example.org", organisationId: "2" };
  const other = await secondTab();
  await other.getByRole("button", { name: "Sign out" }).click();
  await other.getByRole("button", { name: "Sign in" }).waitFor();
  await page.getByRole("tab", { name: "Activity" }).click();
  await page.getByText("No activity yet.").waitFor();
});

test("a secret that is not stored yet stays alone on the screen after signing out in another tab", async () => {
  const page = await area.openSignedIn();
  const other = await secondTab();
  const secret = await createKey(page);
  await other.getByRole("button", { name: "Sign out" }).click();
  const dialog = page.getByRole("dialog", { name: "You are signed out" });
  await dialog.waitFor();
  assert.equal(await secretOn(dialog), secret);
  assert.equal(await page.getByText("ada@example.org").count(), 0);
  await page.keyboard.press("Escape");
  await page.mouse.click(5, 5);
  await dialog.getByLabel("I have stored it").check();
  await dialog.getByRole("button", { name: "Done" }).click();
  await dialog.waitFor({ state: "detached" });
  await page.getByText("You signed out in another tab.").waitFor();
  assert.ok(!(await traces(area.opened)).includes(secret));
});

test("a secret whose response comes after signing out in another tab is shown", async () => {
  const page = await area.openSignedIn();
  const other = await secondTab();
  const answered = Promise.withResolvers<undefined>();
  area.stage.intercept = ({ method }) => (method === "POST" ? answered.promise : undefined);
  await page.getByRole("button", { name: "Create the first key" }).click();
  await page.getByLabel("Name").fill("Website");
  await page.getByRole("dialog").getByRole("button", { name: "Create key" }).click();
  await other.getByRole("button", { name: "Sign out" }).click();
  await page.getByText("You signed out in another tab.").waitFor();
  answered.resolve(undefined);
  assert.match(await secretOn(page), /^tsk_/);
});

test("after 29 minutes without input the page offers to stay, and a minute later it signs out", async () => {
  const page = await area.openSignedInWithClock();
  await page.clock.runFor(28 * minuteMs);
  assert.equal(await page.getByRole("dialog").count(), 0);
  await page.clock.runFor(minuteMs);
  const dialog = page.getByRole("dialog", { name: "Are you still there?" });
  await dialog.getByText("You will be signed out in one minute").waitFor();
  await page.keyboard.press("Enter");
  await dialog.waitFor({ state: "detached" });
  await page.clock.runFor(29 * minuteMs);
  await dialog.waitFor();
  await page.clock.runFor(minuteMs);
  await page.getByText("You were signed out after 30 minutes without activity.").waitFor();
  await page.reload();
  await page.getByRole("button", { name: "Sign in" }).waitFor();
  assert.equal(area.stage.provider.count("/end-session"), 0);
});

test("input in one tab keeps the others signed in", async () => {
  const page = await area.openSignedInWithClock();
  const other = await secondTab();
  for (let round = 0; round < 2; round++) {
    await page.clock.runFor(20 * minuteMs);
    await other.keyboard.press("Tab");
    await other.evaluate("new Promise((resolve) => requestAnimationFrame(resolve))");
  }
  await page.clock.runFor(15 * minuteMs);
  assert.equal(await page.getByRole("dialog").count(), 0);
  await page.getByRole("button", { name: "Sign out" }).waitFor();
});

test("the first input after a long sleep of the machine comes too late", async () => {
  const page = await area.openSignedInWithClock();
  await sleepMachine(page);
  await page.keyboard.press("Tab");
  await page.getByText("You were signed out after 30 minutes without activity.").waitFor();
});

test("coming back to the tab after a long sleep signs out at once", async () => {
  const page = await area.openSignedInWithClock();
  await sleepMachine(page);
  await page.evaluate("document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))");
  await page.getByText("You were signed out after 30 minutes without activity.").waitFor();
});

test("the idle time-out keeps only an unstored secret", async () => {
  const page = await area.openSignedInWithClock();
  const secret = await createKey(page);
  await page.clock.runFor(30 * minuteMs);
  const dialog = page.getByRole("dialog", { name: "You are signed out" });
  assert.equal(await secretOn(dialog), secret);
  await page.getByText("You were signed out after 30 minutes without activity.").waitFor();
});
