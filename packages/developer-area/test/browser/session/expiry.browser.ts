import assert from "node:assert/strict";
import { test } from "@jest/globals";
import type { Page } from "playwright-core";
import { problem, type StagedRequest, stagedKey } from "../support/adminApi.ts";
import { ada } from "../support/developerAreaStage.ts";
import { DeveloperAreaTests } from "../support/developerAreaTests.ts";
import { secretOn, signInInSecondWindow } from "../support/openDeveloperArea.ts";

const area = new DeveloperAreaTests();

/** Makes the API reject the page's token, in some requests: others on their way would end the session too early. */
function expireSession(isRejected: (request: StagedRequest) => boolean): void {
  area.stage.intercept = (request) => (isRejected(request) ? problem(401, "Sign in again.") : undefined);
}

const isCreation = ({ method }: StagedRequest) => method === "POST";

async function signInAgain(page: Page): Promise<void> {
  area.stage.intercept = undefined;
  await signInInSecondWindow(page);
}

test("a form keeps its input while the person signs in again in a second window", async () => {
  area.stage.api.keys.push(stagedKey({ name: "Website" }));
  const page = await area.openSignedIn();
  await page.getByRole("button", { name: "Create key" }).click();
  await page.getByLabel("Name").fill("Second");
  expireSession(isCreation);
  const submit = page.getByRole("button", { name: "Create key" }).last();
  await submit.click();
  await page.getByText("Your session has expired").waitFor();
  await page.keyboard.press("Escape");
  const dialog = page.getByRole("dialog", { name: "Your session has expired" });
  assert.equal(await dialog.getByRole("button", { name: "Close" }).count(), 0);
  await signInAgain(page);
  await page.getByText("Your session has expired").waitFor({ state: "detached" });
  assert.equal(await page.getByLabel("Name").inputValue(), "Second");
  await submit.click();
  await page.getByText("Store this key now").waitFor();
  assert.equal(await page.evaluate("JSON.stringify({ ...sessionStorage })"), "{}");
});

test("a secret on the screen stays when the session expires", async () => {
  const page = await area.openSignedInWithClock();
  await page.getByRole("button", { name: "Create the first key" }).click();
  await page.getByLabel("Name").fill("Website");
  await page.getByRole("button", { name: "Create key" }).click();
  const secret = await secretOn(page);
  expireSession(() => true);
  await page.clock.runFor(20_000);
  await page.getByText("Your session has expired").waitFor();
  await signInAgain(page);
  await page.getByText("Your session has expired").waitFor({ state: "detached" });
  assert.equal(await secretOn(page), secret);
});

test("another person cannot continue an expired session", async () => {
  const page = await area.openSignedIn();
  await page.getByRole("button", { name: "Create the first key" }).click();
  await page.getByLabel("Name").fill("Typed");
  expireSession(isCreation);
  await page.getByRole("dialog").getByRole("button", { name: "Create key" }).click();
  await page.getByText("Your session has expired").waitFor();
  const { script } = area.stage.provider;
  script.person = { subject: "eve", email: "eve@example.org", organisationId: "2" };
  await signInAgain(page);
  await page.getByText("You signed in as eve@example.org. To continue here, sign in as ada@example.org.").waitFor();
  const again = area.stage.provider.requests().findLast(({ pathname }) => pathname === "/authorize");
  assert.equal(again?.searchParams.get("prompt"), "login");
  assert.equal(again?.searchParams.get("login_hint"), "ada@example.org");
  assert.ok(area.stage.requests.every(({ actor }) => actor === "ada@example.org"));
  script.person = ada;
  await signInAgain(page);
  await page.getByText("Your session has expired").waitFor({ state: "detached" });
  assert.equal(await page.getByLabel("Name").inputValue(), "Typed");
});

test("signing out of an expired session asks before it loses what was typed", async () => {
  const page = await area.openSignedIn();
  await page.getByRole("button", { name: "Create the first key" }).click();
  await page.getByLabel("Name").fill("Typed");
  expireSession(isCreation);
  await page.getByRole("dialog").getByRole("button", { name: "Create key" }).click();
  const signOut = page.getByRole("button", { name: "Sign out instead" });
  await signOut.click();
  const question = page.getByRole("dialog", { name: "Sign out without finishing?" });
  await question.getByText("What you entered is not saved.").waitFor();
  await page.keyboard.press("Escape");
  await question.waitFor({ state: "detached" });
  assert.equal(await page.getByLabel("Name").inputValue(), "Typed");
  await signOut.click();
  await question.getByRole("button", { name: "Sign out" }).click();
  await page.getByRole("button", { name: "Sign in" }).waitFor();
});

test("signing out of an expired session asks before it loses a secret", async () => {
  const page = await area.openSignedInWithClock();
  await page.getByRole("button", { name: "Create the first key" }).click();
  await page.getByLabel("Name").fill("Website");
  await page.getByRole("button", { name: "Create key" }).click();
  const secret = await secretOn(page);
  expireSession(() => true);
  await page.clock.runFor(20_000);
  await page.getByRole("button", { name: "Sign out instead" }).click();
  await page.getByText("You have not stored the secret of “Website” yet").waitFor();
  await page.getByRole("button", { name: "Go back" }).click();
  assert.equal(await secretOn(page), secret);
});

test("signing out of an expired session without anything to lose does not ask", async () => {
  const page = await area.openSignedIn();
  expireSession(({ path }) => path.endsWith("-activity"));
  await page.getByRole("tab", { name: "Activity" }).click();
  await page.getByRole("button", { name: "Sign out instead" }).click();
  await page.getByRole("button", { name: "Sign in" }).waitFor();
});
