import assert from "node:assert/strict";
import { test } from "@jest/globals";
import type { Page } from "playwright-core";
import { minutesAgo, problem, stagedKey } from "./support/adminApi.ts";
import { DeveloperAreaTests } from "./support/developerAreaTests.ts";
import { assertPicture } from "./support/inspections.ts";
import { realisticUse, stagedFailure } from "./support/stagedUse.ts";

const area = new DeveloperAreaTests();

/** Stages a key that lacks a scope, one that is revoked and still used, and one with several mistakes. */
function stageFailures() {
  const crm = stagedKey({ name: "CRM", last_used: minutesAgo(3) });
  const revoked = { status: "revoked" as const, revoked: minutesAgo(500), revoked_by: "grace@example.org" };
  const shop = stagedKey({ name: "Web shop", ...revoked });
  area.stage.api.keys.push(crm, shop);
  area.stage.api.use[crm.id] = realisticUse(minutesAgo);
  area.stage.api.use[shop.id] = {
    days: [{ requests: 0, refused: 96 }],
    failures: [
      stagedFailure({
        time: minutesAgo(20),
        first_time: minutesAgo(90),
        count: 41,
        operation_id: null,
        path: "/v1/events",
        status: 401,
        code: "unauthorized",
        detail: "The key was revoked.",
      }),
    ],
  };
  return { crm, shop };
}

const rows = (page: Page) => page.getByRole("table", { name: "Failed requests" }).locator("tbody tr");

test("all keys' failed requests are shown with key, request and reason, the latest first", async () => {
  stageFailures();
  const page = await area.openSignedIn("#failures");
  await rows(page).first().waitFor();
  assert.equal(await rows(page).count(), 13);
  const [first] = await rows(page).all();
  assert.match((await first?.getByRole("cell").first().textContent()) ?? "", /41 times, first /);
  assert.deepEqual((await first?.getByRole("cell").allTextContents())?.slice(1, 5), [
    "Web shop",
    "GET /v1/events",
    "The key was revoked.A program is still using this key. Give it a new key, or stop it.",
    "401 unauthorized",
  ]);
  await page.getByText("53 failed requests.").waitFor();
});

test("the picture in the documentation shows the failed requests of all keys", async () => {
  const { shop } = stageFailures();
  for (const [index, failure] of (area.stage.api.use[shop.id]?.failures ?? []).entries())
    failure.request_id = `4c1e9a70-52f3-4d0e-8a11-0b7c6e2d9f${20 + index}`;
  const page = await area.openSignedIn("#failures");
  await page.getByText("53 failed requests.").waitFor();
  await assertPicture(page, "failures");
});

test("failed requests are filtered by key, status and operation, and a key's page leads to its own", async () => {
  const { crm } = stageFailures();
  const page = await area.openSignedIn(`#key/${crm.id}`);
  await page.getByRole("link", { name: "Filter these failures" }).click();
  await page.getByText("12 failed requests.").waitFor();
  assert.equal(await page.getByLabel("Key", { exact: true }).inputValue(), crm.id);
  await page.getByLabel("Status", { exact: true }).selectOption("403");
  await page.getByText("3 failed requests.").waitFor();
  await page.getByLabel("Operation").selectOption("listEvents");
  await page.getByText("No failed request matches.").waitFor();
  await page.getByLabel("Status", { exact: true }).selectOption("");
  await page.getByText("1 failed request.").waitFor();
  await page.getByLabel("Operation").selectOption("(none: key rejected)");
  await page.getByLabel("Key", { exact: true }).selectOption("All keys");
  await page.getByText("41 failed requests.").waitFor();
  await page.waitForURL(({ hash }) => hash === "#failures?operation=%28none%3A+key+rejected%29");
  area.stage.api.keys.push(stagedKey({ name: "crm" }));
  await page.reload();
  await page.getByText("41 failed requests.").waitFor();
  await page.getByLabel("Key", { exact: true }).selectOption(`CRM, ${crm.prefix}`);
});

test("a filter loads all failed requests, 50 are shown at a time, and an error can be retried", async () => {
  const key = stagedKey({ name: "Noisy" });
  area.stage.api.keys.push(key);
  const failures = Array.from({ length: 320 }, (_, index) =>
    stagedFailure({ time: minutesAgo(index + 1), ...(index === 310 && { status: 503 }) }),
  );
  area.stage.api.use[key.id] = { days: [], failures };
  const page = await area.openSignedIn("#failures");
  await page.getByText("Showing 50 failed requests.").waitFor();
  await page.getByRole("button", { name: "Show more" }).click();
  await page.getByText("Showing 100 failed requests.").waitFor();
  area.stage.intercept = ({ query }) => (query.get("cursor") === "200" ? problem(500, "Broken.") : undefined);
  await page.getByLabel("Key", { exact: true }).selectOption("Noisy");
  await page.getByText("The failed requests could not be loaded").waitFor();
  area.stage.intercept = undefined;
  await page.getByRole("button", { name: "Retry" }).click();
  await page.getByLabel("Status", { exact: true }).selectOption("503");
  await page.getByText("1 failed request.", { exact: true }).waitFor();
});

test("a key of a suspended organisation is not said to be in the wrong program", async () => {
  const { shop } = stageFailures();
  Object.assign(shop, { status: "active", suspended: true });
  for (const failure of area.stage.api.use[shop.id]?.failures ?? []) failure.detail = "The organisation is suspended.";
  const page = await area.openSignedIn("#failures");
  await page.getByText("The organisation is suspended.").first().waitFor();
  assert.equal(await page.getByText("A program is still using this key.").count(), 0);
});

test("without failed requests, the page says so", async () => {
  const page = await area.openSignedIn("#failures");
  await page.getByText("No failed requests in the last 7 days.").waitFor();
});
