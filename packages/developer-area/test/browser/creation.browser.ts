import assert from "node:assert/strict";
import { test } from "@jest/globals";
import type { Page } from "playwright-core";
import { problem, stagedKey } from "./support/adminApi.ts";
import { DeveloperAreaTests } from "./support/developerAreaTests.ts";
import { loseResponses, secretOn } from "./support/openDeveloperArea.ts";

const area = new DeveloperAreaTests();

const submit = (page: Page) => page.getByRole("dialog").getByRole("button", { name: /^(Create key|Try again)$/ });

/** Opens the form and types a name. */
async function begin(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name: /^Create (the first )?key$/ }).click();
  await page.getByLabel("Name").fill(name);
}

async function store(page: Page): Promise<void> {
  await page.getByLabel("I have stored it").check();
  await page.getByRole("button", { name: "Done" }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
}

test("every changed form is another request, and so is the next key", async () => {
  const page = await area.openSignedIn();
  area.stage.intercept = ({ method }) => (method === "POST" ? problem(503, "Not now.") : undefined);
  await begin(page, "Website");
  await submit(page).click();
  await page.getByText("Not now.").waitFor();
  area.stage.intercept = undefined;
  await page.getByLabel("Name").fill("Website 2");
  await submit(page).click();
  await store(page);
  await begin(page, "Website 2");
  await submit(page).click();
  await store(page);
  const ids = area.stage.requests.map(({ idempotencyKey }) => idempotencyKey).filter((id) => id !== null);
  assert.equal(ids.length, 3);
  assert.equal(new Set(ids).size, 3);
  assert.equal(area.stage.api.keys.length, 2);
});

test("closing the form after a lost response says that a key may exist", async () => {
  const page = await area.openSignedIn();
  await begin(page, "Website");
  await loseResponses(page, "api-keys");
  await submit(page).click();
  await page.getByText("The key may exist.").waitFor();
  await page.getByRole("button", { name: "Cancel" }).click();
  const question = page.getByRole("dialog", { name: "Close without finishing?" });
  await question.getByText("The key “Website” may exist, although its secret was not shown.").waitFor();
  await area.inspect("close-uncertain");
  await question.getByRole("button", { name: "Close" }).last().click();
  await page.getByRole("rowheader", { name: "Website" }).waitFor();
  assert.equal(await page.getByRole("dialog").count(), 0);
});

test("a refusal is not uncertain", async () => {
  const page = await area.openSignedIn();
  area.stage.intercept = ({ method }) =>
    method === "POST" ? problem(403, "Only a super-admin of the organisation may do this.") : undefined;
  await begin(page, "Website");
  await submit(page).click();
  await page.getByText("Only a super-admin of the organisation may do this.").waitFor();
  await page.getByText("The key was not created").waitFor();
  assert.equal(await page.getByText("may exist").count(), 0);
});

test("a request that takes over 30 seconds ends with what to do", async () => {
  const page = await area.openSignedIn();
  await begin(page, "Website");
  await page.evaluate("AbortSignal.timeout = () => AbortSignal.abort(new DOMException('', 'TimeoutError'))");
  await submit(page).click();
  await page.getByText("The service did not respond within 30 seconds. Try again.").waitFor();
});

test("Escape, the close button and Cancel ask before they discard input, and close an untouched form at once", async () => {
  const page = await area.openSignedIn();
  await page.getByRole("button", { name: "Create the first key" }).click();
  await page.locator("input:focus").waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await begin(page, "Website");
  const form = page.getByRole("dialog", { name: "Create an API key" });
  const question = page.getByRole("dialog", { name: "Close without finishing?" });
  const closings = [
    () => page.keyboard.press("Escape"),
    () => form.getByRole("button", { name: "Close" }).click(),
    () => form.getByRole("button", { name: "Cancel" }).click(),
  ];
  for (const close of closings) {
    await close();
    await question.getByText("What you entered is not saved.").waitFor();
    await page.locator("button:focus", { hasText: "Go back" }).waitFor();
    await page.keyboard.press("Escape");
    await question.waitFor({ state: "detached" });
    assert.equal(await page.getByLabel("Name").inputValue(), "Website");
  }
  await page.keyboard.press("Escape");
  await area.inspect("close-changed");
  await question.getByRole("button", { name: "Close" }).last().click();
  await form.waitFor({ state: "detached" });
  await page.locator("button:focus", { hasText: "Create the first key" }).waitFor();
});

test("the form refuses invisible characters at once, and an error goes when the name is corrected", async () => {
  const page = await area.openSignedIn();
  await begin(page, "Web\u200bsite");
  await page.getByText("Must not contain invisible characters.").waitFor();
  await area.inspect("invisible-name");
  await page.getByLabel("Name").fill("Website");
  await page.getByText("Must not contain invisible characters.").waitFor({ state: "detached" });
  await page.getByLabel("Name").fill("");
  assert.equal(await page.locator("input[aria-invalid=true]").count(), 0, "an empty form is no mistake yet");
  await submit(page).click();
  await page.getByText("Give the key a name.").waitFor();
  await page.getByLabel("Name").fill("Box \u00a0 office ❤️");
  await page.getByText("Give the key a name.").waitFor({ state: "detached" });
  await submit(page).click();
  await page.getByText("Store this key now").waitFor();
  assert.equal(area.stage.api.keys[0]?.name, "Box office ❤️");
});

test("a restart of the service while a key is created and while its secret is shown loses nothing", async () => {
  area.stage.api.keys.push(stagedKey({ name: "Other" }));
  const page = await area.openSignedInWithClock();
  await begin(page, "Website");
  await page.getByRole("dialog").getByText("write:orders").click();
  await page.route("**/admin/**", (route) => route.abort("connectionrefused"));
  await submit(page).click();
  await page.getByText("The service did not respond. Check your connection").waitFor();
  await page.unroute("**/admin/**");
  area.stage.intercept = () => problem(503, "Starting.");
  await submit(page).click();
  await page.getByText("Starting.").first().waitFor();
  assert.equal(await page.getByLabel("Name").inputValue(), "Website");
  area.stage.intercept = undefined;
  await submit(page).click();
  const secret = await secretOn(page);
  assert.deepEqual(area.stage.api.keys[0]?.scopes, ["read", "write:orders"]);
  area.stage.intercept = () => problem(503, "Starting.");
  await page.clock.runFor(40_000);
  assert.equal(await secretOn(page), secret);
  area.stage.intercept = undefined;
  await page.getByLabel("I have stored it").check();
  await page.getByRole("button", { name: "Done" }).click();
  await page.getByText("Key “Website” is created and active.").waitFor();
});
