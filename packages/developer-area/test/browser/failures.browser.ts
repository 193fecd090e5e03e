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
    failures: [20, 30].map((minutes) =>
      stagedFailure({
        time: minutesAgo(minutes),
        operation_id: null,
        path: "/v1/events",
        status: 401,
        code: "unauthorized",
        detail: "The key was revoked.",
      }),
    ),
  };
  return { crm, shop };
}

const rows = (page: Page) => page.getByRole("table", { name: "Failed requests" }).locator("tbody tr");

test("a person who was never told how finds out in three clicks why an integration fails", async () => {
  stageFailures();
  const page = await area.open();
  let clicks = 0;
  const click = async (name: string) => {
    await page
      .getByRole("button", { name })
      .or(page.getByRole("link", { name, exact: true }))
      .first()
      .click();
    clicks += 1;
  };
  // The provider has no session, so the person signs in first.
  await page.getByRole("button", { name: "Sign in" }).or(page.getByRole("tablist")).first().waitFor();
  if (await page.getByRole("button", { name: "Sign in" }).isVisible()) await click("Sign in");
  await page.getByRole("tablist").waitFor();
  await click("CRM");
  const failures = page.getByRole("table", { name: "Latest failed requests" });
  await failures.getByText("PATCH /v1/orders/90210").first().waitFor();
  await failures.getByText("It needs “Update order notes”.").first().waitFor();
  await failures.getByText("(unknown name): Unknown parameter. Known: per_page, cursor.").waitFor();
  assert.ok(clicks <= 3, `${clicks} clicks`);
});

test("all keys' failed requests are shown with key, request and reason, the latest first", async () => {
  stageFailures();
  const page = await area.openSignedIn("#failures");
  await rows(page).first().waitFor();
  assert.equal(await rows(page).count(), 14);
  const [first] = await rows(page).all();
  assert.deepEqual((await first?.getByRole("cell").allTextContents())?.slice(1, 5), [
    "Web shop",
    "GET /v1/events",
    "The key was revoked.So a program still sends this key. Give it another one, or switch it off.",
    "401 unauthorized",
  ]);
  await page.getByText("14 failed requests.").waitFor();
  await area.inspect("failures");
});

test("the picture in the documentation shows the failed requests of all keys", async () => {
  const { shop } = stageFailures();
  for (const [index, failure] of (area.stage.api.use[shop.id]?.failures ?? []).entries())
    failure.request_id = `4c1e9a70-52f3-4d0e-8a11-0b7c6e2d9f${20 + index}`;
  const page = await area.openSignedIn("#failures");
  await page.getByText("14 failed requests.").waitFor();
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
  await page.getByLabel("Operation").selectOption("(none: the key does not work)");
  await page.getByLabel("Key", { exact: true }).selectOption("All keys");
  await page.getByText("2 failed requests.").waitFor();
  await page.waitForURL(({ hash }) => hash === "#failures?operation=%28none%3A+the+key+does+not+work%29");
  area.stage.api.keys.push(stagedKey({ name: "crm" }));
  await page.reload();
  await page.getByText("2 failed requests.").waitFor();
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
  await page.getByText("The latest 50 failed requests.").waitFor();
  await page.getByRole("button", { name: "Show more" }).click();
  await page.getByText("The latest 100 failed requests.").waitFor();
  area.stage.intercept = ({ query }) => (query.get("cursor") === "200" ? problem(500, "Broken.") : undefined);
  await page.getByLabel("Key", { exact: true }).selectOption("Noisy");
  await page.getByText("The failed requests could not be loaded").waitFor();
  area.stage.intercept = undefined;
  await page.getByRole("button", { name: "Retry" }).click();
  await page.getByLabel("Status", { exact: true }).selectOption("503");
  await page.getByText("1 failed request.", { exact: true }).waitFor();
});

test("the page explains statuses, and says which failures it does not list", async () => {
  stageFailures();
  const page = await area.openSignedIn("#failures");
  await page.getByText("A status from 400 means a mistake in the request, from 500 a fault of the service.").waitFor();
  await page
    .getByText("a path that does not exist (404), with a mistyped or missing key (401), and above the rate limit (429)")
    .waitFor();
});

test("a key of a suspended organisation is not said to be in the wrong program", async () => {
  const { shop } = stageFailures();
  Object.assign(shop, { status: "active", suspended: true });
  for (const failure of area.stage.api.use[shop.id]?.failures ?? []) failure.detail = "The organisation is suspended.";
  const page = await area.openSignedIn("#failures");
  await page.getByText("The organisation is suspended.").first().waitFor();
  assert.equal(await page.getByText("So a program still sends this key.").count(), 0);
});

test("at 768 pixels the columns of failed requests align, with and without the key's", async () => {
  const { crm } = stageFailures();
  const page = await area.openSignedIn("#failures");
  await page.setViewportSize({ width: 768, height: 1024 });
  for (const labels of [
    ["Time", "Key", "Request", "Why", "Status"],
    ["Time", "Request", "Why", "Status"],
  ]) {
    await page.locator(".failures tbody tr").nth(5).waitFor();
    for (const label of labels) {
      const lefts = await page
        .locator(`.failures td[data-label="${label}"]`)
        .evaluateAll((cells) => cells.map((cell) => cell.getBoundingClientRect().left));
      assert.equal(new Set(lefts).size, 1, `${label}: ${lefts.join()}`);
    }
    await page.evaluate(`location.hash = "key/${crm.id}"`);
    await page.getByRole("heading", { name: "CRM" }).waitFor();
  }
});

test("a long path and code cover nothing at any width or on paper, and a reason is not repeated", async () => {
  const key = stagedKey({ name: "CRM" });
  area.stage.api.keys.push(key);
  const detail = "The Content-Type must be application/json.";
  const failure = stagedFailure({
    ...{ time: minutesAgo(1), method: "POST", path: "/v1/events/900719925/balance-payments", detail },
    ...{ status: 415, code: "unsupported_media_type", parameters: ["(unknown name)"], reasons: [detail] },
  });
  area.stage.api.use[key.id] = { days: [], failures: [failure] };
  const page = await area.openSignedIn("#failures");
  const cells = page.locator(".failures td");
  await cells.first().waitFor();
  assert.equal(await page.locator(".failures td[data-label=Why]").textContent(), detail);
  for (const [media, width] of [
    ...([320, 375, 640, 768, 1023, 1024] as const).map((width) => ["screen", width] as const),
    ["print", 718],
  ] as const) {
    await page.emulateMedia({ media });
    await page.setViewportSize({ width, height: 900 });
    await page.waitForFunction(`innerWidth === ${width}`);
    const outside = await cells.evaluateAll((all) =>
      all.filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth).map(({ innerText }) => innerText),
    );
    assert.deepEqual(outside, [], `${media} ${width}`);
    assert.ok((await page.evaluate<number>("document.documentElement.scrollWidth")) <= width, `${media} ${width}`);
  }
});

test("without failed requests, the page says so", async () => {
  const page = await area.openSignedIn("#failures");
  await page.getByText("No failed requests in the last 7 days.").waitFor();
});

test("failed requests are filtered with the keyboard alone, and have borders in forced colours", async () => {
  stageFailures();
  const page = await area.openSignedIn("#failures");
  await page.emulateMedia({ forcedColors: "active" });
  await rows(page).first().waitFor();
  await page.getByLabel("Key", { exact: true }).focus();
  await page.keyboard.press("End");
  await page.getByText("2 failed requests.").waitFor();
  await page.keyboard.press("Tab");
  await page.keyboard.press("End");
  await page.getByText("No failed request matches.").waitFor();
});
