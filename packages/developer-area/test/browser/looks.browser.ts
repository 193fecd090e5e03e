import { join } from "node:path";
import { test } from "@jest/globals";
import type { Page } from "playwright-core";
import { minutesAgo, problem, stagedActivity, stagedKey } from "./support/adminApi.ts";
import { DeveloperAreaTests } from "./support/developerAreaTests.ts";
import { realisticUse, stagedFailure } from "./support/stagedUse.ts";
import { stagedDelivery, stagedWebhook } from "./support/stagedWebhooks.ts";

const area = new DeveloperAreaTests();
const longName = `${"x".repeat(90)} <b>ü</b>`;
const longAddress = `${"ada".repeat(20)}@example.org`;

/** Stages keys, webhooks, failures and activity of every kind, with long texts. */
function stageEverything() {
  const { api, webhooks } = area.stage;
  const day = 24 * 60;
  const key = stagedKey({ name: longName, last_used: minutesAgo(30 * 60), created_by: longAddress });
  const revoked = { status: "revoked", revoked: minutesAgo(90), revoked_by: "grace@example.org" } as const;
  const all = ["read", "write:orders", "write:balance_payments"];
  api.keys.push(
    key,
    stagedKey({ name: "Website", scopes: all, suspended: true }),
    stagedKey({ name: "website", last_used: minutesAgo(3) }),
    stagedKey({ name: "Newsletter", ...revoked }),
  );
  const { days, failures = [], ...use } = realisticUse(minutesAgo);
  const path = "/v1/events/900719925/balance-payments";
  const failure = stagedFailure({ time: minutesAgo(1), method: "POST", path, code: "unsupported_media_type" });
  // The last day and a half is silent.
  api.use[key.id] = { ...use, days: [...days, { requests: 0 }], failures: [failure, ...failures] };
  const webhook = stagedWebhook({ description: longName, url: `https://example.org/${"x".repeat(200)}` });
  const failing = {
    failing_since: minutesAgo(180),
    next_attempt: minutesAgo(-24),
    earlier_secret_until: minutesAgo(-9),
  };
  webhooks.webhooks.push(
    Object.assign(webhook, failing),
    stagedWebhook({ status: "paused", delivered_until: minutesAgo(2 * day) }),
    stagedWebhook({ status: "disabled" }),
  );
  const delivery = stagedDelivery({ time: minutesAgo(4), attempt: 3, changes: 41, replay: true, status: 503 });
  webhooks.deliveries[webhook.id] = [delivery];
  api.activity.push(
    stagedActivity({
      kind: "webhook",
      action: "replayed",
      time: minutesAgo(8),
      webhook_id: webhook.id,
      url: webhook.url,
    }),
    stagedActivity({
      action: "renamed",
      time: minutesAgo(9),
      actor: longAddress,
      key_name: longName,
      key_prefix: key.prefix,
    }),
  );
  return { key, webhook };
}

const openFull = (hashOf: (staged: ReturnType<typeof stageEverything>) => string) =>
  area.openSignedIn(hashOf(stageEverything()));
const press = async (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();

/** The pages and their states, by what they show at the end. */
const pages: Record<string, { shows: string; open: () => Promise<Page> }> = {
  "the list of keys": {
    shows: "4 keys",
    open: () => openFull(() => "#keys?status=all"),
  },
  "a key's page": {
    shows: "Requests by day",
    open: () => openFull(({ key }) => `#key/${key.id}`),
  },
  "the failures": { shows: "failed requests.", open: () => openFull(() => "#failures") },
  "the webhooks": { shows: "Failing", open: () => openFull(() => "#webhooks") },
  "a webhook's page": {
    shows: "1 entry.",
    open: async () => {
      const page = await openFull(({ webhook }) => `#webhooks/${webhook.id}`);
      await press(page, "More");
      return page;
    },
  },
  "the activity": { shows: "All 2 entries.", open: () => openFull(() => "#activity") },
  "the quick start": { shows: "Lists come in pages", open: () => area.openSignedIn("#quick-start") },
  "the page without keys": { shows: "There are no API keys yet", open: () => area.openSignedIn() },
  "the page while it loads": {
    shows: "Loading the keys",
    open: () => {
      area.stage.intercept = ({ path }) => (path === "/admin/api-keys" ? new Promise(() => {}) : undefined);
      return area.openSignedIn();
    },
  },
  "a list without a match": {
    shows: "No key matches",
    open: () => openFull(() => "#keys?search=none"),
  },
  "an unknown key's page": { shows: "This key does not exist", open: () => area.openSignedIn("#key/gone") },
  "an error": {
    shows: "request-4711",
    open: () => {
      area.stage.intercept = () => problem(500, "Something went wrong.");
      return area.openSignedIn();
    },
  },
  "a refusal": {
    shows: "You cannot manage API keys",
    open: () => {
      area.stage.intercept = () => problem(403, "Super-admins only.");
      return area.openSignedIn();
    },
  },
  "the page before sign-in": { shows: "Manage the API keys", open: () => area.open() },
  "an expired session": {
    shows: "Your session has expired",
    open: () => {
      area.stage.intercept = () => problem(401, "Sign in again.");
      return area.openSignedIn();
    },
  },
  "the warning of an idle session": {
    shows: "Are you still there?",
    open: async () => {
      const page = await area.openSignedInWithClock();
      await page.clock.runFor(29 * 60_000);
      return page;
    },
  },
  "a secret and a question": {
    shows: "You have not stored the secret",
    open: async () => {
      const page = await area.openSignedIn();
      await press(page, "Create the first key");
      await page.getByLabel("Name").fill("Website");
      await press(page, "Create key");
      await page.getByLabel("I have stored it").waitFor();
      await page.keyboard.press("Escape");
      return page;
    },
  },
  "a notification": {
    shows: "Key “website” is revoked.",
    open: async () => {
      area.stage.api.keys.push(stagedKey({ name: "website" }));
      const page = await area.openSignedIn();
      await press(page, "Revoke website");
      await press(page, "Revoke “website”");
      await page.locator(".toast").hover();
      return page;
    },
  },
  "a lost connection": {
    shows: "This page may be out of date.",
    open: async () => {
      const page = await area.openSignedIn("#quick-start");
      await area.opened.context.setOffline(true);
      return page;
    },
  },
};

test.each(Object.entries(pages))(
  "%s fits every screen, and axe finds nothing in either colour scheme",
  async (name, one) => {
    const page = await one.open();
    await page.getByText(one.shows).first().waitFor();
    await area.inspect(name);
    const file = `developer-area-${name.replaceAll(/\W+/g, "-")}.png`;
    await page.screenshot({ path: join(import.meta.dirname, "..", "screenshots", file), animations: "disabled" });
  },
);
