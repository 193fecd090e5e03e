import assert from "node:assert/strict";
import { describe, test } from "@jest/globals";
import type { Page } from "playwright-core";
import { minutesAgo, problem, stagedKey } from "./support/adminApi.ts";
import { ada } from "./support/developerAreaStage.ts";
import { DeveloperAreaTests } from "./support/developerAreaTests.ts";
import { traces } from "./support/openDeveloperArea.ts";

const area = new DeveloperAreaTests();
const dayMinutes = 24 * 60;
const revokedByAda = { status: "revoked" as const, revoked: minutesAgo(5.4), revoked_by: ada.email };

function stageKeys(count: number) {
  for (let number = 1; number <= count; number++) {
    area.stage.api.keys.push(
      stagedKey({
        name: `Key ${number}`,
        created: minutesAgo(number),
        last_used: number % 2 ? minutesAgo(number) : null,
        scopes: number % 3 ? ["read"] : ["read", "write:orders"],
        ...(number % 5 === 0 && revokedByAda),
      }),
    );
  }
}

const rows = (page: Page) => page.locator(".keys tbody tr");
const names = (page: Page) => page.locator(".keys tbody th > div:first-child a");

test("active keys are shown first, and status, scope and search narrow the list", async () => {
  stageKeys(30);
  area.stage.api.keys.push(stagedKey({ name: "Crème Brûlée", prefix: "tsk_ZZtopABC", created: minutesAgo(99) }));
  const page = await area.openSignedIn();
  await page.getByText("25 keys").waitFor();
  await page.getByText("All 31", { exact: true }).click();
  await page.getByText("31 keys").waitFor();
  await page.getByLabel("Scope").selectOption({ label: "Update order notes" });
  await page.getByText("10 keys").waitFor();
  await page.getByText("Revoked 6", { exact: true }).click();
  assert.deepEqual(await names(page).allTextContents(), ["Key 15", "Key 30"]);
  await page.getByRole("searchbox", { name: "Search keys" }).fill("cREME bru ");
  await page.getByText("No key matches").waitFor();
  await page.getByRole("button", { name: "Search all keys" }).click();
  await page.getByText("1 key", { exact: true }).waitFor();
  await page.getByRole("searchbox", { name: "Search keys" }).fill("Creme Brille");
  await page.getByRole("button", { name: "Clear the search" }).click();
  await page.getByText("31 keys").waitFor();
  for (const search of ["cREME bru ", "zztop"]) {
    await page.getByRole("searchbox", { name: "Search keys" }).fill(search);
    await page.getByText("1 key", { exact: true }).waitFor();
    assert.deepEqual(await names(page).allTextContents(), ["Crème Brûlée"]);
  }
});

const secret = "tsk_4fQ9wLxT2bYc8dKp1nRs7vZa3eGh5jXm6tWq9rBk0sLuTa4Ce";

test.each([
  ["with its header", `Authorization: Bearer ${secret}`],
  ["escaped, with invisible characters from a chat", `tsk\\_4fQ9\u200BwL\u00ADxT${secret.slice(12)}\u202C`],
  ["quoted, with line breaks from a log", `'"tsk_4fQ9\nwLxT2bYc8dKp1nRs7vZa3e\nGh5jXm6tWq9rBk0sLuTa4Ce "'`],
])("a pasted secret, %s, finds its key, and only its prefix stays on the page", async (_, pasted) => {
  stageKeys(3);
  area.stage.api.keys.push(stagedKey({ name: "Leaked", prefix: secret.slice(0, 12), ...revokedByAda }));
  const page = await area.openSignedIn();
  await area.opened.context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.evaluate(`window.addresses = [];
    for (const name of ["pushState", "replaceState"]) {
      const original = history[name].bind(history);
      history[name] = (...given) => { addresses.push(String(given[2])); original(...given); };
    }
    navigator.clipboard.writeText(${JSON.stringify(pasted)})`);
  const search = page.getByRole("searchbox", { name: "Search keys" });
  await search.focus();
  await page.keyboard.press("Control+v");
  await page.getByRole("button", { name: "Search all keys" }).click();
  await page.getByText("1 key", { exact: true }).waitFor();
  assert.deepEqual(await names(page).allTextContents(), ["Leaked"]);
  assert.equal(await search.inputValue(), secret.slice(0, 12));
  const addresses = await page.evaluate<string[]>("[...addresses, location.href]");
  assert.match(addresses.at(-1) ?? "", /search=tsk_4fQ9wLxT/);
  for (const part of [secret.slice(12, 20), secret.slice(-8), "Bearer"])
    assert.ok(!`${addresses.join()}${await traces(area.opened)}`.includes(part), part);
});

