import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, test } from "@jest/globals";
import type { Browser, Locator, Page } from "playwright-core";
import { endpoints } from "../../../functions/endpoints/index.ts";
import { referenceSite } from "../../../lib/website/sites.ts";
import type { Service } from "../../../local/serve.ts";
import { startService } from "../../../local/service.ts";
import { cases } from "../../../test/support/jest/cases.ts";
import { until } from "../../../test/support/service/until.ts";
import { temporaryDirectory } from "../../../test/support/temporaryDirectory.ts";
import { launchChromium } from "../../developer-area/test/browser/support/chromium.ts";
import { accessibilityFindings } from "../../developer-area/test/browser/support/inspections.ts";
import { guideFiles } from "../guides.ts";

const screenshots = join(import.meta.dirname, "screenshots");

let service: Service;
let browser: Browser;
const home = process.cwd();

beforeAll(async () => {
  // The service writes its description into the current directory.
  process.chdir(temporaryDirectory());
  service = await startService({ port: 0, dynamoDbEndpoint: process.env.TEST_DYNAMODB_ENDPOINT });
  browser = await launchChromium();
});
afterAll(async () => {
  await browser?.close();
  await service?.stop();
  process.chdir(home);
});

test("“Try it” sends a request with a key that leaves no trace", async () => {
  const { page, complaints } = await open(browser, service, "light");
  const form = await tryIt(page, "getKey");
  await form.getByLabel("API key").fill(demoKey());
  const [response] = await Promise.all([
    page.waitForResponse(`${service.description.base_url}/v1/key`),
    form.getByRole("button", { name: "Send GET /v1/key" }).dblclick(),
  ]);
  assert.equal(response.status(), 200);
  await form.getByText("200 OK").waitFor();
  await form.getByText(`"${demoKey().slice(0, 12)}"`).waitFor();
  assert.deepEqual(await accessibilityFindings(page, "#getKey"), []);

  assert.deepEqual(complaints, []);
  const elsewhere = page.locator("#updateOrder form").getByLabel("API key");
  assert.equal(await elsewhere.inputValue(), demoKey(), "the key is in every form that takes one");
  assert.equal(await page.locator("#createWebhook form").getByLabel("ID token").inputValue(), "");
  assert.doesNotMatch((await stored(page)) + page.url(), new RegExp(demoKey()));
  await page.reload();
  assert.equal(await elsewhere.inputValue(), "");
  await page.close();
});

function demoKey(): string {
  return service.description.organisations[0]?.keys[0]?.key ?? assert.fail("The service has no demo key.");
}

/** Opens the form of an operation. */
async function tryIt(page: Page, operationId: string): Promise<Locator> {
  await page.goto(`${page.url().split("#")[0]}#${operationId}`);
  await page.getByText(`Try it: ${operationId}`, { exact: true }).click();
  return page.locator(`#${operationId} form`);
}

