import assert from "node:assert/strict";
import { test } from "@jest/globals";
import fc from "fast-check";
import { endpoints } from "../../../functions/endpoints/index.ts";
import { assertProblem } from "../../support/http/assertProblem.ts";
import { examplePaths } from "../../support/http/examples.ts";
import { oddRequest } from "../../support/http/oddRequest.ts";
import { sendRaw } from "../../support/http/sendRaw.ts";
import { cases } from "../../support/jest/cases.ts";
import { callersOf, one } from "../../support/service/journeyService.ts";

// At a deployed stage, AWS itself responds to malformed HTTP.
test("any request gets a success or a problem, never a failure, and no response shows a key", async () => {
  const targets = await Promise.all(
    endpoints.map(async (endpoint) => {
      const caller = callersOf(endpoint).one;
      const [path = ""] = await examplePaths(endpoint, caller);
      return { path, credential: caller.credential };
    }),
  );
  const authorization = `Authorization: Bearer ${one.credential}`;
  const ofEachStatus = [
    `GET /v1/key HTTP/1.1\r\n${authorization}`,
    "GET /v1/key HTTP/1.1",
    `GET /v1/key?x=1 HTTP/1.1\r\n${authorization}`,
    "GET /v1/nothing HTTP/1.1",
    "PUT /v1/key HTTP/1.1",
  ].map((text) => Buffer.from(`${text}\r\nHost: tickets.example\r\nConnection: close\r\n\r\n`));
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
    { numRuns: cases(120, 400), examples: ofEachStatus.map((bytes): [Buffer] => [bytes]) },
  );
  for (const status of [200, 400, 401, 404, 405]) assert.ok(statuses.has(status), `No request got ${status}.`);
});
