import assert from "node:assert/strict";
import { test } from "@jest/globals";
import { until } from "../../../../test/support/service/until.ts";
import { minutesAgo, problem, stagedActivity, stagedKey } from "./support/adminApi.ts";
import { ada } from "./support/developerAreaStage.ts";
import { DeveloperAreaTests } from "./support/developerAreaTests.ts";

const area = new DeveloperAreaTests();
const dayMinutes = 24 * 60;

test("the page says that the keys are loading", async () => {
  const answered = Promise.withResolvers<undefined>();
  area.stage.intercept = () => answered.promise;
  const page = await area.openSignedIn();
  await page.locator("[aria-busy=true]").waitFor();
  await area.inspect("loading");
  answered.resolve(undefined);
  await page.getByText("There are no API keys yet").waitFor();
});

test("without keys, the page offers to create the first", async () => {
  const page = await area.openSignedIn();
  await page.getByRole("button", { name: "Create the first key" }).waitFor();
  await area.inspect("empty");
});

test("many keys, from several pages, are shown newest first and can be sorted and filtered", async () => {
  for (let number = 1; number <= 250; number++) {
    const revoked = number % 5 === 0 && { status: "revoked" as const, revoked: minutesAgo(5.4), revoked_by: ada.email };
    area.stage.api.keys.push(
      stagedKey({
        name: `Key ${number}`,
        created: minutesAgo(number),
        last_used: number % 2 ? minutesAgo(500 - number) : null,
        ...revoked,
      }),
    );
  }
  const page = await area.openSignedIn();
  const names = page.locator(".keys tbody th > div:first-child");
  await names.first().waitFor();
  assert.equal(await names.first().textContent(), "Key 1");
  const header = (name: string) => page.getByRole("columnheader", { name });
  assert.equal(await header("Created").getAttribute("aria-sort"), "descending");

  await header("Last used").getByRole("button").click();
  assert.equal(await names.first().textContent(), "Key 249");
  assert.equal(await header("Last used").getAttribute("aria-sort"), "descending");
  assert.equal(await header("Created").getAttribute("aria-sort"), "none");
  await header("Name").getByRole("button").click();
  assert.deepEqual((await names.allTextContents()).slice(7, 9), ["Key 9", "Key 11"]);

  await page.getByText("Revoked 50", { exact: true }).click();
  await page.getByText("50 keys", { exact: true }).waitFor();
  await page.getByText("All 250", { exact: true }).click();
  await page.getByText("1–50 of 250 keys").waitFor();
  const created = page.getByRole("row", { name: "Key 3 " }).locator("time").first();
  assert.equal(await created.textContent(), "3 minutes ago");
  assert.match((await created.getAttribute("title")) ?? "", /\d{4} at \d\d:\d\d:\d\d/);
});

test("keys with every status and with awkward names fit the table", async () => {
  area.stage.api.keys.push(
    stagedKey({
      name: "Website",
      last_used: minutesAgo(3),
      scopes: ["read", "write:orders", "write:balance_payments"],
    }),
    stagedKey({
      name: `${"x".repeat(90)} <b>ü</b>`,
      last_used: minutesAgo(3 * dayMinutes),
      created_by: `${"ada".repeat(20)}@example.org`,
    }),
    stagedKey({ name: "Newsletter", status: "revoked", revoked: minutesAgo(90), revoked_by: "grace@example.org" }),
  );
  const page = await area.openSignedIn();
  await page.getByText("All 3", { exact: true }).click();
  await area.inspect("keys");
});

const keysPath = "/admin/api-keys";

/** Without those for the number on the tab of webhooks. */
const requestsOfKeys = () => area.stage.requests.filter(({ path }) => path === keysPath).length;