test("a request is sent as entered, and an error or a lost connection is shown", async () => {
  const { page } = await open(browser, service, "light");
  const requests: { url: string; method: string; headers: Record<string, string>; body: string | null }[] = [];
  await page.route("**/{v1,admin}/**", async (route) => {
    const request = route.request();
    requests.push({
      url: request.url(),
      method: request.method(),
      headers: request.headers(),
      body: request.postData(),
    });
    await (requests.length === 1 ? route.fulfill({ status: 404, body: "<p>Not JSON</p>" }) : route.abort());
  });
  const form = await tryIt(page, "updateOrder");
  await form.getByRole("button", { name: /^Send PATCH/ }).click();
  assert.equal(requests.length, 0, "the browser asks for the required id");
  await form.getByLabel("id", { exact: true }).fill("a/b c");
  await form.getByLabel("If-Match (optional)").fill('"tag"');
  await form.getByLabel("Body").fill('{"admin_note":"ä"}');
  await form.getByRole("button", { name: /^Send PATCH/ }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Send it" }).click();
  await form.getByText("<p>Not JSON</p>").waitFor();
  const list = await tryIt(page, "listDates");
  await list.getByLabel("per_page (optional)").fill("5");
  await list.getByLabel("from (optional)").fill("2026-01-01T00:00:00+01:00");
  await list.getByRole("button", { name: "Send GET /v1/dates" }).click();
  await list.getByText(/^No response: /).waitFor();
  const [patch, get] = requests;
  const { base_url } = service.description;
  assert.deepEqual(
    [patch?.method, patch?.url, patch?.body],
    ["PATCH", `${base_url}/v1/orders/a%2Fb%20c`, '{"admin_note":"ä"}'],
  );
  assert.deepEqual([patch?.headers["if-match"], patch?.headers["content-type"]], ['"tag"', "application/json"]);
  assert.equal(patch?.headers.authorization, undefined);
  assert.equal(get?.url, `${base_url}/v1/dates?per_page=5&from=2026-01-01T00%3A00%3A00%2B01%3A00`);
  await page.close();
});

test("a write is sent only after a warning that it changes real data", async () => {
  const { page } = await open(browser, service, "dark");
  const methods: string[] = [];
  await page.route("**/{v1,admin}/**", async (route) => {
    methods.push(route.request().method());
    await route.fulfill({ status: 200, body: "{}" });
  });
  const dialog = page.getByRole("dialog", { name: "Change real data?" });
  for (const [operationId, method] of [
    ["recordBalancePayment", "POST"],
    ["updateOrder", "PATCH"],
    ["deleteWebhook", "DELETE"],
  ] as const) {
    const form = await tryIt(page, operationId);
    await form.getByLabel("id", { exact: true }).fill("7");
    const button = form.getByRole("button", { name: `Send ${method}` });
    await button.click();
    await dialog.getByText(`${method} ${service.description.base_url}/`).waitFor();
    if (method === "PATCH") assert.deepEqual(await accessibilityFindings(page, "dialog"), []);
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await dialog.waitFor({ state: "hidden" });
    await button.click();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "hidden" });
    assert.ok(!methods.includes(method), `${method} was sent without consent`);
    await button.click();
    await dialog.getByRole("button", { name: "Send it" }).click();
    await form.getByText("200").waitFor();
  }
  assert.deepEqual(methods, ["POST", "PATCH", "DELETE"]);
  await page.close();
});

test("a sample can be copied, and its language is chosen for all operations and guides", async () => {
  const { page } = await open(browser, service, "light");
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  const section = page.locator("#recordBalancePayment");
  await section.getByText("Python", { exact: true }).click();
  const shown = section.locator('details[name^="sample"][open] pre');
  assert.equal(await shown.count(), 1);
  const code = (await shown.locator("code").textContent()) ?? "";
  assert.match(code, new RegExp(`"${service.description.base_url}/v1/events/ID/balance-payments"`));
  await shown.hover();
  await shown.getByRole("button", { name: "Copy" }).click();
  await until(async () => (await page.evaluate("navigator.clipboard.readText()")) === code);
  const withPython = page.locator(".tabs", { has: page.locator("summary", { hasText: /^Python$/ }) });
  const chosen = await withPython.locator("[open] > summary").allTextContents();
  assert.deepEqual(new Set(chosen), new Set(["Python"]));
  await page.close();
});

test("a page built before the service has an address uses its own address", async () => {
  const context = await browser.newContext();
  const page = await context.newPage();
  const body = String(referenceSite().find(({ path }) => path === "/docs")?.body);
  assert.match(body, /API_ADDRESS/);
  await page.route("**/docs", (route) => route.fulfill({ contentType: "text/html", body }));
  await page.goto(service.description.docs_url);
  await page.getByText(`export BASE_URL=${service.description.base_url}`).waitFor();
  assert.equal(await page.getByText("API_ADDRESS").count(), 0);
  await context.close();
});

test("the samples show what is entered in “Try it”, but never the key", async () => {
  const { page } = await open(browser, service, "light");
  const form = await tryIt(page, "updateOrder");
  await form.getByLabel("API key").fill(demoKey());
  await form.getByLabel("id", { exact: true }).fill("90210");
  await form.getByLabel("If-Match (optional)").fill('"it\'s"');
  await form.getByLabel("Body").fill('{"admin_note":"Ada\'s"}');
  const { base_url } = service.description;
  const [curl = "", javaScript = "", python = ""] = await page
    .locator("#updateOrder aside details code")
    .allTextContents();
  assert.deepEqual(curl.split(/ \\\n {2}/), [
    `curl -X PATCH '${base_url}/v1/orders/90210'`,
    '-H "Authorization: Bearer $API_KEY"',
    "-H 'Content-Type: application/json'",
    `-H 'If-Match: "it'\\''s"'`,
    `--data-raw '{"admin_note":"Ada'\\''s"}'`,
  ]);
  for (const sample of [javaScript, python]) {
    for (const text of [`"${base_url}/v1/orders/90210"`, '"If-Match": "\\"it\'s\\""', '{"admin_note":"Ada\'s"}'])
      assert.ok(sample.includes(text), `${text} in ${sample}`);
  }
  const list = await tryIt(page, "listDates");
  await list.getByLabel("per_page (optional)").fill("5");
  await page.locator("#listDates aside").getByText(`${base_url}/v1/dates?per_page=5`).first().waitFor();
  assert.doesNotMatch((await page.locator("pre").allTextContents()).join(), new RegExp(demoKey()));
  await page.close();
});

