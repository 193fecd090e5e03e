import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "@jest/globals";
import type { Locator } from "playwright-core";
import { minutesAgo, stagedKey } from "../support/adminApi.ts";
import { DeveloperAreaTests } from "../support/developerAreaTests.ts";

const area = new DeveloperAreaTests();

/** A computed style of the first element. */
function style(element: Locator, property: string): Promise<string> {
  return element
    .first()
    .evaluate<string, string>(
      (node, name) => node.ownerDocument.defaultView?.getComputedStyle(node).getPropertyValue(name) ?? "",
      property,
    );
}

async function screenshot(name: string): Promise<void> {
  const path = join(import.meta.dirname, "..", "..", "screenshots", `developer-area-forced-${name}.png`);
  await area.opened.page.screenshot({ path, animations: "disabled" });
}

test.each(["light", "dark"] as const)(
  "with forced colours (%s), what is selected differs from what is not",
  async (colorScheme) => {
    area.stage.api.keys.push(stagedKey({ name: "Website", last_used: minutesAgo(1) }));
    const page = await area.openSignedIn();
    await page.emulateMedia({ forcedColors: "active", colorScheme, reducedMotion: "reduce" });
    await page.getByRole("rowheader").waitFor();
    await screenshot(colorScheme);
    const pairs = [
      [page.getByRole("tab", { selected: true }), page.getByRole("tab", { selected: false })],
      [
        page.locator(".mantine-SegmentedControl-label[data-active]"),
        page.locator(".mantine-SegmentedControl-label:not([data-active])"),
      ],
      [page.locator(".frame-navigation [aria-current]"), page.locator(".frame-navigation a:not([aria-current])")],
    ] as const;
    for (const [selected, other] of pairs) {
      assert.notEqual(await style(selected, "background-color"), await style(other, "background-color"));
      assert.notEqual(await style(selected, "background-color"), await style(selected, "color"));
    }
    assert.equal(await style(page.locator(".mantine-Badge-root"), "border-style"), "solid");
    assert.notEqual(await style(page.locator(".mantine-Badge-root"), "border-color"), "rgba(0, 0, 0, 0)");
  },
);

test("with forced colours, everything that Tab reaches shows that it has the focus", async () => {
  area.stage.api.keys.push(stagedKey({ name: "Website" }));
  const page = await area.openSignedIn();
  await page.emulateMedia({ forcedColors: "active", reducedMotion: "reduce" });
  await page.getByRole("rowheader").waitFor();
  /** The elements in the order of Tab that have no visible outline. */
  const unseen = async (presses: number) => {
    const found: string[] = [];
    for (let press = 0; press < presses; press++) {
      await page.keyboard.press("Tab");
      found.push(
        await page.evaluate<string>(`(() => {
          const focused = document.activeElement;
          const drawn = [focused, focused.nextElementSibling, focused.parentElement].filter(Boolean);
          const isOutlined = drawn.some((one) => {
            const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(one);
            return outlineStyle !== "none" && parseFloat(outlineWidth) >= 2 && !/, 0\\)$/.test(outlineColor);
          });
          return focused === document.body || isOutlined ? "" : focused.outerHTML.slice(0, 200);
        })()`),
      );
    }
    return found.filter(Boolean);
  };
  assert.deepEqual(await unseen(22), []);
  await page.getByRole("button", { name: "Create key" }).click();
  assert.deepEqual(await unseen(8), []);
  await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("tab", { name: "Quick start" }).click();
  assert.deepEqual(await unseen(14), []);
});

test("with forced colours, dialogs and notifications have a border, and the focus and the current step are visible", async () => {
  area.stage.api.keys.push(stagedKey({ name: "Website" }));
  const page = await area.openSignedIn();
  await page.emulateMedia({ forcedColors: "active", reducedMotion: "reduce" });
  await page.getByRole("button", { name: "Rotate Website" }).click();
  const dialog = page.locator(".dialog");
  assert.equal(await style(dialog, "border-style"), "solid");
  const step = page.locator(".steps li");
  assert.notEqual(
    await style(step.and(page.locator("[aria-current]")), "background-color"),
    await style(step.and(page.locator(":not([aria-current])")), "background-color"),
  );
  await page.getByLabel("For how long?").focus();
  await page.keyboard.press("Tab");
  assert.equal(await style(page.locator("button:focus"), "outline-style"), "solid");
  await screenshot("rotate");
  await page.getByRole("dialog").getByRole("button", { name: "Create key" }).click();
  await page.getByLabel("I have stored it").check();
  await screenshot("secret");
  const box = page.getByLabel("I have stored it");
  assert.notEqual(await style(box, "background-color"), await style(page.locator(".dialog"), "background-color"));
  await page.getByRole("button", { name: "Done" }).click();
  assert.equal(await style(page.locator(".toast:not([data-empty])"), "border-style"), "solid");
  await screenshot("notification");
});
