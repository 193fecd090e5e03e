import assert from "node:assert/strict";
import { test } from "@jest/globals";
import { ada } from "../support/developerAreaStage.ts";
import { DeveloperAreaTests } from "../support/developerAreaTests.ts";
import { signIn } from "../support/openDeveloperArea.ts";

const area = new DeveloperAreaTests();

test("signing in leaves no code, state or token in the address, the history or the storage", async () => {
  const page = await area.openSignedIn("#activity");
  await page.getByRole("heading", { name: "Activity" }).waitFor();
  assert.equal(page.url(), `${area.stage.origin}/developer#activity`);
  const kept = await page.evaluate<string>(
    "JSON.stringify([{ ...sessionStorage }, { ...localStorage }, document.cookie])",
  );
  assert.equal(kept, JSON.stringify([{}, {}, ""]));
  await page.goBack();
  assert.doesNotMatch(page.url(), /code=|state=/);
});

test("signing in stores only what ties the provider's response to the request", async () => {
  const page = await area.open();
  await page.getByRole("button", { name: "Sign in" }).waitFor();
  const kept: string[] = [];
  page.on("console", (message) => void (message.type() === "debug" && kept.push(message.text())));
  await page.evaluate(`
    const { setItem } = Storage.prototype;
    Storage.prototype.setItem = function (key, value) {
      console.debug(this === sessionStorage ? "session" : "local", key);
      setItem.call(this, key, value);
    };
  `);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("heading", { name: "API keys" }).waitFor();
  assert.equal(kept.length, 1);
  assert.match(kept[0] ?? "", /^session sign-in\.[0-9a-f]+$/);
});

test("a reload signs in without a click, and shows the same page", async () => {
  const page = await area.openSignedIn("#activity");
  await page.reload();
  await page.getByRole("heading", { name: "Activity" }).waitFor();
  assert.equal(page.url(), `${area.stage.origin}/developer#activity`);
  await page.getByRole("tab", { name: "Keys" }).click();
  await page.reload();
  await page.getByRole("heading", { name: "API keys" }).waitFor();
  await page.evaluate("void setTimeout(() => history.back())");
  await page.getByRole("heading", { name: "Activity" }).waitFor();
  const silent = area.stage.provider.requests().filter(({ searchParams }) => searchParams.get("prompt") === "none");
  assert.equal(silent.length, 4, "the first load, two reloads, and the load after Back");
});

test("without a session at the provider, the page asks to sign in", async () => {
  const page = await area.open("/developer#activity");
  await page.getByRole("button", { name: "Sign in" }).waitFor();
  assert.equal(page.url(), `${area.stage.origin}/developer#activity`);
  await page.route(`${area.stage.provider.issuer}/**`, (route) => route.abort("connectionrefused"));
  await page.reload();
  const button = page.getByRole("button", { name: "Sign in" });
  await button.waitFor();
  assert.equal(await page.getByRole("alert").count(), 0);
  await button.click();
  await page.getByText("The sign-in service does not respond.").waitFor();
});

test("after signing out, a reload does not sign in again, even if the provider keeps its session", async () => {
  area.stage.provider.script.endsSessions = false;
  const page = await area.openSignedIn();
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByRole("button", { name: "Sign in" }).waitFor();
  await page.reload();
  await page.getByRole("button", { name: "Sign in" }).waitFor();
  assert.equal(area.stage.provider.count("/authorize"), 1);
  await signIn(page);
  await page.reload();
  await page.getByRole("heading", { name: "API keys" }).waitFor();
});

test("the page shows the provider's refusal, and sign-in can be retried", async () => {
  area.stage.provider.script.refusal = { error: "access_denied", error_description: "You did not agree" };
  const page = await area.open();
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByText("The sign-in service did not let you in: You did not agree.").waitFor();
  assert.equal(page.url(), `${area.stage.origin}/developer`);
  area.stage.provider.script.refusal = null;
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByRole("heading", { name: "API keys" }).waitFor();
});

test("a sign-in response that this browser did not request is ignored", async () => {
  const page = await area.open("/developer?code=stolen&state=unknown");
  await page.getByText("This sign-in has expired or was already used. Sign in again.").waitFor();
  await page.getByRole("button", { name: "Try again" }).waitFor();
  assert.equal(page.url(), `${area.stage.origin}/developer`);
  assert.equal(area.stage.requests.length, 0);
});

test("the header names the organisation, or its id if the provider gives no name", async () => {
  const page = await area.openSignedIn();
  await page.getByText("Organisation 1842", { exact: true }).waitFor();
  area.stage.provider.script.person = { ...ada, organisationName: "New York Philharmonic" };
  await page.reload();
  await page.getByRole("banner").getByText("New York Philharmonic", { exact: true }).waitFor();
  assert.equal(await page.getByText("Organisation 1842").count(), 0);
});

test("signing out ends the provider's session, without a token in the address", async () => {
  const page = await area.openSignedIn();
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByRole("button", { name: "Sign in" }).waitFor();
  const ended = area.stage.provider.requests().find(({ pathname }) => pathname === "/end-session");
  assert.deepEqual(Object.fromEntries(ended?.searchParams ?? []), {
    client_id: area.stage.provider.clientId,
    post_logout_redirect_uri: `${area.stage.origin}/developer`,
  });
});

test("the token is renewed before it expires, once for simultaneous requests", async () => {
  area.stage.provider.script.givesRefreshTokens = true;
  area.stage.provider.script.tokenLifetimeSeconds = 50;
  const page = await area.openSignedIn("#activity");
  await page.getByText("No activity yet.").waitFor();
  assert.equal(area.stage.provider.count("/token"), 2);
  area.stage.provider.script.tokenLifetimeSeconds = 3600;
  await page.getByRole("tab", { name: "Keys" }).click();
  await page.getByText("There are no API keys yet").waitFor();
  await page.getByRole("tab", { name: "Activity" }).click();
  await page.getByText("No activity yet.").waitFor();
  assert.ok(area.stage.requests.length >= 2);
  assert.ok(area.stage.requests.every(({ actor }) => actor === ada.email));
});
