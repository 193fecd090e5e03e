import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type axe from "axe-core";
import type { BrowserContext, Locator, Page } from "playwright-core";

const desktop = { width: 1440, height: 900 };
const phone = { width: 390, height: 844 };
const laptop = { width: 1024, height: 768 };
/** The desktop at 200 % zoom. */
const zoomed = { width: 640, height: 450 };
/** A laptop at 400 % zoom. */
const narrow = { width: 320, height: 256 };
const tablet = { width: 768, height: 1024 };

const looks = [
  [phone, "dark"],
  [desktop, "light"],
] as const;

/**
 * Checks the page's current state: nothing is too wide at any size, axe finds nothing in either colour scheme, and descriptions exist,
 * which axe does not check.
 */
export async function inspectState(page: Page, name: string): Promise<void> {
  assert.deepEqual(await page.evaluate<string[]>(missingDescriptions), [], name);
  await page.evaluate("document.fonts.ready.then(() => {})");
  for (const viewport of [narrow, zoomed, tablet, laptop, phone, desktop]) {
    await page.setViewportSize(viewport);
    // Resizing takes a moment.
    await page.waitForFunction(`innerWidth === ${viewport.width}`);
    // An open menu also moves a moment later.
    await page
      .waitForFunction("document.documentElement.scrollWidth <= innerWidth", undefined, { timeout: 30_000 })
      .catch(() => undefined);
    const tooWide = await page.evaluate<number>(excess);
    assert.ok(tooWide <= 0, `${name}: ${tooWide} pixels too wide for ${viewport.width}`);
    if (viewport === phone) assert.deepEqual(await page.evaluate<string[]>(ragged), [], `${name} on a phone`);
  }
  for (const [size, colorScheme] of looks) {
    await page.setViewportSize(size);
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor();
    assert.deepEqual(await accessibilityFindings(page), [], `${name}, ${colorScheme}`);
  }
}

/** The number of pixels by which the page, or a dialog over it, is too wide. Runs in the browser. */
const excess = `Math.max(document.documentElement.scrollWidth - innerWidth, ...[...document.querySelectorAll("[role=dialog]")].flatMap(
  (dialog) => [dialog.getBoundingClientRect().right - innerWidth, dialog.scrollWidth - dialog.clientWidth],
))`;

/** Tabs that are not on the first one's line, or not whole, and lines of filters that end early. Runs in the browser. */
const ragged = `(() => {
  const rectangle = (element) => element.getBoundingClientRect();
  const tabs = [...document.querySelectorAll("[role=tab]")];
  const hidden = tabs.filter((tab) => rectangle(tab).bottom !== rectangle(tabs[0]).bottom || rectangle(tab).right > innerWidth);
  const early = [...document.querySelectorAll(".filters")].flatMap((filters) => [...filters.children].filter((filter) => {
    const next = filter.nextElementSibling;
    const isLast = next === null || rectangle(next).top >= rectangle(filter).bottom;
    return isLast && Math.abs(rectangle(filters).right - rectangle(filter).right) > 1;
  }));
  return [...hidden, ...early].map(({ outerHTML }) => outerHTML.slice(0, 200));
})()`;

/** Elements whose description does not exist. Runs in the browser. */
const missingDescriptions = `[...document.querySelectorAll("[aria-describedby]")]
  .filter((element) => element.getAttribute("aria-describedby").split(/\\s+/).some((id) => document.getElementById(id) === null))
  .map(({ outerHTML }) => outerHTML.slice(0, 200))`;

/** Minified, because each page compiles it again. */
const axeSource = readFileSync("node_modules/axe-core/axe.min.js", "utf8");
type Violations = Pick<axe.Result, "id" | "nodes">[];

/**
 * Axe's findings about the page's current state.
 *
 * @param part a selector of the part of the page that a test changed, if the rest has been checked.
 */
export async function accessibilityFindings(page: Page, part = "html") {
  if (!(await page.evaluate<boolean>("'axe' in window"))) await page.evaluate(axeSource);
  // Reporting passes takes longer than the checks.
  const options = JSON.stringify({ resultTypes: ["violations"] });
  const violations = await page.evaluate<Violations>(
    `axe.run(${JSON.stringify(part)}, ${options}).then((found) => found.violations)`,
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
  );
}

const pictures = join(import.meta.dirname, "../../../../..", "docs/images");

/** Tolerates changes from run to run, such as a key's prefix and the time. */
const toleratedPart = 0.005;

/**
 * Asserts that a picture of the documentation shows the page as it is. With UPDATE_PICTURES=1 it takes a new picture instead.
 *
 * @param name of `docs/images/<name>.png`
 * @param hidden parts that a picture must not show, such as a secret; it has a plain box in their place.
 */
export async function assertPicture(page: Page, name: string, hidden: Locator[] = []): Promise<void> {
  await page.evaluate("document.fonts.ready.then(() => {})");
  const file = join(pictures, `${name}.png`);
  const taken = await page.screenshot({ animations: "disabled", caret: "hide", mask: hidden, maskColor: "#8a9a9a" });
  if (process.env.UPDATE_PICTURES === "1") await writeFile(file, taken);
  const part = await differingPart(page.context(), [taken, await readFile(file)]);
  assert.ok(
    part <= toleratedPart,
    `${name}: ${(part * 100).toFixed(1)} % differ. UPDATE_PICTURES=1 .ci/run browser takes it anew.`,
  );
}

/** The part of the pixels that clearly differ in two pictures (PNG); 1 if the sizes differ. */
async function differingPart(context: BrowserContext, pictures: [Buffer, Buffer]): Promise<number> {
  const blank = await context.newPage();
  const urls = pictures.map((png) => `data:image/png;base64,${png.toString("base64")}`);
  const part = await blank.evaluate<number>(`(${compare})(${JSON.stringify(urls)})`);
  await blank.close();
  return part;
}

/** Runs in the browser. */
const compare = `async (urls) => {
  const [one, other] = await Promise.all(urls.map(async (url) => {
    const image = new Image();
    image.src = url;
    await image.decode();
    const context = Object.assign(document.createElement("canvas"), { width: image.width, height: image.height }).getContext("2d");
    context.drawImage(image, 0, 0);
    return context.getImageData(0, 0, image.width, image.height);
  }));
  if (one.width !== other.width || one.height !== other.height) return 1;
  let differing = 0;
  for (let at = 0; at < one.data.length; at += 4) {
    if ([0, 1, 2].some((channel) => Math.abs(one.data[at + channel] - other.data[at + channel]) > 40)) differing += 1;
  }
  return differing / (one.data.length / 4);
}`;
