import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { accessibilityFindings } from "./accessibilityFindings.ts";

const desktop = { width: 1440, height: 900 };
const phone = { width: 375, height: 740 };
const laptop = { width: 1024, height: 768 };
/** The desktop at 200 % zoom. */
const zoomed = { width: 640, height: 450 };

/** Checks the page's present state in light and dark mode and several sizes: axe finds nothing and nothing is too wide. */
export async function inspectState(page: Page, name: string): Promise<void> {
  await page.evaluate("document.fonts.ready.then(() => {})");
  for (const viewport of [zoomed, laptop, phone, desktop]) {
    await page.setViewportSize(viewport);
    // The page gets its new size a moment later.
    await page.waitForFunction(`innerWidth === ${viewport.width}`);
    const tooWide = await page.evaluate<number>("document.documentElement.scrollWidth - innerWidth");
    assert.ok(tooWide <= 0, `${name}: ${tooWide} pixels too wide for ${viewport.width}`);
    if (viewport === zoomed || viewport === laptop) continue;
    for (const colorScheme of ["dark", "light"] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor();
      assert.deepEqual(await accessibilityFindings(page), [], `${name}, ${colorScheme}, ${viewport.width}`);
    }
  }
}
