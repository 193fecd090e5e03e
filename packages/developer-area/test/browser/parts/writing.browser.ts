import assert from "node:assert/strict";
import { test } from "@jest/globals";
import type { Page } from "playwright-core";
import { minutesAgo, problem, stagedKey } from "../support/adminApi.ts";
import { DeveloperAreaTests } from "../support/developerAreaTests.ts";
import { signInInSecondWindow } from "../support/openDeveloperArea.ts";
import { stagedWebhook } from "../support/stagedWebhooks.ts";

const area = new DeveloperAreaTests();
/** Of the key and of the webhook. */
const name = "“CRM” می‌خواهم 👩‍👧 <b>";
const dialog = (page: Page) => page.getByRole("dialog");
const fill = (label: string, text: string) => (page: Page) => dialog(page).getByLabel(label).fill(text);
const choose = (label: string, text: string) => (page: Page) => page.getByLabel(label).selectOption(text);

/** Presses buttons of the page with the keyboard. */
const press =
  (...names: string[]) =>
  async (page: Page) => {
    for (const name of names) {
      await page.getByRole("button", { name, exact: true }).focus();
      await page.keyboard.press("Enter");
    }
  };

interface WritingDialog {
  what: string;
  at: "keys" | "key" | "webhooks" | "webhook";
  open: (page: Page) => Promise<void>;
  enter?: (page: Page) => Promise<unknown>;
  button: string;
  /** The button to send the same request again. */
  again?: string;
  done: RegExp;
  /** After a response is lost: what is shown, and which buttons lead to the end. By default {@link again}. */
  lost?: { shown: RegExp; press: string[] };
}

const secret = /Store this key now/;
/** The secret of the first key is lost. */
const replaced = { shown: /It is not known whether the key was/, press: ["Try again", "Revoke it and create another"] };
const inSevenDays = { open: press(`Revoke ${name}`), enter: choose("When?", "In 7 days") };
const address = fill("Address", "https://door.example.org/hook");

/** Every dialog that writes. */
const dialogs: WritingDialog[] = [
  {
    ...{ what: "a new key", at: "keys", open: press("Create key"), enter: fill("Name", "Shop"), button: "Create key" },
    ...{ done: secret, lost: replaced },
  },
  {
    ...{ what: "a successor", at: "key", open: press(`Rotate ${name}`), button: "Create key" },
    ...{ done: secret, lost: replaced },
  },
  {
    ...{ what: "the end of a rotation", at: "keys", button: `Revoke “${name}”`, done: /The rotation is complete/ },
    open: async (page) => {
      area.stage.api.keys.push(
        stagedKey({ name: "New", last_used: minutesAgo(1), replaces: area.stage.api.keys[0]?.id }),
      );
      await page.reload();
      await press(`Continue rotation of ${name}`, "Revoke the old key…")(page);
    },
    lost: { shown: /has taken its place/, press: [] },
  },
  {
    ...{ what: "a revocation", at: "key", open: press(`Revoke ${name}`), button: `Revoke “${name}”` },
    ...{ done: /Key “.*” is revoked/, lost: { shown: /was revoked by ada@/, press: [] } },
  },
  {
    ...{ what: "a planned revocation", at: "key", ...inSevenDays, button: `Plan to revoke “${name}”` },
    done: /will be revoked on/,
  },
  {
    ...{ what: "another end", at: "key", open: press("Change when the key ends") },
    ...{ enter: choose("New end", "In 7 days"), button: "Change the end", done: /will be revoked on/ },
  },
  {
    ...{ what: "a withdrawn end", at: "key", open: press("Withdraw the planned end"), button: "Withdraw" },
    done: /works until somebody revokes it\.$/,
  },
  {
    ...{ what: "a renaming", at: "key", open: press("Rename"), enter: fill("Name", "Shop"), button: "Rename" },
    done: /The key is named “Shop”/,
  },
  {
    ...{ what: "a test message", at: "webhook", open: press("Test"), button: "Send a test message" },
    ...{ again: "Send again", done: /The receiver accepted it/ },
  },
  {
    ...{ what: "a new webhook", at: "webhooks", open: press("Create webhook"), enter: address },
    ...{ button: "Create webhook", done: /Give this secret to the receiver now/ },
  },
  {
    ...{
      what: "a change of a webhook",
      at: "webhook",
      open: press("More", "Edit"),
      enter: fill("Description", "Door"),
    },
    ...{ button: "Save", done: /The webhook is changed/ },
  },
  {
    ...{ what: "a replay", at: "webhook", open: press("More", "Replay"), button: "Send again" },
    done: /The changes are sent again within a minute/,
  },
  {
    ...{
      what: "a new signing secret",
      at: "webhook",
      open: press("More", "Rotate secret"),
      button: "Make a new secret",
    },
    done: /Give this secret to the receiver now/,
  },
  {
    ...{
      what: "the end of a secret",
      at: "webhook",
      button: "End the earlier secret",
      done: /The earlier secret has ended/,
    },
    open: async (page) => {
      for (const webhook of area.stage.webhooks.webhooks) webhook.earlier_secret_until = minutesAgo(-60);
      await page.reload();
      await press("End the earlier secret")(page);
    },
  },
  {
    ...{ what: "a deletion", at: "webhook", open: press("More", "Delete"), button: `Delete “${name}”` },
    ...{ done: /The webhook “.*” is deleted/, lost: { shown: /This webhook does not exist/, press: [] } },
  },
];

