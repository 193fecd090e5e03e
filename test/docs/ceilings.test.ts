import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "@jest/globals";
import { maximumConcurrency } from "../../functions/feed/feedDelivery.ts";
import { authorizerConcurrency, requestsInBurst, requestsPerSecond } from "../../lib/api/restApi.ts";
import { Settings } from "../../lib/settings.ts";

test("docs/operators/ceilings.md states the limits that are set here", () => {
  const page = readFileSync("docs/operators/ceilings.md", "utf8");
  const { requestsPerMinutePerKey } = Settings.parse({});
  for (const statement of [
    `${requestsPerSecond.toLocaleString("en")}, bursts of ${requestsInBurst}`,
    `| requests a second, one key | ${requestsPerMinutePerKey / 60} |`,
    `${authorizerConcurrency} of them for the API key authorizer`,
    `has ${authorizerConcurrency} processes reserved`,
    `the feed's concurrency, ${maximumConcurrency} |`,
  ]) {
    assert.ok(page.includes(statement), statement);
  }
});
