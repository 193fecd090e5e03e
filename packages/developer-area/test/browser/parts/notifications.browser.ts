import assert from "node:assert/strict";
import { test } from "@jest/globals";
import type { Page } from "playwright-core";
import { stagedKey } from "../support/adminApi.ts";
import { DeveloperAreaTests } from "../support/developerAreaTests.ts";

const area = new DeveloperAreaTests();
const shownMs = 8000;

const notification = (page: Page) => page.locator(".toast").getByRole("status").filter({ hasText: /\S/ });

async function revoke(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name: `Revoke ${name}`, exact: true }).click();
  await page.getByRole("button", { name: `Revoke “${name}”` }).click();
  await page.getByText(`Key “${name}” is revoked.`).waitFor();
}

test("an outcome is shown in the viewport, announced, and gone after a while", async () => {
  for (let number = 1; number <= 40; number++) area.stage.api.keys.push(stagedKey({ name: `Key ${number}.` }));
  const page = await area.openSignedInWithClock();
  const region = await page.locator("main [role=status]").first().elementHandle();
  await revoke(page, "Key 40.");
  assert.equal(await region?.textContent(), "Key “Key 40.” is revoked.", "the live region existed before its text");
  const box = await notification(page).boundingBox();
  assert.ok(box && box.y > 0 && box.y + box.height < 900, "it is in the viewport");
  // With the focus on it, it stays.
  await page.getByRole("button", { name: "Dismiss" }).focus();
  await page.locator("main").focus();
  await page.clock.runFor(shownMs);
  await notification(page).waitFor({ state: "detached" });
});

test("a notification waits while the pointer or the focus is on it, and the keyboard can dismiss it", async () => {
  area.stage.api.keys.push(stagedKey({ name: "One" }), stagedKey({ name: "Two" }));
  const page = await area.openSignedInWithClock();
  await revoke(page, "One");
  await notification(page).hover();
  await page.clock.runFor(3 * shownMs);
  assert.ok(await notification(page).isVisible());
  await page.mouse.move(5, 5);
  await page.clock.runFor(shownMs);
  await notification(page).waitFor({ state: "detached" });

  await revoke(page, "Two");
  await page.locator("main:focus").waitFor();
  await page.keyboard.press("Tab");
  await page
    .locator("button:focus", { hasText: "" })
    .and(page.getByRole("button", { name: "Dismiss" }))
    .waitFor();
  await page.clock.runFor(3 * shownMs);
  assert.ok(await notification(page).isVisible());
  await page.keyboard.press("Enter");
  await notification(page).waitFor({ state: "detached" });
  await page.locator("main:focus").waitFor();
});
