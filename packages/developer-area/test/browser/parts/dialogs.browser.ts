import assert from "node:assert/strict";
import { test } from "@jest/globals";
import { until } from "../../../../../test/support/service/until.ts";
import { stagedKey } from "../support/adminApi.ts";
import { DeveloperAreaTests } from "../support/developerAreaTests.ts";

const area = new DeveloperAreaTests();

test("Back closes a dialog and leaves the page beneath it as it was", async () => {
  const key = stagedKey({ name: "Website" });
  area.stage.api.keys.push(key);
  const page = await area.openSignedIn();
  await page.getByRole("link", { name: "Website" }).click();
  await page.getByRole("heading", { name: "Website" }).waitFor();
  await page.getByRole("button", { name: "Revoke Website" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.waitFor();
  await page.goBack();
  await dialog.waitFor({ state: "detached" });
  await page.getByRole("heading", { name: "Website" }).waitFor();
  for (const closing of ["Escape", "Enter"]) {
    await page.getByRole("button", { name: "Revoke Website" }).click();
    await page.locator("button:focus", { hasText: "Change nothing" }).waitFor();
    await page.keyboard.press(closing);
    await dialog.waitFor({ state: "detached" });
  }
  await until(async () => (await page.evaluate("history.state")) === null);
  await page.goBack();
  await page.getByRole("table", { name: "API keys" }).waitFor();
});

test("Back asks before it discards input, and explains why a secret stays", async () => {
  const page = await area.openSignedIn();
  await page.getByRole("button", { name: "Create the first key" }).click();
  await page.getByLabel("Name").fill("Website");
  for (let times = 0; times < 2; times++) {
    await page.goBack();
    await page.getByText("What you entered is not saved.").waitFor();
    await page.getByRole("button", { name: "Go back" }).click();
  }
  await page.getByRole("dialog").getByRole("button", { name: "Create key" }).click();
  await page.getByText("Store this key now").waitFor();
  await page.goBack();
  await page.getByText("The secret of “Website” is not stored yet").waitFor();
  await page.getByLabel("I have stored it").check();
  await page.getByRole("button", { name: "Done" }).click();
  await page.getByRole("rowheader", { name: "Website" }).waitFor();
});

test("after a reload with an open dialog, Back works as before", async () => {
  area.stage.api.keys.push(stagedKey({ name: "Website" }));
  const page = await area.openSignedIn("#activity");
  await page.getByRole("tab", { name: "Keys" }).click();
  await page.getByRole("button", { name: "Revoke Website" }).click();
  await page.getByRole("dialog").waitFor();
  await page.reload();
  await page.getByRole("heading", { name: "API keys" }).waitFor();
  assert.equal(await page.evaluate("history.state"), null);
  // One step leaves the entry of the dialog, the next one the tab.
  // Later, because it may end the page that evaluates it.
  await page.evaluate("void setTimeout(() => history.go(-2))");
  await page.getByRole("heading", { name: "Activity" }).waitFor();
});