const writes = () => area.stage.requests.filter(({ method }) => method !== "GET").length;

async function openPage({ at }: WritingDialog): Promise<Page> {
  const key = stagedKey({ name, revokes_at: minutesAgo(-3_000) });
  const webhook = stagedWebhook({ description: name, delivered_until: minutesAgo(3_000) });
  area.stage.api.keys.push(key);
  area.stage.webhooks.webhooks.push(webhook);
  const hashes = { keys: "#keys", key: `#key/${key.id}`, webhooks: "#webhooks", webhook: `#webhooks/${webhook.id}` };
  const page = await area.openSignedIn(hashes[at]);
  await page.getByText(name).first().waitFor();
  return page;
}

/** Presses a button that Tab reaches from where the focus is. */
async function pressByTab(page: Page, text: string): Promise<void> {
  const focused = page.getByRole("dialog").locator("button:focus", { hasText: text });
  for (let presses = 0; (await focused.count()) === 0; presses++) {
    assert.ok(presses < 30, `Tab does not reach “${text}”.`);
    await page.keyboard.press("Tab");
  }
  assert.equal(await page.evaluate("getComputedStyle(document.activeElement).outlineStyle"), "solid");
  await page.keyboard.press("Enter");
}

test.each(dialogs)(
  "$what works with the keyboard alone on every screen; Back, an expired session and a restart lose nothing, and a double click does it once",
  async (one) => {
    const page = await openPage(one);
    await one.open(page);
    await dialog(page).waitFor();
    await page.goBack();
    await dialog(page).waitFor({ state: "detached" });
    await one.open(page);
    await one.enter?.(page);
    await area.inspect(one.what);
    await page.emulateMedia({ forcedColors: "active" });
    // A laptop at 400 % zoom.
    await page.setViewportSize({ width: 320, height: 256 });
    area.stage.intercept = ({ method }) => (method === "GET" ? undefined : problem(401, "Sign in again."));
    await pressByTab(page, one.button);
    await page.getByText("Your session has expired").waitFor();
    area.stage.intercept = undefined;
    await signInInSecondWindow(page);
    await page.route("**/admin/**", (route) => route.abort("connectionrefused"));
    await pressByTab(page, one.button);
    const again = dialog(page).getByRole("button", { name: one.again ?? "Try again", exact: true });
    await again.waitFor();
    await page.unroute("**/admin/**");
    area.stage.intercept = ({ method }) => (method === "GET" ? undefined : problem(503, "Starting."));
    await again.click();
    await dialog(page).getByText("Starting.").waitFor();
    area.stage.intercept = undefined;
    const before = writes();
    await again.dblclick();
    await page.getByText(one.done).waitFor();
    assert.equal(writes(), before + 1);
  },
);

test.each(dialogs)(
  "if the response to $what is lost, the page does not report a failure, and leads to the end",
  async (one) => {
    const page = await openPage(one);
    await one.open(page);
    await one.enter?.(page);
    await page.route("**/admin/**", async (route) => {
      if (route.request().method() === "GET") return route.continue();
      await route.fetch();
      await route.abort("connectionreset");
    });
    await dialog(page).getByRole("button", { name: one.button, exact: true }).click();
    const { shown, press } = one.lost ?? { shown: /^It is not known whether/, press: [one.again ?? "Try again"] };
    await page.getByText(shown).first().waitFor();
    await page.unroute("**/admin/**");
    for (const name of press) await dialog(page).getByRole("button", { name, exact: true }).click();
    if (press.length > 0) await page.getByText(one.done).first().waitFor();
    assert.equal(await page.getByText(/ was not /).count(), 0);
  },
);
