import assert from "node:assert/strict";
import { test } from "@jest/globals";
import type { Page } from "playwright-core";
import { cases } from "../../../../../test/support/jest/cases.ts";
import { minutesAgo, problem, stagedKey } from "../support/adminApi.ts";
import { DeveloperAreaTests } from "../support/developerAreaTests.ts";
import { signInInSecondWindow } from "../support/openDeveloperArea.ts";
import { stagedWebhook } from "../support/stagedWebhooks.ts";

const area = new DeveloperAreaTests();
/** Names the key and the webhook. */
const name = "“CRM” می‌خواهم 👩‍👧 <b>";
const dialog = (page: Page) => page.getByRole("dialog");
const button = (page: Page, name: string) => dialog(page).getByRole("button", { name, exact: true });
const fill = (label: string, text: string) => (page: Page) => dialog(page).getByLabel(label).fill(text);

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
  at: "keys" | "key" | "webhooks" | "webhook";
  open: (page: Page) => Promise<void>;
  enter?: (page: Page) => Promise<void>;
  button: string;
  /** The button to send the same request again. By default "Try again". */
  again?: string;
  done: RegExp;
  /** After a response is lost: what is shown, and which buttons lead to the end. By default {@link again}. */
  lost?: { shown: RegExp; press: string[] };
}

const secretShown = /Store this key now/;
/** The secret of the first key is lost. */
const replaced = { shown: /It is not known whether the key was/, press: ["Try again", "Revoke it and create another"] };

/** Every dialog that writes. */
const dialogs: Record<string, WritingDialog> = {
  "a new key": {
    ...{ at: "keys", open: press("Create key"), enter: fill("Name", "Shop"), button: "Create key" },
    ...{ done: secretShown, lost: replaced },
  },
  "a rotated key": {
    ...{ at: "key", open: press(`Rotate ${name}`), button: "Create key", done: secretShown, lost: replaced },
  },
  "a revocation": {
    ...{ at: "key", open: press(`Revoke ${name}`), button: `Revoke “${name}”`, done: /Key “.*” is revoked/ },
    lost: { shown: /was revoked by ada@/, press: [] },
  },
  "a new name": {
    ...{ at: "key", open: press("Rename"), enter: fill("Name", "Shop"), button: "Rename" },
    done: /The key is named “Shop”/,
  },
  "a new webhook": {
    ...{ at: "webhooks", open: press("Create webhook"), enter: fill("Address", "https://door.example.org/hook") },
    ...{ button: "Create webhook", done: /Give this secret to the receiver now/ },
  },
  "a test message": {
    ...{ at: "webhook", open: press("Test"), button: "Send a test message", again: "Send again" },
    done: /The receiver accepted it/,
  },
  "a changed webhook": {
    ...{ at: "webhook", open: press("More", "Edit"), enter: fill("Description", "Door"), button: "Save" },
    done: /The webhook was changed/,
  },
  "a replay": {
    ...{ at: "webhook", open: press("More", "Replay"), button: "Send again" },
    done: /The changes will be sent again within a minute/,
  },
  "a new signing secret": {
    ...{ at: "webhook", open: press("More", "Rotate secret"), button: "Make a new secret" },
    done: /Give this secret to the receiver now/,
  },
  "the end of a signing secret": {
    ...{ at: "webhook", button: "End the earlier secret", done: /The earlier secret has ended/ },
    open: async (page) => {
      for (const webhook of area.stage.webhooks.webhooks) webhook.earlier_secret_until = minutesAgo(-60);
      await page.reload();
      await press("End the earlier secret")(page);
    },
  },
  "a deletion": {
    ...{ at: "webhook", open: press("More", "Delete"), button: `Delete “${name}”` },
    ...{ done: /The webhook “.*” is deleted/, lost: { shown: /This webhook does not exist/, press: [] } },
  },
};

const writes = () => area.stage.requests.filter(({ method }) => method !== "GET");

async function openPage({ at }: WritingDialog): Promise<Page> {
  const key = stagedKey({ name });
  const webhook = stagedWebhook({ description: name, delivered_until: minutesAgo(3_000) });
  area.stage.api.keys.push(key);
  area.stage.webhooks.webhooks.push(webhook);
  const hashes = { keys: "#keys", key: `#key/${key.id}`, webhooks: "#webhooks", webhook: `#webhooks/${webhook.id}` };
  const page = await area.openSignedIn(hashes[at]);
  await page.getByText(name).first().waitFor();
  return page;
}