test("every link of the contents leads to its section and is marked, on every screen", async () => {
  for (const [width, height] of cases(sizes.slice(-2), sizes)) {
    const { page, complaints } = await open(browser, service, "light", { width, height });
    const ids = await linkedIds(page);
    assert.ok(ids.length > endpoints.length);
    for (const id of ids) {
      await follow(page, id);
      await assertAtTop(page, id);
      await page.locator(`nav a[href="#${id}"][aria-current]`).waitFor({ state: "attached" });
    }
    assert.deepEqual(complaints, []);
    await page.close();
  }
});

const sizes = [...[375, 768, 1024].map((width) => [width, 768] as const), [1440, 900] as const, [320, 256] as const];

function linkedIds(page: Page): Promise<string[]> {
  return page.locator("nav a[href^='#']").evaluateAll((links) => links.map((link) => link.hash.slice(1)));
}

/** Follows a link in the contents, which may be a menu. */
async function follow(page: Page, id: string): Promise<void> {
  const menu = page.getByRole("button", { name: "Contents" });
  if (await menu.isVisible()) await menu.click();
  await page.locator(`nav a[href="#${id}"]`).press("Enter");
}

test("the menu of a phone closes after a choice, and axe finds nothing in it", async () => {
  const { page } = await open(browser, service, "light", { width: 375, height: 740 });
  await page.getByRole("button", { name: "Contents" }).click();
  const menu = page.getByRole("navigation", { name: "Contents" });
  await menu.locator("[aria-current]").waitFor();
  assert.deepEqual(await accessibilityFindings(page, "nav"), []);
  await menu.getByRole("link", { name: "Get one ticket" }).click();
  await menu.waitFor({ state: "hidden" });
  await page.close();
});

/** The section's heading is the first below the header, and nothing covers it. */
async function assertAtTop(page: Page, id: string): Promise<void> {
  const isAtTop = `(() => {
    const heading = document.getElementById(${JSON.stringify(id)}).querySelector("h2, h3");
    const { left, top, height } = heading.getBoundingClientRect();
    const below = top - document.querySelector("header").offsetHeight;
    return below >= 0 && below < 100 && heading.contains(document.elementFromPoint(left + 5, top + height / 2));
  })()`;
  await until(() => page.evaluate<boolean>(isAtTop));
}

test("the page and the Developer area share the choice of light or dark", async () => {
  const context = await browser.newContext({ colorScheme: "light" });
  const [reference, area] = [await context.newPage(), await context.newPage()];
  await reference.goto(service.description.docs_url);
  await area.goto(service.description.developer_area_url);
  await area.getByRole("button", { name: "Sign in" }).waitFor();
  await reference.getByTitle("Dark").click();
  await area.locator("html[data-mantine-color-scheme=dark]").waitFor();
  await area.getByTitle("Light").click();
  await reference.locator("html[data-colours=light]").waitFor();
  await reference.reload();
  assert.equal(await reference.getByRole("radio", { name: "Light" }).isChecked(), true);
  await context.close();
});

test("“Try it” takes an ID token from the Developer area, as the guide says", async () => {
  const { people, developer_area_url } = service.description;
  const person = people.find(({ role }) => role === "super-admin") ?? assert.fail();
  const { page } = await open(browser, service, "light");
  await page.goto(developer_area_url);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByLabel(/e-?mail/i).fill(person.email);
  await page.getByLabel(/password/i).fill(person.password);
  const request = page.waitForRequest(/\/admin\/api-keys/);
  await page.getByRole("button", { name: "Sign in" }).click();
  const [, token = ""] = /^Bearer (eyJ.*)$/.exec((await request).headers().authorization ?? "") ?? [];
  await page.goto(service.description.docs_url);
  const form = await tryIt(page, "listWebhooks");
  for (const [entered, status] of [
    [demoKey(), "401"],
    [token, "200"],
  ] as const) {
    await form.getByLabel("ID token").fill(entered);
    await form.getByRole("button", { name: "Send GET /admin/webhooks" }).click();
    await form.getByText(status, { exact: false }).first().waitFor();
  }
  await page.close();
});

