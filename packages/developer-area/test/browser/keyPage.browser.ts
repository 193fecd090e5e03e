import assert from "node:assert/strict";
import { test } from "@jest/globals";
import type { Page } from "playwright-core";
import { until } from "../../../../test/support/service/until.ts";
import { exactTime, minutesAgo, problem, stagedKey } from "./support/adminApi.ts";
import { DeveloperAreaTests } from "./support/developerAreaTests.ts";
import { assertPicture } from "./support/inspections.ts";
import { realisticUse, stagedFailure } from "./support/stagedUse.ts";

const area = new DeveloperAreaTests();

function stageUsedKey() {
  const key = stagedKey({ name: "Nightly sync", last_used: minutesAgo(3), scopes: ["read", "write:orders"] });
  area.stage.api.keys.push(key);
  area.stage.api.use[key.id] = realisticUse(minutesAgo);
  return { key };
}

const fact = (page: Page, name: string) => page.locator(".facts div", { hasText: name }).first();

test("a key's page shows what the key is, how it is used, and why its requests fail", async () => {
  const { key } = stageUsedKey();
  const page = await area.openSignedIn(`#key/${key.id}`);
  await page.getByRole("heading", { name: "Nightly sync" }).waitFor();
  for (const [name, text] of [
    ["Last used", `3 minutes ago${exactTime(key.last_used ?? "")}`],
    ["Prefix", key.prefix],
    ["Scopes", "Read everything readUpdate order notes write:orders"],
    ["Created", `1 month ago by ada@example.org${exactTime(key.created)}`],
  ] as const) {
    assert.equal(await fact(page, name).locator("dd").textContent(), text);
  }
  const { days, failures = [] } = realisticUse(minutesAgo);
  const sum = (field: "requests" | "client_errors" | "server_errors") =>
    days.reduce((total, day) => total + (day[field] ?? 0), 0);
  const [requests, refused, failed] = [sum("requests"), sum("client_errors"), sum("server_errors")];
  await page.getByText(requests.toLocaleString("en-GB"), { exact: true }).waitFor();
  assert.match((await fact(page, "Request errors").textContent()) ?? "", new RegExp(`${refused} \\([\\d.]+%\\)`));
  assert.match((await fact(page, "Service errors").textContent()) ?? "", new RegExp(`${failed} \\([\\d.]+%\\)`));
  assert.deepEqual(await page.getByRole("heading").allTextContents(), [
    "Nightly sync",
    "Requests in the last 30 days",
    "Latest failed requests",
    "Requests by day",
    "Top operations in the last 30 days",
  ]);
  await page.getByText("Days are in UTC. Numbers are up to a minute old.").waitFor();
  assert.equal(
    await page.getByRole("region", { name: "Top operations" }).getByRole("listitem").first().textContent(),
    "listChanges 6,840",
  );

  const rows = page.getByRole("table", { name: "Latest failed requests" }).getByRole("row");
  await rows.nth(1).waitFor();
  assert.deepEqual(await rows.nth(2).getByRole("cell").allTextContents(), [
    "55 minutes ago",
    "PATCH /v1/orders/90210updateOrder",
    "This key lacks the scope write:orders.It needs the scope “Update order notes”. A key's scopes cannot be changed. Create a key with this scope.",
    "403 forbidden",
    area.stage.api.use[key.id]?.failures?.[1]?.request_id,
  ]);
  assert.equal(await rows.count(), 11);
  await page.getByRole("button", { name: "Show more" }).click();
  await rows.nth(failures.length).waitFor();
  assert.equal(await page.getByRole("button", { name: "Show more" }).count(), 0);
});

test("the picture in the documentation shows a key's page", async () => {
  const { key } = stageUsedKey();
  Object.assign(key, { prefix: "tsk_4fQ9wLxT" });
  const page = await area.openSignedIn(`#key/${key.id}`);
  await page.setViewportSize({ width: 1280, height: 1080 });
  await page.getByRole("table", { name: "Latest failed requests" }).waitFor();
  await page.getByRole("img").waitFor();
  await assertPicture(page, "key");
});

test("the chart and its table show the same 30 days, with each kind of response", async () => {
  const key = stagedKey({ name: "Website", last_used: minutesAgo(3) });
  area.stage.api.keys.push(key);
  area.stage.api.use[key.id] = {
    days: [
      { requests: 1_000, client_errors: 1 },
      { requests: 9, server_errors: 4 },
    ],
  };
  const page = await area.openSignedIn(`#key/${key.id}`);
  await page.getByRole("img").waitFor();
  const titles = await page.locator(".usage-chart title").allTextContents();
  assert.equal(titles.length, 30);
  assert.match(titles.at(-2) ?? "", /: Successful 999, Request errors \(4xx\) 1, Service errors \(5xx\) 0$/);
  const table = page.getByRole("table", { name: "Requests by day" });
  assert.ok(await table.isHidden());
  await page.getByText("Show as a table").click();
  const rows = table.getByRole("row");
  assert.equal(await rows.count(), 31);
  assert.deepEqual(await rows.nth(1).getByRole("cell").allTextContents(), ["5", "0", "4"]);
  assert.deepEqual(await rows.nth(2).getByRole("cell").allTextContents(), ["999", "1", "0"]);
});

