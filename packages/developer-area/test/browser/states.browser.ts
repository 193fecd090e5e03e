import assert from "node:assert/strict";
import { test } from "@jest/globals";
import { until } from "../../../../test/support/service/until.ts";
import { problem, stagedKey } from "./support/adminApi.ts";
import { DeveloperAreaTests } from "./support/developerAreaTests.ts";

const area = new DeveloperAreaTests();

const keysPath = "/admin/api-keys";

/** Excludes the requests for the number on the webhooks tab. */
const requestsOfKeys = () => area.stage.requests.filter(({ path }) => path === keysPath).length;

test("an error is shown with its request id, and can be retried", async () => {
  area.stage.intercept = () => problem(500, "Something went wrong.");
  const page = await area.openSignedIn();
  await page.getByText("request-4711").waitFor();
  assert.equal(requestsOfKeys(), 1, "a 500 is not retried");
  area.stage.intercept = undefined;
  await page.getByRole("button", { name: "Retry" }).click();
  await page.getByText("There are no API keys yet").waitFor();
});

test("503 and 429 are retried after a short Retry-After, and not after a long one", async () => {
  const answers = [
    problem(503, "Busy.", { headers: { "Retry-After": "0" } }),
    problem(429, "Slow down.", { headers: { "Retry-After": "0" } }),
  ];
  area.stage.intercept = ({ path }) => (path === keysPath ? answers.shift() : undefined);
  const page = await area.openSignedIn();
  await page.getByText("There are no API keys yet").waitFor();
  assert.equal(requestsOfKeys(), 3);

  area.stage.intercept = () => problem(503, "Closed for an hour.", { headers: { "Retry-After": "3600" } });
  await page.reload();
  await page.getByText("Closed for an hour.").waitFor();
  assert.equal(requestsOfKeys(), 4);
});

test("if the list cannot be updated, the page keeps showing the known keys", async () => {
  area.stage.api.keys.push(stagedKey({ name: "Website" }));
  const page = await area.openSignedIn();
  await page.getByRole("rowheader").waitFor();
  area.stage.intercept = ({ method }) => (method === "GET" ? problem(500, "Something went wrong.") : undefined);
  await page.getByRole("button", { name: "Create key" }).click();
  await page.getByLabel("Name").fill("Second");
  await page.getByRole("dialog").getByRole("button", { name: "Create key" }).click();
  await page.getByLabel("I have stored it").check();
  await page.getByRole("button", { name: "Done" }).click();
  await page.getByText("The list could not be refreshed").waitFor();
  assert.match((await page.getByRole("rowheader").allTextContents()).join(), /^Secondtsk_.*Websitetsk_/);
});

test("a person who is not a super-admin sees their name and the reason, and can sign out", async () => {
  area.stage.provider.script.person = { subject: "sam", email: "sam@example.org", organisationId: "1842" };
  area.stage.intercept = () => problem(403, "Super-admins only.");
  const page = await area.openSignedIn();
  await page.getByText("You cannot manage API keys").waitFor();
  const alert = page.getByRole("alert");
  assert.match((await alert.textContent()) ?? "", /sam@example\.org.*super-admins of Organisation 1842/);
  await alert.getByRole("button", { name: "Sign out" }).click();
  await page.getByRole("button", { name: "Sign in" }).waitFor();
});

test("offline, a banner says so, input is kept, and nothing is sent later by itself", async () => {
  const page = await area.openSignedIn();
  await page.getByRole("button", { name: "Create the first key" }).click();
  await page.getByLabel("Name").fill("Website");
  await area.opened.context.setOffline(true);
  await page.getByText("You are offline. This page may be out of date").waitFor();
  const submit = page.getByRole("dialog").getByRole("button", { name: "Create key" });
  await submit.click();
  await page.getByText("You are offline. Nothing was sent").waitFor();
  await area.opened.context.setOffline(false);
  await page.getByText("You are offline. This page may be out of date").waitFor({ state: "detached" });
  assert.equal(await page.getByLabel("Name").inputValue(), "Website");
  assert.equal(area.stage.api.keys.length, 0);
  await submit.click();
  await page.getByText("Store this key now").waitFor();
});

test("the quick start has this deployment's addresses", async () => {
  const page = await area.openSignedIn("#quick-start");
  await page.getByRole("textbox", { name: "First request" }).waitFor();
  const { origin } = area.stage;
  const handOut = await page.getByLabel("Message to an integrator").inputValue();
  for (const line of [`Base URL: ${origin}\n`, `" ${origin}/v1/key\n`]) assert.ok(handOut.includes(line), line);
  assert.equal(await page.getByLabel("Base URL").inputValue(), origin);
  assert.equal(await page.getByLabel("For an AI assistant").inputValue(), `${origin}/mcp`);
  const guide = page.getByRole("link", { name: /^how to connect it/ });
  assert.equal(await guide.getAttribute("href"), "/docs#description/assistants");
  await page.getByText("Give other systems access to your organisation's ticketing data.").waitFor();
});

test("on a phone the navigation and the account are behind a menu button", async () => {
  const page = await area.openSignedIn();
  await page.setViewportSize({ width: 360, height: 740 });
  const signOut = page.getByRole("button", { name: "Sign out" });
  await signOut.waitFor({ state: "hidden" });
  await page.getByRole("button", { name: "Menu" }).click();
  await signOut.waitFor();
  await page.getByRole("link", { name: "API reference" }).waitFor();
});

test("the colours follow the system until the person chooses a mode", async () => {
  const page = await area.open();
  const scheme = () => page.locator("html").getAttribute("data-mantine-color-scheme");
  await page.emulateMedia({ colorScheme: "dark" });
  await page.locator("html[data-mantine-color-scheme=dark]").waitFor();
  await page.getByTitle("Light").click();
  assert.equal(await scheme(), "light");
  await page.reload();
  await page.getByRole("button", { name: "Sign in" }).waitFor();
  assert.equal(await scheme(), "light");
});

test("the title names what is open, and nothing after signing out", async () => {
  // So that the page is not reloaded.
  area.stage.provider.script.endsSessions = false;
  const key = stagedKey({ name: "Nightly sync" });
  area.stage.api.keys.push(key);
  const page = await area.openSignedIn();
  const title = (name: string) => until(async () => (await page.title()) === `${name} · Developer area · Ticketing`);
  await title("Keys");
  await page.getByRole("tab", { name: "Activity" }).click();
  await title("Activity");
  await page.getByRole("tab", { name: "Quick start" }).click();
  await title("Quick start");
  await page.goto(`${area.stage.origin}/developer#key/${key.id}`);
  await title("Nightly sync");
  await page.getByRole("button", { name: "Sign out" }).click();
  await until(async () => (await page.title()) === "Developer area · Ticketing");
});
