import assert from "node:assert/strict";
import { test } from "@jest/globals";
import type { Page } from "playwright-core";
import { problem, type StagedRequest } from "../support/adminApi.ts";
import { ada } from "../support/developerAreaStage.ts";
import { DeveloperAreaTests } from "../support/developerAreaTests.ts";
import { secretOn, signInInSecondWindow } from "../support/openDeveloperArea.ts";

const area = new DeveloperAreaTests();

/** Makes the API reject the page's token in some requests; concurrent ones would end the session too early. */
function expireSession(isRejected: (request: StagedRequest) => boolean): void {
  area.stage.intercept = (request) => (isRejected(request) ? problem(401, "Sign in again.") : undefined);
}

const isCreation = ({ method }: StagedRequest) => method === "POST";

async function signInAgain(page: Page): Promise<void> {
  area.stage.intercept = undefined;
  await signInInSecondWindow(page);
}

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

test("a secret survives an expired session, unless the person insists on signing out", async () => {
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
  await signInAgain(page);
  await page.getByText("Your session has expired").waitFor({ state: "detached" });
  assert.equal(await secretOn(page), secret);
});

test("signing out of an expired session without anything to lose does not ask", async () => {
  const page = await area.openSignedIn();
  expireSession(({ path }) => path.endsWith("-activity"));
  await page.getByRole("tab", { name: "Activity" }).click();
  await page.getByRole("button", { name: "Sign out instead" }).click();
  await page.getByRole("button", { name: "Sign in" }).waitFor();
});
