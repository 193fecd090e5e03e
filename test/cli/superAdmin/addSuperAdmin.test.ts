import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, test } from "@jest/globals";
import { portOf } from "../../../local/gateway/server.ts";
import { type ProgramOptions, runProgram } from "../support/runProgram.ts";

/** The part of a user pool that the command uses. */
let people: Map<string, { attributes: Record<string, string>; groups: string[] }>;
let calls: string[];
let server: Server;

const pool = "eu-west-1_aBcDeFgHi";

/** Responds like Cognito (https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/Welcome.html). */
function cognito(action: string, { UserPoolId, Username, UserAttributes, GroupName }: ReturnType<typeof JSON.parse>) {
  const refusal = (__type: string, message: string) => ({ status: 400, body: { __type, message } });
  if (UserPoolId !== pool) return refusal("ResourceNotFoundException", `User pool ${UserPoolId} does not exist.`);
  const known = people.get(Username);
  if (action === "AdminCreateUser") {
    if (known) return refusal("UsernameExistsException", "User account already exists");
    const pairs = UserAttributes.map(({ Name, Value }: { Name: string; Value: string }) => [Name, Value]);
    people.set(Username, { attributes: Object.fromEntries(pairs), groups: [] });
    return { status: 200, body: { User: { Username } } };
  }
  if (!known) return refusal("UserNotFoundException", "User does not exist.");
  if (action === "AdminAddUserToGroup") known.groups.push(GroupName);
  const attributes = Object.entries(known.attributes).map(([Name, Value]) => ({ Name, Value }));
  return { status: 200, body: action === "AdminGetUser" ? { Username, UserAttributes: attributes } : {} };
}

beforeEach(async () => {
  people = new Map();
  calls = [];
  server = createServer(async (incoming, outgoing) => {
    const action = String(incoming.headers["x-amz-target"]).split(".")[1] ?? "";
    calls.push(action);
    const { status, body } = cognito(action, JSON.parse(await text(incoming)));
    outgoing.writeHead(status, { "Content-Type": "application/x-amz-json-1.1" }).end(JSON.stringify(body));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
});
afterEach(() => {
  server.close();
  server.closeAllConnections();
});

function run(commandLine: string[], options: ProgramOptions = {}) {
  const environment = {
    AWS_ENDPOINT_URL_COGNITO_IDENTITY_PROVIDER: `http://127.0.0.1:${portOf(server)}`,
    AWS_REGION: "eu-west-1",
    AWS_ACCESS_KEY_ID: "id",
    AWS_SECRET_ACCESS_KEY: "secret",
    AWS_MAX_ATTEMPTS: "1",
  };
  return runProgram("superAdmin/addSuperAdmin", commandLine, { environment, ...options });
}

const add = (email: string, organisation: string, options?: ProgramOptions) =>
  run(["--user-pool", pool, "--email", email, "--organisation", organisation], options);

test("creates a user with the organisation, a verified address and the group", async () => {
  const { code, stdout, stderr } = await add("ada@example.org", "1842", { asProcess: true });
  assert.deepEqual([code, stderr], [0, ""]);
  assert.match(stdout, /^ada@example\.org is a super-admin of organisation 1842\. Cognito sends them a first password/);
  const attributes = { email: "ada@example.org", email_verified: "true", "custom:organisation_id": "1842" };
  assert.deepEqual(people.get("ada@example.org"), { attributes, groups: ["super-admin"] });
});

test("a second run completes a partial one", async () => {
  await add("ada@example.org", "1842");
  people.get("ada@example.org")?.groups.pop();
  const { code, stdout } = await add("ada@example.org", "1842");
  assert.equal(code, 0);
  assert.match(stdout, /already/);
  assert.deepEqual(people.get("ada@example.org")?.groups, ["super-admin"]);
});

test("a user of another organisation is not changed", async () => {
  await add("ada@example.org", "1842");
  people.get("ada@example.org")?.groups.pop();
  const { code, stderr } = await add("ada@example.org", "1");
  assert.equal(code, 2);
  assert.equal(
    stderr,
    "ada@example.org is already in the user pool and belongs to organisation 1842. Nothing was changed.\n",
  );
  assert.deepEqual(people.get("ada@example.org")?.groups, []);
});

test("a failed request is reported in one line, with exit code 2", async () => {
  const commandLine = ["--user-pool", "eu-west-1_other", "--email", "a@example.org", "--organisation", "1"];
  const { code, stderr } = await run(commandLine);
  assert.equal(code, 2);
  assert.match(stderr, /^AWS rejected the request: .*eu-west-1_other does not exist.*\n$/);
  server.removeAllListeners("request").on("request", ({ socket }) => socket.destroy());
  const unreachable = await add("a@example.org", "1");
  assert.equal(unreachable.code, 2);
  assert.match(unreachable.stderr, /^AWS rejected the request: .+\n$/);
});

test("invalid options are rejected in one line before Cognito is called, with exit code 2", async () => {
  const good = { "--user-pool": pool, "--email": "ada@example.org", "--organisation": "1842" };
  const mistakes: Record<string, string>[] = [
    {},
    { ...good, "--email": "ada" },
    { ...good, "--organisation": "0" },
    { ...good, "--organisation": "1842 " },
    { ...good, "--organisation": "Riverside" },
    { ...good, "--user-pool": "https://example.org" },
    { ...good, "--colour": "red" },
  ];
  for (const options of mistakes) {
    const { code, stderr } = await run(Object.entries(options).flat());
    assert.equal(code, 2, JSON.stringify(options));
    assert.match(stderr, /^[^\n]+ See npm run add-super-admin -- --help\.\n$/);
  }
  assert.deepEqual(calls, []);
  const { code, stdout } = await run(["--help"]);
  assert.equal(code, 0);
  assert.match(stdout, /^npm run add-super-admin -- --user-pool ID/);
});