test("a link with a secret shows its key, without keeping the secret in the address", async () => {
  area.stage.api.keys.push(stagedKey({ name: "Leaked", prefix: secret.slice(0, 12) }));
  const page = await area.openSignedIn(`#keys?search=${secret}`);
  await page.getByText("1 key", { exact: true }).waitFor();
  await page.waitForURL(({ hash }) => hash === `#keys?search=${secret.slice(0, 12)}`);
});

test("active keys of one name are marked, and a new key of that name is warned of", async () => {
  const [first, second] = [stagedKey({ name: "Website" }), stagedKey({ name: "website " })];
  area.stage.api.keys.push(first, second, stagedKey({ name: "CRM" }), stagedKey({ name: "CRM", ...revokedByAda }));
  const page = await area.openSignedIn();
  await rows(page).first().waitFor();
  const labels = await page
    .getByRole("button", { name: /^Revoke / })
    .evaluateAll((buttons) => buttons.map((button) => button.getAttribute("aria-label")));
  assert.deepEqual(labels.toSorted(), [
    "Revoke CRM",
    ...[`Revoke Website, ${first.prefix}`, `Revoke website , ${second.prefix}`].toSorted(),
  ]);
  for (const { name, prefix } of [first, second])
    await page.getByRole("link", { name: `${name}, ${prefix}` }).waitFor();
  assert.equal(await page.getByText("Same name").count(), 2);
  await page.getByRole("button", { name: "Create key" }).click();
  await page.getByLabel("Name").fill("WEBSITE");
  await page.getByRole("status").getByText("Another active key has this name").waitFor();
});

test("a suspended organisation is reported, and its keys are not shown as active", async () => {
  area.stage.api.keys.push(
    stagedKey({ name: "Website", suspended: true }),
    stagedKey({ name: "Old", suspended: true, ...revokedByAda }),
  );
  const page = await area.openSignedIn();
  await page.getByRole("alert").getByText("Your organisation is suspended").waitFor();
  await page.getByText("All 2", { exact: true }).click();
  await page.getByText("2 keys").waitFor();
  const statuses = await page.locator(".keys td[data-label=Status] .status").allTextContents();
  assert.deepEqual(statuses.toSorted(), ["Revoked", "Suspended"]);
  await page.getByRole("link", { name: "Website" }).click();
  await page.getByRole("main").getByText("Suspended", { exact: true }).waitFor();
});

test("keys are shown 50 at a time, in a chosen order", async () => {
  stageKeys(500);
  const page = await area.openSignedIn();
  await page.getByText("Showing 50 keys.").waitFor();
  assert.equal(await rows(page).count(), 50);
  assert.equal(await names(page).first().textContent(), "Key 1", "newest first");
  await page.getByRole("button", { name: "Show more" }).click();
  await page.getByText("Showing 100 keys.").waitFor();
  await page.getByRole("button", { name: "Name", exact: true }).click();
  assert.equal(await page.getByRole("columnheader", { name: "Name" }).getAttribute("aria-sort"), "ascending");
  assert.deepEqual((await names(page).allTextContents()).slice(3, 5), ["Key 4", "Key 6"]);
  await page.getByLabel("Scope").selectOption("write:orders");
  await page.getByRole("button", { name: "Show more" }).click();
  await page.getByText("133 keys", { exact: true }).waitFor();
  assert.equal(await page.getByRole("button", { name: "Show more" }).count(), 0);
});