test("an error is shown with its request id, and can be retried", async () => {
  area.stage.intercept = () => problem(500, "Something went wrong.");
  const page = await area.openSignedIn();
  await page.getByText("request-4711").waitFor();
  assert.equal(requestsOfKeys(), 1, "a 500 is not retried");
  await area.inspect("error");
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
  await page.getByText("You may not manage API keys").waitFor();
  const alert = page.getByRole("alert");
  assert.match((await alert.textContent()) ?? "", /sam@example\.org.*super-admins of Organisation 1842/);
  await area.inspect("not-allowed");
  await alert.getByRole("button", { name: "Sign out" }).click();
  await page.getByRole("button", { name: "Sign in" }).waitFor();
});

test("offline, a banner says so, input is kept, and nothing is sent later by itself", async () => {
  const page = await area.openSignedIn();
  await page.getByRole("button", { name: "Create the first key" }).click();
  await page.getByLabel("Name").fill("Website");
  await area.opened.context.setOffline(true);
  await page.getByText("You are offline. What you see may be out of date").waitFor();
  const submit = page.getByRole("dialog").getByRole("button", { name: "Create key" });
  await submit.click();
  await page.getByText("You are offline. Nothing was sent").waitFor();
  await area.inspect("offline");
  await area.opened.context.setOffline(false);
  await page.getByText("You are offline. What you see may be out of date").waitFor({ state: "detached" });
  assert.equal(await page.getByLabel("Name").inputValue(), "Website");
  assert.equal(area.stage.api.keys.length, 0);
  await submit.click();
  await page.getByText("Store this key now").waitFor();
});

test("activity shows who did what to which key, with more entries on demand", async () => {
  for (let number = 60; number > 0; number--) {
    area.stage.api.activity.push(
      stagedActivity({
        action: number % 2 ? "created" : "revoked",
        time: minutesAgo(70 - number),
        key_id: String(number),
        key_name: `Key ${number}`,
        key_prefix: "tsk_4fQ9wLxT",
      }),
    );
  }
  const page = await area.openSignedIn("#activity");
  const entries = page.locator("main li");
  await entries.first().waitFor();
  assert.match(
    (await entries.first().textContent()) ?? "",
    /ada@example\.org revoked Key 60 tsk_4fQ9wLxT\s*10 minutes ago/,
  );
  assert.equal(await entries.count(), 50);
  await page.getByRole("button", { name: "Show more" }).click();
  await page.getByText("All 60 entries").waitFor();
  assert.equal(await entries.count(), 60);
  await area.inspect("activity");
});

test("the quick start has this deployment's addresses, and the base URL is what paths with /v1 follow", async () => {
  const page = await area.openSignedIn("#quick-start");
  await page.getByRole("textbox", { name: "First request" }).waitFor();
  const { origin } = area.stage;
  const handOut = await page.getByLabel("Everything, to send to an integrator").inputValue();
  for (const line of [`Base URL: ${origin}\n`, `" ${origin}/v1/key\n`]) assert.ok(handOut.includes(line), line);
  assert.equal(await page.getByLabel("Base URL").inputValue(), origin);
  assert.equal(await page.getByLabel("For an AI assistant").inputValue(), `${origin}/mcp`);
  const guide = page.getByRole("link", { name: /^how to connect it/ });
  assert.equal(await guide.getAttribute("href"), "/docs#description/assistants");
  await page.getByText("Let other systems read and receive your organisation's ticketing data, and record").waitFor();
  await area.inspect("quick-start");
});

