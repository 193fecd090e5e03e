import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "@jest/globals";
import { type FakeUserPool, startFakeUserPool } from "../../support/aws/fakeUserPool.ts";
import { type ProgramOptions, runProgram } from "../support/runProgram.ts";

let pool: FakeUserPool;

beforeEach(async () => {
  pool = await startFakeUserPool();
});
afterEach(() => pool.close());

function run(commandLine: string[], options: ProgramOptions = {}) {
  return runProgram("super-admin add", commandLine, { environment: pool.environment, ...options });
}

const add = (email: string, organisation: string, options?: ProgramOptions) =>
  run(["--user-pool", pool.id, "--email", email, "--organisation", organisation], options);

test("creates a user with the organisation, a verified address and the group", async () => {
  const { code, stdout, stderr } = await add("ada@example.org", "1842", { asProcess: true });
  assert.deepEqual([code, stderr], [0, ""]);
  assert.match(stdout, /^ada@example\.org is a super-admin of organisation 1842\. Cognito sends them a first password/);
  const attributes = { email: "ada@example.org", email_verified: "true", "custom:organisation_id": "1842" };
  const expected = { attributes, groups: ["super-admin"], invitations: 1, isConfirmed: false };
  assert.deepEqual(pool.people.get("ada@example.org"), expected);
});

test("a new user gets the organisation's name", async () => {
  const options = ["--user-pool", pool.id, "--email", "ada@example.org", "--organisation", "1842"];
  assert.equal((await run([...options, "--organisation-name", "Riverside Arts Centre"])).code, 0);
  const { attributes } = pool.people.get("ada@example.org") ?? {};
  assert.equal(attributes?.["custom:organisation_name"], "Riverside Arts Centre");
});

test("a second run sends a new first password to somebody who has not signed in yet", async () => {
  await add("ada@example.org", "1842");
  const { code, stdout } = await add("ada@example.org", "1842");
  assert.equal(code, 0);
  assert.match(stdout, /have never signed in: Cognito sends them a new first password/);
  assert.equal(pool.people.get("ada@example.org")?.invitations, 2);
});

test("a second run completes a partial one, and sends nothing to somebody who has a password", async () => {
  await add("ada@example.org", "1842");
  Object.assign(pool.people.get("ada@example.org") ?? {}, { isConfirmed: true, groups: [] });
  const { code, stdout } = await add("ada@example.org", "1842");
  assert.equal(code, 0);
  assert.match(stdout, /already/);
  const { groups, invitations } = pool.people.get("ada@example.org") ?? {};
  assert.deepEqual([groups, invitations], [["super-admin"], 1]);
});

test("a user of another organisation is not changed", async () => {
  await add("ada@example.org", "1842");
  pool.people.get("ada@example.org")?.groups.pop();
  const { code, stderr } = await add("ada@example.org", "1");
  assert.equal(code, 2);
  assert.equal(
    stderr,
    "ada@example.org is already in the user pool and belongs to organisation 1842. Nothing was changed.\n",
  );
  assert.deepEqual(pool.people.get("ada@example.org")?.groups, []);
});

test("a failed request is reported in one line, with exit code 2", async () => {
  const commandLine = ["--user-pool", "eu-west-1_other", "--email", "a@example.org", "--organisation", "1"];
  const { code, stderr } = await run(commandLine);
  assert.equal(code, 2);
  assert.match(stderr, /^AWS rejected the request: .*eu-west-1_other does not exist.*\n$/);
  await pool.close();
  const unreachable = await add("a@example.org", "1");
  assert.equal(unreachable.code, 2);
  assert.match(unreachable.stderr, /^AWS rejected the request: .+\n$/);
});
