import assert from "node:assert/strict";
import { test } from "@jest/globals";
import type { Page } from "playwright-core";
import { problem, type StagedRequest, stagedKey } from "./support/adminApi.ts";
import { DeveloperAreaTests } from "./support/developerAreaTests.ts";
import { loseResponses, memory, secretOn, traces } from "./support/openDeveloperArea.ts";

/** The browser's DataTransfer; the tests' types are Node's. */
interface DragData {
  getData: (type: string) => string;
}

const area = new DeveloperAreaTests();

const button = (page: Page, name: string) => page.getByRole("dialog").getByRole("button", { name, exact: true });
const replace = (page: Page) => button(page, "Revoke it and create another");
const states = () => area.stage.api.keys.map(({ name, status }) => `${name} ${status}`);
const isCreation = ({ method, path }: StagedRequest) => method === "POST" && path === "/admin/api-keys";
const creations = () => area.stage.requests.filter(isCreation);

async function begin(page: Page, name = "Website"): Promise<void> {
  await page.getByRole("button", { name: /^Create (the first )?key$/ }).click();
  await page.getByLabel("Name").fill(name);
}

/** Creates a key and returns its secret. The dialog stays open. */
async function create(page: Page, name?: string): Promise<string> {
  await begin(page, name);
  await button(page, "Create key").click();
  return secretOn(page);
}