test("on a phone the navigation and the account are behind a menu button", async () => {
  const page = await area.openSignedIn();
  await page.setViewportSize({ width: 360, height: 740 });
  const signOut = page.getByRole("button", { name: "Sign out" });
  await signOut.waitFor({ state: "hidden" });
  await page.getByRole("button", { name: "Menu" }).click();
  await signOut.waitFor();
  await page.getByRole("link", { name: "API reference" }).waitFor();
  await area.inspect("menu");
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
  // Then the page is not loaded anew.
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

test("a message behind the dialog of an expired session is the page's own", async () => {
  area.stage.api.keys.push(stagedKey({ name: "Website" }));
  const page = await area.openSignedInWithClock();
  area.stage.intercept = () => problem(401, "The token is not valid.");
  await page.clock.runFor(20_000);
  await page.getByText("This was not done, because the session has expired.").waitFor();
  assert.equal(await page.getByText("The token is not valid.").count(), 0);
});

test("printed, the page has neither navigation nor buttons, but headings, and says whose it is and when it was printed", async () => {
  area.stage.api.keys.push(stagedKey({ name: "Website" }));
  const page = await area.openSignedIn();
  await page.getByRole("rowheader").waitFor();
  await page.emulateMedia({ media: "print" });
  const shown = await page.evaluate<string[]>(
    "[...document.querySelectorAll('header, nav, button:not(.sort), input, select')].filter((one) => one.checkVisibility()).map((one) => one.outerHTML)",
  );
  assert.deepEqual(shown, []);
  await page.getByRole("rowheader", { name: "Website" }).waitFor();
  // The width of A4.
  await page.setViewportSize({ width: 718, height: 1000 });
  await page.waitForFunction("innerWidth === 718");
  for (const name of ["Name", "Scopes", "Created", "Last used", "Status"]) {
    const heading = page.getByRole("columnheader", { name, exact: true });
    assert.ok(((await heading.boundingBox())?.height ?? 0) > 10, name);
    assert.ok((await heading.innerText()).includes(name));
  }
  assert.ok((await page.evaluate<number>("document.documentElement.scrollWidth")) <= 718);
  assert.match(
    await page.getByRole("main").innerText(),
    /^Organisation 1842, printed on \d+ \w+ \d{4},? .*\d\d:\d\d \S+ by ada@example\.org/,
  );
  await page.emulateMedia({ media: "screen" });
  assert.equal(await page.getByText("printed on").isVisible(), false);
});

test("on paper, dark colours are light, and nothing is left of the filters", async () => {
  area.stage.api.activity.push(stagedActivity({ action: "created", time: minutesAgo(5), key_name: "Website" }));
  const page = await area.openSignedIn("#activity");
  await page.getByText("1 entry.").waitFor();
  await page.emulateMedia({ media: "print", colorScheme: "light" });
  const [light, text] = [await printed(), await page.getByRole("main").innerText()];
  await page.emulateMedia({ media: "screen", colorScheme: "dark" });
  const dark = page.locator("html[data-mantine-color-scheme=dark]");
  await dark.waitFor();
  await page.emulateMedia({ media: "print" });
  assert.ok((await printed()).equals(light));
  assert.match(text, /payments and notes\.\s+Activity\s+ada@example\.org created/);
  await page.emulateMedia({ media: "screen" });
  await dark.waitFor();

  function printed(): Promise<Buffer> {
    return page.screenshot({ animations: "disabled" });
  }
});

test("a placeholder can be seen while rows are loading", async () => {
  const answered = Promise.withResolvers<undefined>();
  area.stage.intercept = () => answered.promise;
  const page = await area.openSignedIn();
  await page.locator(".mantine-Skeleton-root").first().waitFor();
  const colours = await page.evaluate<string[]>(`[
    getComputedStyle(document.querySelector(".mantine-Skeleton-root"), "::after").backgroundColor,
    getComputedStyle(document.body).backgroundColor,
  ]`);
  const brightness = colours.map((colour) => {
    const numbers = (colour.match(/[\d.]+/g) ?? []).slice(0, 3).map(Number);
    return numbers.reduce((sum, number) => sum + number, 0) * (colour.startsWith("color(") ? 255 : 1);
  });
  assert.ok(Math.abs((brightness[0] ?? 0) - (brightness[1] ?? 0)) > 90, colours.join(" "));
  answered.resolve(undefined);
});

test("with reduced motion, nothing is animated", async () => {
  area.stage.api.keys.push(stagedKey({ name: "Website" }));
  const page = await area.openSignedIn();
  await page.getByRole("row", { name: /Website/ }).waitFor();
  const animated = await page.evaluate<string[]>(`[...document.querySelectorAll("body *")].filter((element) => {
    const { transitionDuration, animationName } = getComputedStyle(element);
    return transitionDuration !== "0s" || animationName !== "none";
  }).map(({ outerHTML }) => outerHTML)`);
  assert.deepEqual(animated, []);
});
