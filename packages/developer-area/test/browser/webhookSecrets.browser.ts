import assert from "node:assert/strict";
import { test } from "@jest/globals";
import type { Page } from "playwright-core";
import { minutesAgo } from "./support/adminApi.ts";
import { DeveloperAreaTests } from "./support/developerAreaTests.ts";
import { chooseMore, memory } from "./support/openDeveloperArea.ts";
import { stagedWebhook } from "./support/stagedWebhooks.ts";

const area = new DeveloperAreaTests();
const dialog = (page: Page) => page.getByRole("dialog");
const writes = (method: string) => area.stage.requests.filter((request) => request.method === method);

function stage(settings: Parameters<typeof stagedWebhook>[0] = {}) {
  const webhook = stagedWebhook({ description: "CRM", ...settings });
  area.stage.webhooks.webhooks.push(webhook);
  return webhook;
}

test("a webhook is created with chosen types, and its secret is shown once", async () => {
  const page = await area.openSignedIn("#webhooks");
  await page.getByRole("button", { name: "Create the first webhook" }).click();
  await dialog(page).getByRole("button", { name: "Create webhook" }).click();
  await page.getByText("Enter the receiver's address.").waitFor();
  await page.getByText("A deployed service requires https and a public host.").waitFor();
  await page.getByLabel("Address").fill("http://crm.example.org");
  await dialog(page).getByRole("button", { name: "Create webhook" }).click();
  await page.getByText("Must be an https URL.").waitFor();
  await page.getByLabel("Address").fill("https://crm.example.org/hook");
  await page.getByLabel("All changes").uncheck();
  await dialog(page).getByRole("button", { name: "Create webhook" }).click();
  await page.getByText("Choose at least one.").waitFor();
  await page.getByLabel("Orders", { exact: true }).check();
  await page.getByLabel("Description").fill("CRM");
  await area.inspect("webhook-create");
  await dialog(page).getByRole("button", { name: "Create webhook" }).dblclick();
  await page.getByText("Give this secret to the receiver now").waitFor();
  const field = page.getByLabel("Signing secret", { exact: true });
  assert.match(await field.inputValue(), /^whsec_•+$/);
  await page.getByRole("button", { name: "Show: Signing secret" }).click();
  const secret = await field.inputValue();
  await page.keyboard.press("Escape");
  await page.getByText("The signing secret is not stored yet.").waitFor();
  await area.inspect("webhook-secret");
  await page.getByLabel("I have stored it").check();
  await page.getByRole("button", { name: "Done" }).click();
  await page.getByRole("link", { name: "CRM" }).waitFor();
  assert.equal(writes("POST").length, 2);
  assert.deepEqual(area.stage.webhooks.webhooks[0]?.types, ["order"]);
  assert.ok(!(await memory(area.opened)).includes(secret.slice("whsec_".length)), "the page forgets the secret");
});

test("after a lost response, trying again creates the same webhook", async () => {
  const page = await area.openSignedIn("#webhooks");
  await page.getByRole("button", { name: "Create the first webhook" }).click();
  await page.getByLabel("Address").fill("https://crm.example.org/hook");
  let isLost = false;
  await page.route("**/admin/webhooks", async (route) => {
    if (isLost || route.request().method() !== "POST") return route.continue();
    isLost = true;
    await route.fetch();
    await route.abort("connectionreset");
  });
  await dialog(page).getByRole("button", { name: "Create webhook" }).click();
  await page.getByText("It is not known whether the webhook was created").waitFor();
  await area.inspect("webhook-unknown");
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByText("Give this secret to the receiver now").waitFor();
  assert.equal(area.stage.webhooks.webhooks.length, 1);
});

test("after a lost response, trying again shows the same secret", async () => {
  const crm = stage();
  const page = await area.openSignedIn(`#webhooks/${crm.id}`);
  await chooseMore(page, "Rotate secret");
  let lost: string | undefined;
  await page.route("**/rotate-secret", async (route) => {
    if (lost !== undefined) return route.continue();
    lost = (await (await route.fetch()).json()).secret;
    await route.abort("connectionreset");
  });
  await page.getByRole("button", { name: "Make a new secret" }).click();
  await page.getByText("you get the same secret, never another one").waitFor();
  await area.inspect("webhook-rotation-unknown");
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByRole("button", { name: "Show: Signing secret" }).click();
  assert.equal(await page.getByLabel("Signing secret", { exact: true }).inputValue(), lost);
  await page.getByLabel("I have stored it").check();
  await page.getByRole("button", { name: "Done" }).click();
  await dialog(page).waitFor({ state: "hidden" });
});

test("while both secrets sign, another rotation is refused until the earlier one is ended", async () => {
  const crm = stage({ earlier_secret_until: minutesAgo(-60) });
  const page = await area.openSignedIn(`#webhooks/${crm.id}`);
  await page.getByText("Both secrets sign until").waitFor();
  await area.inspect("webhook-two-secrets");
  await chooseMore(page, "Rotate secret");
  await dialog(page).getByText("Both secrets sign until").waitFor();
  await page.getByRole("button", { name: "Make a new secret" }).click();
  await page.getByText("The secret before the last rotation still signs.").waitFor();
  await area.inspect("webhook-rotation-refused");
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("button", { name: "End the earlier secret" }).click();
  await area.inspect("webhook-end-secret");
  await dialog(page).getByRole("button", { name: "End the earlier secret" }).click();
  await page.getByText("The earlier secret has ended.").waitFor();
  assert.equal(crm.earlier_secret_until, null);
  await page.getByText("Both secrets sign until").waitFor({ state: "detached" });
  await chooseMore(page, "Rotate secret");
  await page.getByRole("button", { name: "Make a new secret" }).click();
  await page.getByText("Give this secret to the receiver now").waitFor();
});
