import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, test } from "node:test";
import { portOf } from "../../../local/gateway/server.ts";

/** A user pool as far as the command uses one: people with attributes and groups. */
let people: Map<string, { attributes: Record<string, string>; groups: string[] }>;
let calls: string[];
let server: Server;

const pool = "eu-west-1_aBcDeFgHi";

/** What Cognito answers (https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/Welcome.html). */
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

function run(...commandLine: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const env = {
    PATH: process.env.PATH,
    AWS_ENDPOINT_URL_COGNITO_IDENTITY_PROVIDER: `http://127.0.0.1:${portOf(server)}`,
    AWS_REGION: "eu-west-1",
    AWS_ACCESS_KEY_ID: "id",
    AWS_SECRET_ACCESS_KEY: "secret",
    AWS_MAX_ATTEMPTS: "1",
  };
  return new Promise((settle) => {
    execFile(process.execPath, ["cli/superAdmin/addSuperAdmin.ts", ...commandLine], { env }, (error, stdout, stderr) =>
      settle({ code: Number(error?.code ?? 0), stdout, stderr }),
    );
  });
}

const add = (email: string, organisation: string) =>
  run("--user-pool", pool, "--email", email, "--organisation", organisation);

test("makes a person of the organisation, with an address that counts as theirs, in the group", async () => {
  const { code, stdout, stderr } = await add("ada@example.org", "1842");
  assert.deepEqual([code, stderr], [0, ""]);
  assert.match(stdout, /^ada@example\.org is a super-admin of organisation 1842\. Cognito sends them a first password/);
  const attributes = { email: "ada@example.org", email_verified: "true", "custom:organisation_id": "1842" };
  assert.deepEqual(people.get("ada@example.org"), { attributes, groups: ["super-admin"] });
});

test("can be run again, also where it got half way", async () => {
  await add("ada@example.org", "1842");
  people.get("ada@example.org")?.groups.pop();
  const { code, stdout } = await add("ada@example.org", "1842");
  assert.equal(code, 0);
  assert.match(stdout, /already/);
  assert.deepEqual(people.get("ada@example.org")?.groups, ["super-admin"]);
});

test("changes nobody who is of another organisation", async () => {
  await add("ada@example.org", "1842");
  people.get("ada@example.org")?.groups.pop();
  const { code, stderr } = await add("ada@example.org", "1");
  assert.equal(code, 1);
  assert.equal(
    stderr,
    "ada@example.org is already in the user pool and belongs to organisation 1842. Nothing was changed.\n",
  );
  assert.deepEqual(people.get("ada@example.org")?.groups, []);
});

test("tells in a line what the user pool refuses", async () => {
  const { code, stderr } = await run(
    "--user-pool",
    "eu-west-1_other",
    "--email",
    "a@example.org",
    "--organisation",
    "1",
  );
  assert.equal(code, 1);
  assert.match(stderr, /^The user pool rejected the request: .*eu-west-1_other does not exist.*\n$/);
  server.removeAllListeners("request").on("request", ({ socket }) => socket.destroy());
  const unreachable = await add("a@example.org", "1");
  assert.equal(unreachable.code, 1);
  assert.match(unreachable.stderr, /^The user pool rejected the request: .+\n$/);
});

test("asks nothing of Cognito for what makes no sense, and says how it is meant", async () => {
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
    const { code, stderr } = await run(...Object.entries(options).flat());
    assert.equal(code, 1, JSON.stringify(options));
    assert.ok(stderr.includes("npm run add-super-admin -- --user-pool ID"), stderr);
    assert.doesNotMatch(stderr, /node:internal/);
  }
  assert.deepEqual(calls, []);
  assert.equal((await run("--help")).code, 0);
});
