import assert from "node:assert/strict";
import { test } from "@jest/globals";
import type { Page } from "playwright-core";
import { minutesAgo, problem, stagedKey } from "../support/adminApi.ts";
import { DeveloperAreaTests } from "../support/developerAreaTests.ts";
import { chooseMore } from "../support/openDeveloperArea.ts";
import { stagedWebhook } from "../support/stagedWebhooks.ts";

const area = new DeveloperAreaTests();
const dialog = (page: Page) => page.getByRole("dialog");
const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();

/** Dialogs that write, each with what a person enters, the button, and what is shown afterwards. */
const dialogs: {
  name: string;
  page: "key" | "webhook";
  enter: (page: Page) => Promise<void>;
  button: string;
  done: RegExp;
}[] = [
  {
    name: "a planned revocation",
    page: "key",
    enter: async (page) => {
      await press(page, "Revoke Website");
      await page.getByLabel("When?").selectOption("In 7 days");
    },
    button: "Plan to revoke “Website”",
    done: /will be revoked on/,
  },
  {
    name: "a renaming",
    page: "key",
    enter: async (page) => {
      await press(page, "Rename");
      await dialog(page).getByRole("textbox").fill("Shop");
    },
    button: "Rename",
    done: /The key is named “Shop”/,
  },
  {
    name: "a new webhook",
    page: "webhook",
    enter: async (page) => {
      await page.getByRole("link", { name: "All webhooks" }).click();
      await press(page, "Create webhook");
      await page.getByLabel("Address").fill("https://door.example.org/hook");
    },
    button: "Create webhook",
    done: /Give this secret to the receiver now/,
  },
  {
    name: "a change of a webhook",
    page: "webhook",
    enter: async (page) => {
      await chooseMore(page, "Edit");
      await page.getByLabel("Description").fill("Door");
    },
    button: "Save",
    done: /The webhook is changed/,
  },
  {
    name: "a replay",
    page: "webhook",
    enter: (page) => chooseMore(page, "Replay"),
    button: "Send again",
    done: /The changes are sent again within a minute/,
  },
  {
    name: "a new signing secret",
    page: "webhook",
    enter: (page) => chooseMore(page, "Rotate secret"),
    button: "Make a new secret",
    done: /Give this secret to the receiver now/,
  },
  {
    name: "a deletion",
    page: "webhook",
    enter: (page) => chooseMore(page, "Delete"),
    button: "Delete “CRM”",
    done: /The webhook “CRM” is deleted/,
  },
];

test.each(dialogs)(
  "a restart of the service during $name loses nothing, and a double click does it once",
  async (one) => {
    const key = stagedKey({ name: "Website" });
    const webhook = stagedWebhook({ description: "CRM", delivered_until: minutesAgo(3_000) });
    area.stage.api.keys.push(key);
    area.stage.webhooks.webhooks.push(webhook);
    const page = await area.openSignedIn(one.page === "key" ? `#key/${key.id}` : `#webhooks/${webhook.id}`);
    await page.locator("h1", { hasText: one.page === "key" ? "Website" : "CRM" }).waitFor();
    await one.enter(page);
    await page.route("**/admin/**", (route) => route.abort("connectionrefused"));
    await dialog(page).getByRole("button", { name: one.button, exact: true }).click();
    const again = dialog(page).getByRole("button", { name: "Try again" });
    await again.waitFor();
    await page.unroute("**/admin/**");
    area.stage.intercept = ({ method }) => (method === "GET" ? undefined : problem(503, "Starting."));
    await again.click();
    await dialog(page).getByText("Starting.").waitFor();
    area.stage.intercept = undefined;
    const before = area.stage.requests.filter(({ method }) => method !== "GET").length;
    await again.dblclick();
    await page.getByText(one.done).waitFor();
    assert.equal(area.stage.requests.filter(({ method }) => method !== "GET").length, before + 1);
  },
);
