import assert from "node:assert/strict";
import { afterAll, beforeAll, test } from "@jest/globals";
import type { Browser } from "playwright-core";
import { minutesAgo, stagedKey } from "../support/adminApi.ts";
import { launchChromium } from "../support/chromium.ts";
import { ada, DeveloperAreaStage } from "../support/developerAreaStage.ts";
import { differingPart, systemFonts } from "../support/inspections.ts";
import { openSignedIn } from "../support/openDeveloperArea.ts";

let stage: DeveloperAreaStage;
let withFontsOfMachine: Browser;
let withIcons: Browser;

beforeAll(async () => {
  stage = await DeveloperAreaStage.start();
  [withFontsOfMachine, withIcons] = await Promise.all([launchChromium("machine"), launchChromium("icons")]);
});
afterAll(async () => {
  await Promise.all([withFontsOfMachine?.close(), withIcons?.close()]);
  await stage?.stop();
});

test("the page looks the same with every set of system fonts", async () => {
  const days = 24 * 60;
  const ago = minutesAgo(3.5 * days);
  stage.api.keys.push(
    stagedKey({ name: "Łódź, İstanbul and “Ærø”", last_used: ago, scopes: ["read", "write:orders"] }),
    stagedKey({ name: "Newsletter", status: "revoked", revoked: ago, revoked_by: ada.email }),
  );
  const expected = await screenshots(withFontsOfMachine);
  const taken = await screenshots(withIcons);
  const context = await withFontsOfMachine.newContext();
  for (const [state, picture] of expected) {
    const other = taken.get(state) ?? assert.fail(state);
    assert.equal(await differingPart(context, [picture, other]), 0, state);
  }
});

test("text without a web font uses the system's fonts, and the two sets differ", async () => {
  assert.deepEqual(await fontsOfPlainText(withIcons), ["codicon"]);
  const [font] = await fontsOfPlainText(withFontsOfMachine);
  assert.ok(font && font !== "codicon", font);
});

/** Pictures of some states of the page, by name. */
async function screenshots(browser: Browser): Promise<Map<string, Buffer>> {
  const { page, context, complaints } = await openSignedIn(browser, stage);
  const taken = new Map<string, Buffer>();
  const take = async (state: string) => {
    assert.deepEqual(await systemFonts(page), [], state);
    taken.set(state, await page.screenshot({ animations: "disabled", caret: "hide" }));
  };
  await page.getByRole("rowheader").first().waitFor();
  await take("keys");
  await page.getByRole("button", { name: /^Rotate/ }).click();
  await page.locator("input:focus").waitFor();
  await take("rotating");
  await page.getByRole("button", { name: "Close" }).click();
  await page.getByRole("tab", { name: "Quick start" }).click();
  await page.getByRole("textbox", { name: "First request" }).waitFor();
  await take("quick start");
  await context.close();
  assert.deepEqual(complaints, []);
  return taken;
}

async function fontsOfPlainText(browser: Browser): Promise<string[]> {
  const page = await browser.newPage();
  await page.setContent("<p>Text</p>");
  return systemFonts(page);
}