test("the guides can be read, and links lead to sections, without scripts", async () => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(service.description.docs_url);
  for (const file of guideFiles) {
    const text = await readFile(new URL(`../../../docs/integrators/${file}`, import.meta.url), "utf8");
    const [, title = ""] = /^# (.*)$/m.exec(text) ?? [];
    await page.locator(".guide").getByRole("heading", { name: title, exact: true, level: 2 }).waitFor();
    const [, code] = /^```\w+\n(.*?)^```$/ms.exec(text) ?? [];
    const shown = code?.replaceAll("https://…", service.description.base_url);
    if (shown) assert.ok((await page.locator("pre").allTextContents()).includes(shown), `${file} has its code`);
  }
  await follow(page, "updateOrder");
  await assertAtTop(page, "updateOrder");
  await context.close();
});

test("the search finds operations by their parameters and sections by their headings", async () => {
  const { page, complaints } = await open(browser, service, "light");
  await page.keyboard.press("Control+k");
  const search = page.getByRole("combobox");
  await page.locator("input:focus").waitFor();
  const hits = page.getByRole("option");
  await search.fill("idempotency-key");
  await hits.getByText("Record a balance payment or refund").waitFor();
  await search.fill("order");
  await hits.first().getByText("List orders, newest first").waitFor();
  await search.fill("errors and");
  await hits.first().getByText("Errors and retries").waitFor();
  await page.keyboard.press("Enter");
  await page.waitForURL(/#description\/errors-and-retries$/);
  await page.locator("h2:focus", { hasText: "Errors and retries" }).waitFor();
  await search.fill("paging");
  await hits.first().click();
  await page.locator(":is(h2, h3):focus").waitFor();
  assert.deepEqual(complaints, []);
  await page.close();
});

test("a hit is chosen with the arrow keys, and a search without hits says so", async () => {
  const { page } = await open(browser, service, "light");
  const search = page.getByRole("combobox");
  await search.fill("list");
  await page.keyboard.press("ArrowDown");
  assert.equal(await page.getByRole("option").nth(1).getAttribute("aria-selected"), "true");
  assert.deepEqual(await accessibilityFindings(page, "search"), []);
  await page.keyboard.press("Enter");
  await page.locator(":is(h2, h3):focus").waitFor();
  await search.fill("no such thing");
  await page.getByRole("status").getByText("No results for “no such thing”").waitFor();
  await search.press("Escape");
  assert.equal(await search.inputValue(), "");
  await page.close();
});

test.each(["light", "dark"] as const)("in %s mode, the page fits every screen, and axe finds nothing", async (mode) => {
  const { page, complaints } = await open(browser, service, mode);
  await page.evaluate("for (const details of document.querySelectorAll('details')) details.open = true");
  for (const width of [320, 375, 768, 1024, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    await page.waitForFunction(`innerWidth === ${width}`);
    const tooWide = await page.evaluate<number>("document.documentElement.scrollWidth - innerWidth");
    assert.ok(tooWide <= 0, `${tooWide} pixels too wide for ${width}`);
  }
  if (mode === "dark") await page.setViewportSize({ width: 375, height: 740 });
  await page.screenshot({ path: join(screenshots, `reference-${mode}.png`) });
  assert.deepEqual(await accessibilityFindings(page), []);
  assert.deepEqual(complaints, []);
  await page.close();
});

/** Opens the page and records errors and requests to other origins. */
async function open(
  browser: Browser,
  { description }: Service,
  colorScheme: "light" | "dark",
  viewport = { width: 1440, height: 1000 },
) {
  const page = await browser.newPage({ viewport, colorScheme });
  // A busy machine takes long to draw the page.
  page.setDefaultTimeout(120_000);
  const complaints: string[] = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) complaints.push(message.text());
  });
  page.on("pageerror", ({ message }) => complaints.push(message));
  page.on("request", (request) => {
    if (!request.url().startsWith(`${description.base_url}/`)) complaints.push(`Request to ${request.url()}`);
  });
  page.on("requestfailed", (request) => complaints.push(`Failed: ${request.url()}`));
  await page.goto(description.docs_url);
  return { page, complaints };
}

/** Everything that the browser has stored. */
async function stored(page: Page): Promise<string> {
  const state = await page.context().storageState({ indexedDB: true });
  return JSON.stringify(state) + (await page.evaluate<string>("JSON.stringify(sessionStorage)"));
}
