import assert from "node:assert/strict";
import { afterAll, beforeAll, test } from "@jest/globals";
import type { Browser } from "playwright-core";
import { Visitor } from "../../../../test/support/http/visitor.ts";
import { launchChromium } from "../../../developer-area/test/browser/support/chromium.ts";
import { accessibilityFindings } from "../../../developer-area/test/browser/support/inspections.ts";
import { serveSignIn } from "./serveSignIn.ts";

const signIn = await serveSignIn();
let browser: Browser;

beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser?.close());

for (const colorScheme of ["light", "dark"] as const)
  test(`the sign-in page has the font of the other pages and fits a phone, ${colorScheme}`, async () => {
    const page = await browser.newPage({ colorScheme, viewport: { width: 390, height: 844 } });
    const complaints: string[] = [];
    page.on("console", (message) => complaints.push(message.text()));
    await page.goto(new Visitor(signIn).authorizationUrl());
    const fonts = await page.evaluate<string[]>(
      "document.fonts.ready.then((fonts) => [...fonts].filter(({ status }) => status === 'loaded').map(({ family }) => family))",
    );
    assert.deepEqual(fonts, ["Inter"]);
    assert.ok(await page.evaluate<boolean>("document.documentElement.scrollWidth <= innerWidth"));
    assert.deepEqual(complaints, []);
    assert.deepEqual(await accessibilityFindings(page), []);
    await page.close();
  });
