import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import * as z from "zod";
import { type Input, send } from "../../../functions/table/client.ts";
import { firstTry } from "../../../functions/table/firstTry.ts";
import { getItem } from "../../../functions/table/reads.ts";
import { openTable } from "../../../functions/table/table.ts";
import { Unavailable } from "../../../functions/table/tableErrors.ts";
import { putItem, transactWrite } from "../../../functions/table/writes.ts";
import { type Fault, faults, refusals, useFaultyProxy } from "../../support/data/faultyProxy.ts";
import { clockOf } from "../../support/data/table.ts";
import { useTestTable } from "../../support/data/testTable.ts";

const key = { PK: "ORG#1#EVENT#1", SK: "EVENT" };
const item = {
  ...key,
  text: 'Ünï\u{1F3BB}\n"',
  number: -1.5,
  flag: false,
  none: null,
  list: [1, { deep: "x" }],
  empty: "",
};

// Long enough for a call on a busy machine, because only the faults may time out.
process.env.DYNAMODB_TIMEOUT_MS = "3000";
const proxy = await useFaultyProxy();
const { tableName: TableName } = await useTestTable();

beforeAll(() => putItem(openTable(), item));

/** The next calls get these faults, one each; later calls get none. */
function meet(...next: Fault[]): void {
  proxy.calls.length = 0;
  proxy.faultOf = () => next[proxy.calls.length - 1];
}

/** Both ways to make a read: with a first try, and by the document client alone, because only the SDK knows what the setting means. */
const ways = { "with a first try": undefined, "by the document client alone": "false" };

describe.each(Object.entries(ways))("a read %s", (_way, setting) => {
  beforeEach(() => {
    if (setting === undefined) delete process.env.AWS_USE_DUALSTACK_ENDPOINT;
    else process.env.AWS_USE_DUALSTACK_ENDPOINT = setting;
  });
  afterAll(() => {
    delete process.env.AWS_USE_DUALSTACK_ENDPOINT;
  });

  test("finds what a write stored", async () => {
    meet();
    assert.deepEqual(await getItem(openTable(), key), item);
    assert.equal(await getItem(openTable(), { PK: "ORG#1#EVENT#2", SK: "EVENT" }), undefined);
    assert.equal(proxy.calls.length, 2);
  });

  test("learns the table's time, also from an error", async () => {
    for (const fault of [undefined, refusals.denied]) {
      meet(...(fault ? [fault, fault] : []));
      const dates: unknown[] = [];
      const clock = { ...clockOf(Date.now), observe: (date: unknown) => void dates.push(date) };
      await getItem(openTable(undefined, clock), key).catch(() => undefined);
      assert.ok(dates.length === 1 && Math.abs(Date.parse(String(dates[0])) - Date.now()) < 10_000, String(dates));
    }
  });

  const passing = Object.entries(faults).filter(([name]) => name !== "5 s slow");
  test.each(passing)("is retried once by a table that is %s", async (_name, fault) => {
    meet(fault);
    assert.deepEqual(await getItem(openTable(), key), item);
    assert.equal(proxy.calls.length, 2);
  });

  const few = ["hanging", "throttling", "responding with 200 and no body"] as const;
  test.each(few)("gives up after three attempts of a table that is %s", async (name) => {
    meet(faults[name], faults[name], faults[name]);
    await assert.rejects(getItem(openTable(), key), isUnavailable);
    assert.equal(proxy.calls.length, 3);
  });

  test("is not retried by a table that refuses it", async () => {
    meet(refusals.denied, refusals.denied, refusals.denied);
    await assert.rejects(getItem(openTable(), key), { name: "AccessDeniedException" });
    // Only the document client makes an error of it.
    assert.equal(proxy.calls.length, setting === undefined ? 2 : 1);
  });
});

test("a write is tried twice: a third try could end after readers have passed its change time", async () => {
  meet(faults.throttling, faults.throttling, faults.throttling);
  await assert.rejects(putItem(openTable(), item), isUnavailable);
  assert.equal(proxy.calls.length, 2);
});

const isUnavailable = (error: unknown) => error instanceof Unavailable;

