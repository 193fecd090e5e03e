import assert from "node:assert/strict";
import { beforeAll, test } from "@jest/globals";
import { smoke } from "../../cli/support/runProgram.ts";
import { baseUrl, one } from "../../support/service/testedService.ts";

// The local service builds the page at its first request, which on a busy machine takes longer than the smoke test waits.
beforeAll(async () => {
  assert.equal((await fetch(`${baseUrl}/developer`)).status, 200);
});

test("the smoke test passes on a working service, without showing its key", async () => {
  const { code, stdout, stderr } = await smoke(`${baseUrl}/`, one.credential);
  assert.deepEqual([code, stderr], [0, ""], stdout);
  const names = [
    "GET /v1/key: 200",
    "GET /v1/events: 200",
    "GET /v1/key with an unknown key: 401",
    "GET /developer: 200",
  ];
  assert.equal(stdout, names.map((name) => `ok    ${name}\n`).join(""));
  assert.doesNotMatch(stdout, new RegExp(one.credential));
});
