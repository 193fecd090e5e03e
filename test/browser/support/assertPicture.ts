import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";

const pictures = join(import.meta.dirname, "..", "..", "..", "docs", "images");

/** What differs from one time to the next, as a key's prefix and the hour, is less than this part of a picture. */
const toleratedPart = 0.02;

/**
 * Asserts that a picture of the documentation shows the page as it is. With UPDATE_PICTURES=1 it is taken anew instead.
 *
 * @param name of `docs/images/<name>.png`
 * @param hidden what must not be seen, such as a secret; a picture has a plain box in its place.
 */
export async function assertPicture(page: Page, name: string, hidden: Locator[] = []): Promise<void> {
  const file = join(pictures, `${name}.png`);
  const taken = await page.screenshot({ animations: "disabled", caret: "hide", mask: hidden, maskColor: "#8a9a9a" });
  if (process.env.UPDATE_PICTURES === "1") await writeFile(file, taken);
  const kept = await readFile(file);
  const blank = await page.context().newPage();
  const urls = [taken, kept].map((png) => `data:image/png;base64,${png.toString("base64")}`);
  const part = await blank.evaluate<number>(`(${differingPart})(${JSON.stringify(urls)})`);
  await blank.close();
  assert.ok(
    part <= toleratedPart,
    `${name}: ${(part * 100).toFixed(1)} % differ. UPDATE_PICTURES=1 npm run test:browser takes it anew.`,
  );
}

/** The part of the pixels that are clearly unlike in two pictures; all of them where the sizes are. Runs in the browser. */
const differingPart = `async (urls) => {
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
