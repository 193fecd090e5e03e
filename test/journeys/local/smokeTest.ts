import assert from "node:assert/strict";
import { test } from "@jest/globals";
import { smoke } from "../../cli/support/runProgram.ts";
import { baseUrl, one } from "../../support/service/journeyService.ts";

test("the smoke test passes on a working service, without showing its key", async () => {
  const { code, stdout, stderr } = await smoke(`${baseUrl}/`, one.credential);
  assert.deepEqual([code, stderr], [0, ""], stdout);
  assert.match(stdout, /^ok {4}GET \/v1\/key: 200, the key "[^"]+" of organisation \d+\.\n/);
  assert.match(stdout, /\nok {4}GET \/v1\/events\?per_page=1: 200, a list with an event\.\n/);
  assert.match(stdout, /\nok {4}GET \/v1\/key with an unknown key: 401, unauthorized\.\n/);
  assert.match(stdout, /\nok {4}GET \/developer: 200, a page in HTML\.\n$/);
  assert.doesNotMatch(stdout, new RegExp(one.credential));
});

test("the smoke test fails with a key that does not work", async () => {
  const { code, stdout } = await smoke(baseUrl, "tsk_wrong");
  assert.equal(code, 1);
  assert.match(stdout, /^FAIL {2}GET \/v1\/key: Expected status 200, got 401: .*unauthorized/);
  assert.match(stdout, /\nok {4}GET \/developer/);
});
