import assert from "node:assert/strict";
import { test } from "@jest/globals";
import type { Page } from "playwright-core";
import { DeveloperAreaTests } from "./support/developerAreaTests.ts";
import { memory, secretOn, traces } from "./support/openDeveloperArea.ts";

const area = new DeveloperAreaTests();

/** Opens the create dialog, creates a key and returns its secret. */
async function create(page: Page, name: string): Promise<string> {
  await page.getByRole("button", { name: /^Create (the first )?key$/ }).click();
  await page.getByLabel("Name").fill(name);
  await page.getByRole("dialog").getByRole("button", { name: "Create key" }).click();
  return secretOn(page);
}

test("a key's secret is shown once, stays until Done is pressed, and leaves no trace after that", async () => {
  const page = await area.openSignedIn();
  const secret = await create(page, "Website");
  assert.match(secret, /^tsk_\w{49}$/);
  await page.getByRole("button", { name: "Show: A first request" }).click();
  assert.equal(
    await page.getByLabel("A first request", { exact: true }).inputValue(),
    `curl -H "Authorization: Bearer ${secret}" ${area.stage.origin}/v1/key`,
  );
  const dialog = page.getByRole("dialog");
  await dialog.getByText("It cannot be shown again: if you lose it, rotate the key.").waitFor();
  const done = dialog.getByRole("button", { name: "Done" });
  assert.equal(await dialog.getByText("not stored yet").count(), 0);
  await page.keyboard.press("Escape");
  await dialog.getByText("The secret of “Website” is not stored yet, and cannot be shown again.").waitFor();
  await page.mouse.click(5, 5);
  assert.equal(await dialog.getByRole("button", { name: "Close" }).count(), 0);
  assert.ok(await done.isDisabled());
  await area.inspect("secret");
  assert.ok(
    (await memory(area.opened)).includes(secret),
    "a secret on the screen is in memory, so the search for it works",
  );

  await dialog.getByLabel("I have stored it").check();
  await done.click();
  await page.getByText("Key “Website” is created and active.").waitFor();
  assert.ok(!(await traces(area.opened)).includes(secret));
  assert.ok(!(await memory(area.opened)).includes(secret));
  await area.inspect("created");
});