async function store(page: Page): Promise<void> {
  await page.getByLabel("I have stored it").check();
  await page.getByRole("button", { name: "Done" }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
}

/** Creates a key from an open form. Its response is lost, and another try reports that the key exists. */
async function loseSecret(page: Page): Promise<void> {
  await loseResponses(page, "api-keys");
  await button(page, "Create key").click();
  await page.getByText("It is not known whether the key was created").waitFor();
  await page.unroute("**/admin/api-keys");
  await button(page, "Try again").click();
  await page.getByRole("alert").getByText("The key was created, but its secret did not arrive").waitFor();
}

test("a secret stays on the screen until it is stored, and then leaves no trace", async () => {
  const page = await area.openSignedIn();
  const secret = await create(page);
  assert.match(secret, /^tsk_\w{49}$/);
  const dialog = page.getByRole("dialog");
  for (const leave of [() => page.keyboard.press("Escape"), () => page.mouse.click(5, 5), () => page.goBack()]) {
    await leave();
    await dialog.getByText("You have not stored the secret of “Website” yet, and it cannot be shown again.").waitFor();
  }
  assert.equal(await dialog.getByRole("button", { name: "Close" }).count(), 0);
  assert.ok(await dialog.getByRole("button", { name: "Done" }).isDisabled());
  assert.ok((await memory(area.opened)).includes(secret), "the search of the memory finds secrets");
  await store(page);
  await page.getByText("Key “Website” is created and active.").waitFor();
  assert.ok(!(await traces(area.opened)).includes(secret));
  assert.ok(!(await memory(area.opened)).includes(secret));
});

test("a secret is hidden until somebody asks to see it", async () => {
  const page = await area.openSignedIn();
  await begin(page);
  await button(page, "Create key").click();
  const field = page.getByLabel("Secret key", { exact: true });
  assert.match(await field.inputValue(), /^tsk_\w{8}•+$/);
  const command = page.getByLabel("A first request", { exact: true });
  assert.match(await command.inputValue(), /Bearer tsk_\w{8}•+" http/);
  const secret = await secretOn(page);
  await page.getByRole("button", { name: "Show: A first request" }).click();
  const request = `curl -H "Authorization: Bearer ${secret}" ${area.stage.origin}/v1/key`;
  assert.equal(await command.inputValue(), request);
  await page.getByRole("button", { name: "Hide: Secret key" }).click();
  assert.match(await field.inputValue(), /•$/);
});

test("a hidden secret can be copied, and is selected if the browser forbids copying", async () => {
  const page = await area.openSignedIn();
  await area.opened.context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await begin(page);
  await button(page, "Create key").click();
  await page.getByRole("button", { name: "Copy key" }).click();
  await page.getByText("Copied.").waitFor();
  const copied = await page.evaluate<string>("navigator.clipboard.readText()");
  await page.evaluate("navigator.clipboard.writeText = () => Promise.reject(new Error())");
  await page.getByRole("button", { name: "Copy key" }).click();
  await page.getByText("Selected. Press Ctrl+C").waitFor();
  assert.equal(await page.evaluate<string>("getSelection().toString()"), copied);
  assert.equal(await secretOn(page), copied);
});

test("the keyboard copies a hidden secret, whole or selected in part", async () => {
  const page = await area.openSignedIn();
  await area.opened.context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await begin(page);
  await page.keyboard.press("Enter");
  const command = page.getByLabel("A first request", { exact: true });
  await command.waitFor();
  const ways = [
    ["Control+C"],
    ["Control+A", "Control+C"],
    ["Control+X"],
    ["Home", "Shift+ArrowRight", "Control+Insert"],
  ];
  const copies: string[] = [];
  for (const field of [page.getByLabel("Secret key", { exact: true }), command]) {
    await field.waitFor();
    for (const keys of ways) {
      await page.evaluate("navigator.clipboard.writeText('')");
      if (copies.length > 0) await field.focus();
      for (const key of keys) await page.keyboard.press(key);
      copies.push(await page.evaluate<string>("navigator.clipboard.readText()"));
    }
    assert.match(await field.inputValue(), /•/, "it stays hidden");
  }
  const secret = await secretOn(page);
  const request = `curl -H "Authorization: Bearer ${secret}" ${area.stage.origin}/v1/key`;
  assert.deepEqual(copies, [...ways.map(() => secret), ...ways.map(() => request)]);
});

test("the field of a hidden secret is described by a text about copying", async () => {
  const page = await area.openSignedIn();
  await begin(page);
  await button(page, "Create key").click();
  const id = await page.getByLabel("Secret key", { exact: true }).getAttribute("aria-describedby");
  assert.ok(id !== null);
  assert.match((await page.locator(`[id="${id}"]`).textContent()) ?? "", /copying/i);
});

test("dragging a hidden secret takes the real one", async () => {
  const page = await area.openSignedIn();
  await begin(page);
  await button(page, "Create key").click();
  const field = page.getByLabel("Secret key", { exact: true });
  const transfer = await page.evaluateHandle<DragData>("new DataTransfer()");
  await field.dispatchEvent("dragstart", { dataTransfer: transfer });
  const dragged = await transfer.evaluate((data) => data.getData("text/plain"));
  assert.equal(await secretOn(page), dragged);
});

test("leaving the page while it shows a secret asks for confirmation", async () => {
  const page = await area.openSignedIn();
  const asked: string[] = [];
  page.on("dialog", (dialog) => {
    asked.push(dialog.type());
    void dialog.dismiss();
  });
  await create(page);
  await Promise.all([page.waitForEvent("dialog"), page.evaluate("location.reload()")]);
  await store(page);
  await page.reload();
  assert.deepEqual(asked, ["beforeunload"]);
});

test("while a key is being created, nothing closes the dialog", async () => {
  const page = await area.openSignedIn();
  const answered = Promise.withResolvers<undefined>();
  area.stage.intercept = (request) => (isCreation(request) ? answered.promise : undefined);
  await begin(page);
  await button(page, "Create key").click({ noWaitAfter: true });
  await page.keyboard.press("Escape");
  await page.getByText("A key is being created, and only this page can show its secret.").waitFor();
  answered.resolve(undefined);
  await page.getByText("Store this key now").waitFor();
});

test("the page and the API refuse a name at its field", async () => {
  const page = await area.openSignedIn();
  await begin(page);
  for (const [value, reason] of [
    ["  ", "Give the key a name."],
    ["refused", "This name is refused."],
  ] as const) {
    await page.getByLabel("Name").fill(value);
    await button(page, "Create key").click();
    await page.getByText(reason).waitFor();
    await page.locator("input[aria-invalid=true]:focus").waitFor();
  }
  await page.getByLabel("Name").fill("Website");
  await page.getByText("write:orders").click();
  await button(page, "Create key").click();
  await page.getByText("Store this key now").waitFor();
  assert.deepEqual(area.stage.api.keys[0]?.scopes, ["read", "write:orders"]);
});

test("rotating fills in the old key's name and scopes, and leaves the old key active", async () => {
  const old = stagedKey({ name: "Website", scopes: ["read", "write:orders"] });
  area.stage.api.keys.push(old);
  const page = await area.openSignedIn();
  await page.getByRole("button", { name: "Rotate Website" }).click();
  const dialog = page.getByRole("dialog", { name: "Rotate “Website”" });
  assert.deepEqual(await dialog.getByRole("listitem").allTextContents(), [
    "Create the new key here.",
    `Switch the integration to it. The old key, ${old.prefix}, keeps working.`,
    "When nothing uses the old key any more, revoke it.",
  ]);
  assert.equal(await dialog.getByLabel("Name").inputValue(), "Website");
  await button(page, "Create key").click();
  await secretOn(page);
  await store(page);
  await page.getByText("Switch the integration to it, then revoke the old key.").waitFor();
  assert.deepEqual(states(), ["Website active", "Website active"]);
  assert.deepEqual(area.stage.api.keys[0]?.scopes, old.scopes);
});

test("every changed form is another request, and so is the next key", async () => {
  const page = await area.openSignedIn();
  area.stage.intercept = (request) => (isCreation(request) ? problem(503, "Not now.") : undefined);
  await begin(page);
  await button(page, "Create key").click();
  await page.getByText("Not now.").waitFor();
  area.stage.intercept = undefined;
  await page.getByLabel("Name").fill("Website 2");
  await button(page, "Create key").click();
  await store(page);
  await create(page, "Website 2");
  assert.equal(new Set(creations().map(({ idempotencyKey }) => idempotencyKey)).size, 3);
  assert.equal(area.stage.api.keys.length, 2);
});

test("a key whose secret was lost is revoked before another is created", async () => {
  const page = await area.openSignedIn();
  await begin(page);
  await loseSecret(page);
  area.stage.intercept = ({ path }) => (path.endsWith("/revoke") ? problem(503, "Not now.") : undefined);
  await replace(page).click();
  await page.getByText("“Website” may still be active. Try again: revoking it twice does no harm.").waitFor();
  assert.deepEqual(states(), ["Website active"]);
  area.stage.intercept = undefined;
  await replace(page).click();
  await secretOn(page);
  assert.deepEqual(states(), ["Website active", "Website revoked"]);
});

test("closing the form says that a key exists whose secret was lost", async () => {
  const page = await area.openSignedIn();
  await begin(page);
  await loseSecret(page);
  await button(page, "Cancel").click();
  const question = page.getByRole("dialog", { name: "Close without finishing?" });
  await question.getByText("The key “Website” exists, and nobody has its secret. Revoke it in the list.").waitFor();
  await question.getByRole("button", { name: "Close" }).last().click();
  await page.getByRole("rowheader", { name: "Website" }).waitFor();
});

test("closing the form after a lost response says that a key may exist", async () => {
  const page = await area.openSignedIn();
  await begin(page);
  await loseResponses(page, "api-keys");
  await button(page, "Create key").click();
  await page.getByText("The key may exist.").waitFor();
  await button(page, "Cancel").click();
  await page.getByText("The key “Website” may exist, although its secret was not shown.").waitFor();
});

test("a refused request is reported as failed, not as uncertain", async () => {
  const page = await area.openSignedIn();
  area.stage.intercept = (request) =>
    isCreation(request) ? problem(403, "Only a super-admin may do this.") : undefined;
  await begin(page);
  await button(page, "Create key").click();
  await page.getByText("Only a super-admin may do this.").waitFor();
  await page.getByText("The key was not created").waitFor();
  assert.equal(await page.getByText("may exist").count(), 0);
});

test("a request that takes over 30 seconds ends with what to do", async () => {
  const page = await area.openSignedIn();
  await begin(page);
  await page.evaluate("AbortSignal.timeout = () => AbortSignal.abort(new DOMException('', 'TimeoutError'))");
  await button(page, "Create key").click();
  await page.getByText("The service did not respond within 30 seconds. Try again.").waitFor();
});

test("closing a changed form asks first, and an untouched one closes at once", async () => {
  const page = await area.openSignedIn();
  await page.getByRole("button", { name: "Create the first key" }).click();
  await page.locator("input:focus").waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await page.locator("button:focus", { hasText: "Create the first key" }).waitFor();
  await begin(page);
  const form = page.getByRole("dialog", { name: "Create an API key" });
  const question = page.getByRole("dialog", { name: "Close without finishing?" });
  for (const close of [
    () => page.keyboard.press("Escape"),
    () => form.getByRole("button", { name: "Close" }).click(),
    () => form.getByRole("button", { name: "Cancel" }).click(),
    () => page.goBack(),
  ]) {
    await close();
    await question.getByText("What you entered is not saved.").waitFor();
    await page.locator("button:focus", { hasText: "Go back" }).waitFor();
    await page.keyboard.press("Escape");
    await question.waitFor({ state: "detached" });
    assert.equal(await page.getByLabel("Name").inputValue(), "Website");
  }
  await page.keyboard.press("Escape");
  await question.getByRole("button", { name: "Close" }).last().click();
  await form.waitFor({ state: "detached" });
});
