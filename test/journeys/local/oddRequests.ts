import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { endpoints } from "../../../functions/endpoints/index.ts";
import { assertProblem } from "../../support/assertProblem.ts";
import { examplePaths } from "../../support/examples.ts";
import { callersOf } from "../../support/journeyService.ts";
import { oddRequest } from "../../support/oddRequest.ts";
import { sendRaw } from "../../support/sendRaw.ts";

// Before a deployed stage, AWS answers what is hardly HTTP.
test("whatever is sent, the answer is a success or a problem, never a failure, and never shows a key", async () => {
  const targets = await Promise.all(
    endpoints.map(async (endpoint) => {
      const caller = callersOf(endpoint).one;
      const [path = ""] = await examplePaths(endpoint, caller);
      return { path, credential: caller.credential };
    }),
  );
  const statuses = new Set<number>();
  await fc.assert(
    fc.asyncProperty(oddRequest(targets), async (bytes) => {
      const answer = await sendRaw(bytes);
      statuses.add(answer.status);
      assert.ok(answer.status >= 200 && answer.status < 500, String(answer.status));
      if (answer.status >= 400 && answer.body.length > 0) assertProblem(answer);
      for (const { credential } of targets) {
        assert.ok(!answer.body.includes(credential) && !JSON.stringify(answer.headers).includes(credential));
      }
    }),
    { numRuns: 400 },
  );
  for (const status of [200, 400, 401, 404, 405]) assert.ok(statuses.has(status), `No request got ${status}.`);
});