test("a secret is hidden until it is asked for, can be copied hidden, and is hidden again after an idle sign-out", async () => {
  const page = await area.openSignedInWithClock();
  await area.opened.context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.getByRole("button", { name: "Create the first key" }).click();
  await page.getByLabel("Name").fill("Website");
  await page.getByRole("dialog").getByRole("button", { name: "Create key" }).click();
  const field = page.getByLabel("Secret key", { exact: true });
  assert.match(await field.inputValue(), /^tsk_\w{8}•+$/);
  assert.match(await page.getByLabel("A first request", { exact: true }).inputValue(), /Bearer tsk_\w{8}•+" http/);
  await page.getByRole("button", { name: "Copy key" }).click();
  await page.getByText("Copied.").waitFor();
  const copied = await page.evaluate<string>("navigator.clipboard.readText()");
  assert.equal(await secretOn(page), copied);
  await page.getByRole("button", { name: "Hide: Secret key" }).click();
  assert.match(await field.inputValue(), /•$/);
  await secretOn(page);
  await page.clock.runFor(30 * 60_000);
  await page.getByRole("dialog", { name: "You are signed out" }).waitFor();
  assert.match(await field.inputValue(), /^tsk_\w{8}•+$/);
  assert.equal(await secretOn(page), copied);
});

test("leaving the page while it shows a secret asks for confirmation", async () => {
  const page = await area.openSignedIn();
  const asked: string[] = [];
  page.on("dialog", (dialog) => {
    asked.push(dialog.type());
    void dialog.dismiss();
  });
  await create(page, "Website");
  await Promise.all([page.waitForEvent("dialog"), page.evaluate("location.reload()")]);
  await page.getByLabel("I have stored it").check();
  assert.deepEqual(asked, ["beforeunload"]);
  await page.getByRole("button", { name: "Done" }).click();
  await page.getByText("is created and active").waitFor();
  await page.reload();
  assert.deepEqual(asked, ["beforeunload"]);
});

test("the secret can be copied, and is selected if the browser forbids copying", async () => {
  const page = await area.openSignedIn();
  await area.opened.context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const secret = await create(page, "Website");
  await page.getByRole("button", { name: "Copy key" }).click();
  await page.getByText("Copied.").waitFor();
  assert.equal(await page.evaluate<string>("navigator.clipboard.readText()"), secret);
  await page.evaluate("navigator.clipboard.writeText = () => Promise.reject(new Error())");
  await page.getByRole("button", { name: "Copy key" }).click();
  await page.getByText("Selected. Press Ctrl+C").waitFor();
  assert.equal(await page.evaluate<string>("getSelection().toString()"), secret);
});

test("a double click with a slow response creates one key, and the dialog waits for it", async () => {
  const page = await area.openSignedIn();
  const answered = Promise.withResolvers<undefined>();
  area.stage.intercept = ({ method }) => (method === "POST" ? answered.promise : undefined);
  await page.getByRole("button", { name: "Create the first key" }).click();
  await page.getByLabel("Name").fill("Website");
  const submit = page.getByRole("dialog").getByRole("button", { name: "Create key" });
  await submit.dblclick({ noWaitAfter: true });
  await page.evaluate("document.querySelector('[role=dialog] form').requestSubmit()");
  await page.keyboard.press("Escape");
  assert.ok(await submit.isVisible());
  answered.resolve(undefined);
  await page.getByText("Store this key now").waitFor();
  assert.equal(area.stage.api.keys.length, 1);
});

test("the page and the API check a name, and the field shows the error", async () => {
  const page = await area.openSignedIn();
  await page.getByRole("button", { name: "Create the first key" }).click();
  const name = page.getByLabel("Name");
  const submit = page.getByRole("dialog").getByRole("button", { name: "Create key" });
  for (const [value, reason] of [
    ["  ", "Give the key a name."],
    ["x".repeat(101), "At most 100 characters."],
    ["refused", "This name is refused."],
  ] as const) {
    await name.fill(value);
    await submit.click();
    await page.getByText(reason).waitFor();
    await page.locator("input[aria-invalid=true]:focus").waitFor();
  }
  await area.inspect("refused-name");
  await name.fill("🎟".repeat(100));
  await page.getByText("write:orders").click();
  await submit.click();
  await page.getByText("Store this key now").waitFor();
  assert.deepEqual(area.stage.api.keys[0]?.scopes, ["read", "write:orders"]);
});

test("a key can be created and revoked with the keyboard alone, and the focus moves as expected", async () => {
  const page = await area.openSignedIn();
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  const focused = () => page.evaluate<string>("document.activeElement.textContent || document.activeElement.id");
  const tabTo = async (text: string) => {
    for (let presses = 0; presses < 60; presses++) {
      if ((await focused()) === text) return;
      await press("Tab");
    }
    assert.fail(`${text} is not reached with Tab`);
  };
  await press("Tab");
  assert.equal(await focused(), "Skip to the content");
  await press("Enter");
  assert.equal(await page.evaluate("document.activeElement.id"), "main");
  await tabTo("Create the first key");
  await press("Enter");
  await page.locator("input:focus").waitFor();
  await page.keyboard.type("Keyboard");
  await press("Tab", "Space", "Enter");
  assert.match(await page.locator("textarea:focus").inputValue(), /^tsk_/);
  await tabTo("Copy command");
  await press("Tab", "Tab", "Tab", "Space", "Tab", "Enter");
  await page.getByText("is created and active").waitFor();
  await page.locator("main:focus").waitFor();
  await tabTo("Revoke");
  await press("Enter");
  await page.getByText("What stops working").waitFor();
  await press("Escape");
  await page.locator("button:focus", { hasText: /^Revoke$/ }).waitFor();
  await press("Enter");
  // A dialog takes the focus a moment after it appears.
  await page.locator("button:focus", { hasText: "Change nothing" }).waitFor();
  await tabTo("Revoke “Keyboard”");
  await press("Enter");
  await page.getByText("Key “Keyboard” is revoked.").waitFor();
  await page.locator("main:focus").waitFor();
  assert.deepEqual(area.stage.api.keys[0]?.scopes, ["read", "write:balance_payments"]);
});