test("a key without requests, and a revoked key, say so", async () => {
  const revoked = { status: "revoked" as const, revoked: minutesAgo(90), revoked_by: "grace@example.org" };
  const key = stagedKey({ name: "Newsletter", ...revoked });
  area.stage.api.keys.push(key);
  const page = await area.openSignedIn(`#key/${key.id}`);
  await page.getByText("No requests in the last 30 days.").waitFor();
  await page.getByText("No failed requests in the last 7 days.").waitFor();
  assert.equal(await fact(page, "Last used").locator("dd").textContent(), "never");
  assert.equal(
    await fact(page, "Revoked").locator("dd").textContent(),
    `1 hour ago by grace@example.org${exactTime(revoked.revoked)}`,
  );
  assert.equal(await page.getByRole("button", { name: /^(Rotate|Revoke)/ }).count(), 0);
});

test("each part that cannot be loaded is reported, and can be retried", async () => {
  const { key } = stageUsedKey();
  area.stage.intercept = ({ path }) =>
    /usage|failures/.test(path) ? problem(500, "Something went wrong.") : undefined;
  const page = await area.openSignedIn(`#key/${key.id}`);
  await page.getByText("The failed requests could not be loaded").waitFor();
  await page.getByText("The usage could not be loaded").waitFor();
  area.stage.intercept = undefined;
  for (const id of ["usage", "failures"])
    await page.locator(`section[aria-labelledby=${id}]`).getByRole("button", { name: "Retry" }).click();
  await page.getByRole("img").waitFor();
  await page.getByRole("table", { name: "Latest failed requests" }).waitFor();
});

test("usage and failures are refreshed while the page is open", async () => {
  const { key } = stageUsedKey();
  const page = await area.openSignedInWithClock();
  await page.getByRole("rowheader").getByRole("link", { name: key.name }).click();
  await page.getByRole("img").waitFor();
  area.stage.api.use[key.id] = {
    days: [{ requests: 12_345 }],
    failures: [stagedFailure({ time: minutesAgo(0), operation_id: "getTicket" })],
  };
  await page.clock.runFor(20_000);
  await page.getByRole("definition").getByText("12,345").waitFor();
  await page.getByRole("cell", { name: "getTicket" }).waitFor();
});

test("an unknown key has a page that says so and leads back", async () => {
  const page = await area.openSignedIn("#key/gone%E0%A4");
  await page.getByRole("heading", { name: "This key does not exist" }).waitFor();
  await page.getByRole("link", { name: "All keys" }).click();
  await page.getByText("There are no API keys yet").waitFor();
});

test("with the keyboard alone, a person opens a key's page and returns to where they were", async () => {
  const { key } = stageUsedKey();
  const page = await area.openSignedIn();
  await page.getByRole("rowheader").getByRole("link", { name: key.name }).focus();
  await page.keyboard.press("Enter");
  await page.locator("h1:focus", { hasText: key.name }).waitFor();
  await page.keyboard.press("Tab");
  await page.locator("button:focus", { hasText: "Rename" }).waitFor();
  await page.getByText("Show as a table").focus();
  await page.keyboard.press("Enter");
  await page.getByRole("table", { name: "Requests by day" }).waitFor();
  await page.goBack();
  await page.locator(`a:focus[href="#key/${key.id}"]`).waitFor();
});

test("a key is renamed on its page, unless the page or the API refuses the name", async () => {
  const key = stagedKey({ name: "Sync" });
  area.stage.api.keys.push(key);
  const page = await area.openSignedIn(`#key/${key.id}`);
  await page.getByRole("button", { name: "Rename" }).click();
  const dialog = page.getByRole("dialog");
  for (const [name, reason] of [
    ["  ", "Give the key a name."],
    ["refused", "This name is refused."],
  ] as const) {
    await dialog.getByRole("textbox").fill(name);
    await dialog.getByRole("button", { name: "Rename" }).click();
    await page.getByText(reason).waitFor();
  }
  await dialog.getByRole("textbox").fill("Sync, Riverside");
  await dialog.getByRole("button", { name: "Rename" }).click();
  await page.locator("h1", { hasText: "Sync, Riverside" }).waitFor();
  await until(async () => (await page.title()).startsWith("Sync, Riverside"));
});