test("filters and order survive a visit to a key's page and a reload", async () => {
  stageKeys(50);
  const page = await area.openSignedIn();
  await page.getByRole("searchbox").fill("key 1");
  await page.getByRole("button", { name: "Name", exact: true }).click();
  await page.getByText("9 keys", { exact: true }).waitFor();
  const shown = await names(page).allTextContents();
  const isShown = async () => {
    await page.getByText("9 keys", { exact: true }).waitFor();
    assert.deepEqual(await names(page).allTextContents(), shown);
  };
  await names(page).nth(5).click();
  await page.getByRole("heading", { name: shown[5] ?? "", exact: true }).waitFor();
  await page.goBack();
  await isShown();
  assert.equal(await page.getByRole("searchbox").inputValue(), "key 1");
  await page.reload();
  await isShown();
  await names(page).nth(5).click();
  await page.getByRole("link", { name: "All keys" }).click();
  await isShown();
});

test("filters are forgotten when the person signs out", async () => {
  area.stage.provider.script.endsSessions = false;
  stageKeys(2);
  const page = await area.openSignedIn();
  await page.getByRole("searchbox").fill("key 1");
  await page.waitForURL(({ hash }) => hash === "#keys?search=key+1");
  await page.getByRole("tab", { name: "Activity" }).click();
  await page.getByRole("tab", { name: "Keys" }).click();
  await page.getByText("1 key", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByRole("button", { name: "Sign in" }).waitFor();
  await page.waitForURL(({ hash }) => hash === "#keys");
});

const hours = (count: number) => minutesAgo(count * 60);
/** The key's requests by day, up to today: used on each of the days before this many days ago. */
const usedUntil = (daysAgo: number, usedDays: number) => ({
  days: Array.from({ length: usedDays + daysAgo }, (_, index) => ({ requests: index < usedDays ? 12 : 0 })),
});
/** The age of an instant in days, in UTC. */
const daysAgo = (instant: string) =>
  Math.round((Date.parse(minutesAgo(0).slice(0, 10)) - Date.parse(instant.slice(0, 10))) / (dayMinutes * 60_000));

describe("a key that stopped calling", () => {
  test("is marked in the list and on its page", async () => {
    const key = stagedKey({ name: "Silent", last_used: hours(30) });
    area.stage.api.keys.push(key);
    area.stage.api.use[key.id] = usedUntil(daysAgo(hours(30)), 5);
    const page = await area.openSignedIn();
    const mark = page.getByText("Stopped calling");
    await mark.waitFor();
    assert.match(
      (await page.getByTitle(/^Used every day/).getAttribute("title")) ?? "",
      /^Used every day until \d+ \w+ \(UTC\), then silent for more than 24 hours\.$/,
    );
    await page.getByRole("link", { name: "Silent" }).click();
    await page.getByRole("alert").getByText("silent for more than 24 hours").waitFor();
  });

  test("is marked only if it is active, was used daily, and has been silent for one to seven days", async () => {
    const unmarked = {
      "Used an hour ago": { last_used: hours(1) },
      "Used 23 hours ago": { last_used: hours(23) },
      "Used 8 days ago": { last_used: hours(8 * 24) },
      "Never used": {},
      Revoked: { last_used: hours(30), ...revokedByAda },
      "Used on four days": { last_used: hours(30) },
    };
    for (const [name, key] of Object.entries(unmarked)) area.stage.api.keys.push(stagedKey({ name, ...key }));
    for (const { id, name, last_used } of area.stage.api.keys) {
      area.stage.api.use[id] = usedUntil(daysAgo(last_used ?? minutesAgo(0)), name === "Used on four days" ? 4 : 10);
    }
    const silent = stagedKey({ name: "Silent", last_used: hours(7 * 24 - 1) });
    area.stage.api.keys.push(silent);
    area.stage.api.use[silent.id] = usedUntil(daysAgo(hours(7 * 24 - 1)), 5);
    const page = await area.openSignedIn();
    await page.getByText("All 7", { exact: true }).click();
    await page.getByRole("row", { name: "Silent" }).getByText("Stopped calling").waitFor();
    assert.equal(await page.getByText("Stopped calling").count(), 1);
  });

  test("is not marked while its usage is unknown", async () => {
    area.stage.api.keys.push(stagedKey({ name: "Silent", last_used: hours(30) }));
    area.stage.intercept = ({ path }) => (path.endsWith("/usage") ? problem(500, "Something went wrong.") : undefined);
    const page = await area.openSignedIn();
    await rows(page).first().waitFor();
    assert.equal(await page.getByText("Stopped calling").count(), 0);
    assert.equal(await page.getByRole("alert").count(), 0);
  });
});
