import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { differingPart } from "./differingPart.ts";
import { systemFonts } from "./systemFonts.ts";

const pictures = join(import.meta.dirname, "..", "..", "..", "docs", "images");

/** Less than this part of a picture differs from run to run, such as a key's prefix and the time. */
const toleratedPart = 0.005;

/**
 * Asserts that a picture of the documentation shows the page as it is. With UPDATE_PICTURES=1 it takes a new picture instead.
 *
 * @param name of `docs/images/<name>.png`
 * @param hidden parts that a picture must not show, such as a secret; it has a plain box in their place.
 */
export async function assertPicture(page: Page, name: string, hidden: Locator[] = []): Promise<void> {
  assert.deepEqual(await systemFonts(page), [], `${name}: text is drawn in fonts of this machine.`);
  const file = join(pictures, `${name}.png`);
  const taken = await page.screenshot({ animations: "disabled", caret: "hide", mask: hidden, maskColor: "#8a9a9a" });
  if (process.env.UPDATE_PICTURES === "1") await writeFile(file, taken);
  const part = await differingPart(page.context(), [taken, await readFile(file)]);
  assert.ok(
    part <= toleratedPart,
    `${name}: ${(part * 100).toFixed(1)} % differ. UPDATE_PICTURES=1 npm run test:browser takes it anew.`,
  );
}
