import assert from "node:assert/strict";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, test } from "@jest/globals";
import type { Browser, Locator, Page } from "playwright-core";
import { endpoints } from "../../functions/endpoints/index.ts";
import type { Service } from "../../local/serve.ts";
import { startService } from "../../local/service.ts";
import { guideFiles } from "../../web/reference/guides.ts";
import { launchChromium } from "./support/chromium.ts";
import { accessibilityFindings } from "./support/inspections.ts";

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
  for (const { summary } of endpoints) await page.getByRole("link", { name: summary }).first().waitFor();
  await page.screenshot({ path: join(screenshots, "reference.png") });

  const { key } = service.description.organisations[0]?.keys[0] ?? assert.fail("The service has no demo key.");
  await page.getByPlaceholder("Token").first().fill(key);
  await page.getByRole("link", { name: "Get the calling key" }).first().click();
  await page.getByRole("button", { name: /^Test Request.*\/v1\/key/ }).click();
  const dialog = page.getByRole("dialog");
  const [response] = await Promise.all([
    page.waitForResponse(`${service.description.base_url}/v1/key`),
    dialog.getByRole("button", { name: /^Send get request/i }).click(),
  ]);
  assert.equal(response.status(), 200);
  await dialog.getByText("200 OK").waitFor();
  await dialog.getByText(`"${key.slice(0, 12)}"`).waitFor();
  await page.screenshot({ path: join(screenshots, "reference-try-it.png"), animations: "disabled" });

  assert.deepEqual(complaints, []);
  assert.doesNotMatch(await stored(page), new RegExp(key));
  await page.close();
});

test("the reference page shows each guide with its examples, and links to the Developer area", async () => {
  const files = guideFiles.map((file) => new URL(`../../docs/integrators/${file}`, import.meta.url));
  const guides = (await Promise.all(files.map((file) => readFile(file, "utf8")))).join("");
  const textsOf = (pattern: RegExp) => [...guides.matchAll(pattern)].map(([, text = ""]) => text);
  const { page, complaints } = await open(browser, service, "light");
  const shown = page.locator(".introduction-description");
  for (const title of textsOf(/^# (.*)\n\n/gm)) {
    await page.getByRole("link", { name: title, exact: true }).first().click();
    await shown.getByRole("heading", { name: title, exact: true, level: 2 }).waitFor();
  }
  for (const example of await shown.locator("details").all()) {
    // On a busy machine, the page may render again and close what was opened.
    do {
      if ((await example.getAttribute("open")) === null) await example.locator("summary").click();
    } while (!(await isShown(example.locator("pre").first())));
  }
  assert.deepEqual(await shown.locator("summary").allTextContents(), textsOf(/^## (.*)\n(?=\n(?:(?:.+\n)+\n)?```)/gm));
  assert.deepEqual(await shown.locator("pre:visible").allTextContents(), textsOf(/^```\w+\n(.*?)^```$/gms));
  await page.getByRole("link", { name: "Start the sync over" }).click();
  await page.waitForURL(/#description\/incremental-sync$/);
  for (const link of await page.getByRole("link", { name: "Developer area" }).all()) {
    assert.equal(await link.getAttribute("href"), "/developer");
  }
  assert.deepEqual(complaints, []);
  await page.close();
});

/** Whether an element appears within some seconds. */
function isShown(element: Locator): Promise<boolean> {
  return element.waitFor({ timeout: 5_000 }).then(
    () => true,
    () => false,
  );
}

test("the reference page finds operations by their parameters, and sections by their headings", async () => {
  const { page } = await open(browser, service, "light");
  await page.getByRole("link", { name: "Get the calling key" }).first().waitFor();
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox").fill("idempotency");
  const found = page.getByRole("listbox");
  await found.getByText("/v1/events/{id}/balance-payments").waitFor();
  await found.getByText("Idempotent writes").waitFor();
  await page.getByRole("combobox").fill("errors and");
  await found.getByText("Errors and retries").waitFor();
  await page.close();
});

for (const colorScheme of ["light", "dark"] as const) {
  test(`the reference page follows the system's ${colorScheme} mode, with the contrast, names and roles that axe requires`, async () => {
    const { page, complaints } = await open(browser, service, colorScheme);
    await page.getByRole("link", { name: "Record a balance payment or refund" }).first().click();
    await page.getByRole("heading", { name: "Record a balance payment or refund" }).first().waitFor();
    await page.screenshot({ path: join(screenshots, `reference-${colorScheme}.png`) });
    const background = await page.evaluate<string>("getComputedStyle(document.body).backgroundColor");
    const [red = 0, green = 0, blue = 0] = (background.match(/\d+/g) ?? []).map(Number);
    assert.equal(red + green + blue < 200, colorScheme === "dark", background);
    // Scalar gives the example responses of all operations the same name.
    assert.deepEqual(await accessibilityFindings(page, { exceptRules: ["landmark-unique"] }), []);
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