test.each(["Query", "ExecuteStatement"] as const)(
  "a first try returns the same as the document client, and sends the same: %s",
  async (action) => {
    const query = {
      TableName,
      KeyConditionExpression: "PK = :pk",
      ExpressionAttributeValues: { ":pk": key.PK },
      Limit: 1,
    };
    const statement = { Statement: `SELECT * FROM "${TableName}" WHERE PK IN [?]`, Parameters: [key.PK] };
    const input = { ...(action === "Query" ? query : statement), ReturnConsumedCapacity: "TOTAL" as const };
    meet();
    const { $metadata: _date, ...first } = (await firstTry(action, input as Input<typeof action>, Date.now())) ?? {};
    const { $metadata: _other, ...second } = await send(action, input as Input<typeof action>);
    expect(first).toEqual(second);
    assert.deepEqual(second.Items, [item]);
    const [one, other] = proxy.calls.map((call) => JSON.parse(call.input));
    assert.deepEqual(one, other);
  },
);

test.each([
  ["a binary value", { B: "eA==" }],
  ["a set", { SS: ["x"] }],
])(
  "%s, which the service never stores, is left to the document client, and no schema accepts it",
  async (_what, attribute) => {
    const body = JSON.stringify({ Item: { PK: { S: "a" }, SK: { S: "b" }, name: attribute } });
    const answer: Fault = (outgoing) =>
      outgoing.writeHead(200, { "Content-Type": "application/x-amz-json-1.0" }).end(body);
    meet(answer, answer);
    const read = await getItem(openTable(), key);
    assert.equal(proxy.calls.length, 2);
    for (const schema of [z.string(), z.number(), z.boolean(), z.null(), z.array(z.any()), z.string().nullish()])
      assert.ok(!schema.safeParse(read?.name).success);
  },
);

test("a transaction whose response is damaged is retried with its token, so that it takes effect once", async () => {
  for (const name of ["failing with 500", "responding with 200 and no body", "responding with 200 in HTML"] as const) {
    meet(faults[name]);
    await transactWrite(openTable(), [{ put: { PK: "ORG#1#EVENT#3", SK: "EVENT" } }]);
    const tokens = proxy.calls.map(({ input }) => JSON.parse(input).ClientRequestToken);
    assert.match(tokens[0], /^[0-9a-f-]{36}$/);
    assert.deepEqual(tokens, [tokens[0], tokens[0]], name);
  }
});

test("the client finds credentials in a profile of a developer's files", async () => {
  const program = `
    const { createServer } = await import("node:http");
    const server = createServer((incoming, outgoing) => {
      console.log(incoming.headers.authorization);
      outgoing.end('{"Item":{}}');
    }).listen(0, "127.0.0.1", async () => {
      process.env.AWS_ENDPOINT_URL_DYNAMODB = "http://127.0.0.1:" + server.address().port;
      process.env.TABLE_NAME = "table";
      const { openTable } = await import("./functions/table/table.ts");
      const { getItem } = await import("./functions/table/reads.ts");
      await getItem(openTable(), { PK: "a", SK: "b" });
      process.exit();
    });`;
  const directory = await mkdtemp(join(tmpdir(), "profile-"));
  const [AWS_SHARED_CREDENTIALS_FILE, AWS_CONFIG_FILE] = [join(directory, "credentials"), join(directory, "config")];
  const credentials = "[work]\naws_access_key_id = AKIAPROFILE\naws_secret_access_key = secret\n";
  await writeFile(AWS_SHARED_CREDENTIALS_FILE, credentials);
  await writeFile(AWS_CONFIG_FILE, "[profile work]\nregion = us-west-2\n");
  const files = { AWS_PROFILE: "work", AWS_SHARED_CREDENTIALS_FILE, AWS_CONFIG_FILE };
  const env = { PATH: process.env.PATH, AWS_EC2_METADATA_DISABLED: "true", ...files };
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", program], { env });
  await rm(directory, { recursive: true });
  assert.match(stdout, /Credential=AKIAPROFILE\/\d{8}\/us-west-2\/dynamodb\/aws4_request, /);
});
