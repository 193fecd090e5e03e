import assert from "node:assert/strict";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, test } from "@jest/globals";
import type { Browser, Locator, Page } from "playwright-core";
import { endpoints } from "../../../functions/endpoints/index.ts";
import type { Service } from "../../../local/serve.ts";
import { startService } from "../../../local/service.ts";
import { cases } from "../../../test/support/jest/cases.ts";
import { launchChromium } from "../../developer-area/test/browser/support/chromium.ts";
import { accessibilityFindings } from "../../developer-area/test/browser/support/inspections.ts";
import { guideFiles } from "../guides.ts";

const screenshots = join(import.meta.dirname, "screenshots");

let service: Service;
let browser: Browser;
let directory: string;
const home = process.cwd();

beforeAll(async () => {
  // The service writes its description into the current directory.
  directory = await mkdtemp(join(tmpdir(), "reference-"));
  process.chdir(directory);
  service = await startService({ port: 0, dynamoDbEndpoint: process.env.TEST_DYNAMODB_ENDPOINT });
  browser = await launchChromium();
});
afterAll(async () => {
  await browser?.close();
  await service?.stop();
  process.chdir(home);
  await rm(directory, { recursive: true });
});

test("the reference page shows every operation and sends one with a key, without other requests, errors or traces of the key", async () => {
  const { page, complaints } = await open(browser, service, "light");
  for (const { summary } of endpoints) await page.getByRole("link", { name: summary, exact: true }).first().waitFor();
  await page.screenshot({ path: join(screenshots, "reference.png") });

  const { key } = service.description.organisations[0]?.keys[0] ?? assert.fail("The service has no demo key.");
  await page.getByLabel("Your API key").fill(key);
  const form = await tryIt(page, "getKey");
  const [response] = await Promise.all([
    page.waitForResponse(`${service.description.base_url}/v1/key`),
    form.getByRole("button", { name: "Send GET /v1/key" }).dblclick(),
  ]);
  assert.equal(response.status(), 200);
  await form.getByText("200 OK").waitFor();
  await form.getByText(`"${key.slice(0, 12)}"`).waitFor();
  await page.screenshot({ path: join(screenshots, "reference-try-it.png"), animations: "disabled" });
  assert.deepEqual(await accessibilityFindings(page, "#getKey"), []);

  assert.deepEqual(complaints, []);
  assert.doesNotMatch(await stored(page), new RegExp(key));
  await page.close();
});

/** Opens the form of an operation. */
async function tryIt(page: Page, operationId: string): Promise<Locator> {
  await page.goto(`${page.url().split("#")[0]}#${operationId}`);
  await page.getByText(`Try it: ${operationId}`, { exact: true }).click();
  return page.locator(`#${operationId} form`);
}

test("a request is sent with its path, query, headers and body, and an error or a lost connection is shown", async () => {
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

test("the code samples have this address and can be copied, and one language is open at a time", async () => {
  const { page } = await open(browser, service, "light");
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  const section = page.locator("#recordBalancePayment");
  await section.getByText("Python", { exact: true }).click();
  const shown = section.locator('details[name^="sample"][open] pre');
  assert.equal(await shown.count(), 1);
  assert.match(
    (await shown.textContent()) ?? "",
    new RegExp(`"${service.description.base_url}/v1/events/ID/balance-payments"`),
  );
  await section.locator('details[name^="sample"][open]').getByRole("button", { name: "Copy" }).click();
  assert.equal(await page.evaluate("navigator.clipboard.readText()"), await shown.textContent());
  assert.equal(await page.getByText("API_ADDRESS").count(), 0);
  await page.close();
});

test("the guides, operations and schemas are readable before any script runs, and without one", async () => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(service.description.docs_url);
  for (const file of guideFiles) {
    const text = await readFile(new URL(`../../../docs/integrators/${file}`, import.meta.url), "utf8");
    const [, title = ""] = /^# (.*)$/m.exec(text) ?? [];
    await page.locator(".guide").getByRole("heading", { name: title, exact: true, level: 2 }).waitFor();
    const [, code] = /^```\w+\n(.*?)^```$/ms.exec(text) ?? [];
    if (code) assert.ok((await page.locator("pre").allTextContents()).includes(code), `${file} has its code`);
  }
  await page.getByRole("link", { name: "Incremental sync", exact: true }).first().click();
  await page.waitForURL(/#description\/incremental-sync$/);
  await context.close();
});

test("the search finds operations by their parameters and sections by their headings, and Enter opens the first hit", async () => {
  const { page, complaints } = await open(browser, service, "light");
  await page.keyboard.press("Control+k");
  const search = page.getByRole("combobox");
  await page.locator("input:focus").waitFor();
  await search.fill("idempotency-key");
  const hits = page.getByRole("option");
  await hits.getByText("Record a balance payment or refund").waitFor();
  await search.fill("errors and");
  assert.equal(await hits.first().textContent(), "Errors and retries");
  await page.keyboard.press("Enter");
  await page.waitForURL(/#description\/errors-and-retries$/);
  await page.locator("h2:focus", { hasText: "Errors and retries" }).waitFor();
  await search.fill("list");
  await page.keyboard.press("ArrowDown");
  const second = await page.locator('[role=option][aria-selected="true"]').textContent();
  assert.equal(second, await hits.nth(1).textContent());
  assert.deepEqual(await accessibilityFindings(page, "search"), []);
  await page.keyboard.press("Enter");
  await page.locator(":focus", { hasText: second ?? "" }).waitFor();
  await search.fill("no such thing");
  await page.keyboard.press("Enter");
  await search.press("Escape");
  assert.equal(await search.inputValue(), "");
  await search.fill("paging");
  await hits.first().click();
  await page.locator(":is(h2, h3):focus").waitFor();
  assert.deepEqual(complaints, []);
  await page.close();
});

for (const colorScheme of ["light", "dark"] as const) {
  test(`the reference page follows the system's ${colorScheme} mode, fits every screen, and axe finds nothing, with everything open`, async () => {
    const { page, complaints } = await open(browser, service, colorScheme);
    const inspectedWidths = cases(colorScheme === "dark" ? [375] : [1440], [375, 1440]);
    await page.evaluate("for (const details of document.querySelectorAll('details')) details.open = true");
    const background = await page.evaluate<string>("getComputedStyle(document.body).backgroundColor");
    const [red = 0, green = 0, blue = 0] = (background.match(/\d+/g) ?? []).map(Number);
    assert.equal(red + green + blue < 200, colorScheme === "dark", background);
    for (const width of [320, 375, 768, 1024, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      const tooWide = await page.evaluate<number>("document.documentElement.scrollWidth - innerWidth");
      assert.ok(tooWide <= 0, `${tooWide} pixels too wide for ${width}`);
      if (!inspectedWidths.includes(width)) continue;
      await page.screenshot({ path: join(screenshots, `reference-${colorScheme}-${width}.png`) });
      assert.deepEqual(await accessibilityFindings(page), [], String(width));
    }
    assert.deepEqual(complaints, []);
    await page.close();
  });
}

/** Opens the page and records errors and requests to other origins. */
async function open(browser: Browser, { description }: Service, colorScheme: "light" | "dark") {
  const page = await browser.newPage({ viewport: { width: 1440, height: 1000 }, colorScheme });
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