async function begin(one: WritingDialog): Promise<Page> {
  const page = await openPage(one);
  await one.open(page);
  await one.enter?.(page);
  return page;
}

function answerWrites(status: number, detail: string): void {
  area.stage.intercept = ({ method }) => (method === "GET" ? undefined : problem(status, detail));
}

/** Presses a button that Tab reaches from where the focus is. */
async function pressByTab(page: Page, text: string): Promise<void> {
  const focused = dialog(page).locator("button:focus", { hasText: text });
  for (let presses = 0; (await focused.count()) === 0; presses++) {
    assert.ok(presses < 30, `Tab does not reach “${text}”.`);
    await page.keyboard.press("Tab");
    // Mantine's focus trap (9.8, scopeTab) corrects the focus in a timer after Tab leaves a date and time. A second Tab before it would be lost.
    await page.evaluate("new Promise((resolve) => setTimeout(resolve))");
  }
  assert.equal(await page.evaluate("getComputedStyle(document.activeElement).outlineStyle"), "solid");
  await page.keyboard.press("Enter");
}

const all = Object.entries(dialogs);
/** A third of the dialogs, for behaviour of the form that all share; all of them with THOROUGH=1. */
const some = (first: 0 | 1 | 2) =>
  cases(
    all.filter((_, at) => at % 3 === first),
    all,
  );
const againIn = ({ again = "Try again" }: WritingDialog) => again;

test.each(all)("%s fits every screen, and axe finds nothing", async (what, one) => {
  await begin(one);
  await area.inspect(what);
});

test.each(all)("%s needs only the keyboard, on a screen at 400 % zoom with forced colours", async (_, one) => {
  const page = await begin(one);
  await page.emulateMedia({ forcedColors: "active" });
  await page.setViewportSize({ width: 320, height: 256 });
  await pressByTab(page, one.button);
  await page.getByText(one.done).waitFor();
});

test.each(some(0))("%s is left with Back, which leads nowhere else", async (_, one) => {
  const page = await openPage(one);
  await one.open(page);
  await dialog(page).waitFor();
  const { href } = new URL(page.url());
  await page.goBack();
  await dialog(page).waitFor({ state: "detached" });
  assert.deepEqual([page.url(), writes().length], [href, 0]);
});

test.each(some(1))("%s is finished after its session has expired", async (_, one) => {
  const page = await begin(one);
  answerWrites(401, "Sign in again.");
  await button(page, one.button).click();
  await page.getByText("Your session has expired").waitFor();
  area.stage.intercept = undefined;
  await signInInSecondWindow(page);
  await button(page, one.button).click();
  await page.getByText(one.done).waitFor();
});

test.each(some(2))("%s is finished after a restart of the service", async (_, one) => {
  const page = await begin(one);
  await page.route("**/admin/**", (route) => route.abort("connectionrefused"));
  await button(page, one.button).click();
  await button(page, againIn(one)).waitFor();
  await page.unroute("**/admin/**");
  answerWrites(503, "Starting.");
  await button(page, againIn(one)).click();
  await dialog(page).getByText("Starting.").waitFor();
  area.stage.intercept = undefined;
  await button(page, againIn(one)).click();
  await page.getByText(one.done).waitFor();
});

test.each(some(0))("%s is sent once by a double click", async (_, one) => {
  const page = await begin(one);
  await button(page, one.button).dblclick();
  await page.getByText(one.done).waitFor();
  assert.equal(writes().length, 1);
});

test.each(all)(
  "%s is not reported as failed if its response is lost, and the same request finishes it",
  async (_, one) => {
    const page = await begin(one);
    await page.route("**/admin/**", async (route) => {
      if (route.request().method() === "GET") return route.continue();
      await route.fetch();
      await route.abort("connectionreset");
    });
    await button(page, one.button).click();
    const { shown, press } = one.lost ?? { shown: /^It is not known whether/, press: [againIn(one)] };
    await page.getByText(shown).first().waitFor();
    assert.equal(await page.getByText(/ was not /).count(), 0);
    await page.unroute("**/admin/**");
    for (const name of press) await button(page, name).click();
    if (press.length > 0) await page.getByText(one.done).first().waitFor();
    const [first, second = first] = writes();
    assert.deepEqual([second?.body, second?.idempotencyKey], [first?.body, first?.idempotencyKey]);
  },
);
