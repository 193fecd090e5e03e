import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { endpoints } from "../../functions/endpoints/index.ts";
import { assertProblem } from "../support/assertProblem.ts";
import { examplePaths } from "../support/examples.ts";
import { one } from "../support/journeyService.ts";
import { oddRequest } from "../support/oddRequest.ts";
import { sendRaw } from "../support/sendRaw.ts";

test("whatever is sent, the answer is a success or a problem, never a failure, and never shows a key", async () => {
  const paths = await Promise.all(endpoints.map(async (endpoint) => (await examplePaths(endpoint, one))[0] ?? ""));
  const statuses = new Set<number>();
  await fc.assert(
    fc.asyncProperty(oddRequest(paths, one.key), async (bytes) => {
      const answer = await sendRaw(bytes);
      statuses.add(answer.status);
      assert.ok(answer.status >= 200 && answer.status < 500, String(answer.status));
      if (answer.status >= 400 && answer.body.length > 0) assertProblem(answer);
      assert.ok(!answer.body.includes(one.key) && !JSON.stringify(answer.headers).includes(one.key));
    }),
    { numRuns: 400 },
  );
  for (const status of [200, 400, 401, 404, 405]) assert.ok(statuses.has(status), `No request got ${status}.`);
});
