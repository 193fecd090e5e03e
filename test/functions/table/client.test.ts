import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import {
  DescribeTableCommand,
  DynamoDBClient,
  GetItemCommand,
  QueryCommand,
  TransactWriteItemsCommand,
} from "@aws-sdk/client-dynamodb";
import { afterAll, beforeAll, describe, test } from "@jest/globals";
import { Problem } from "../../../functions/problem.ts";
import { dynamoDb } from "../../../functions/table/client.ts";
import { toTableError } from "../../../functions/table/errors.ts";
import { getItem } from "../../../functions/table/reads.ts";
import { openTable } from "../../../functions/table/table.ts";
import { putItem } from "../../../functions/table/writes.ts";
import { type Fault, type FaultyProxy, faults, startFaultyProxy } from "../../support/data/faultyProxy.ts";
import { useTestTable } from "../../support/data/testTable.ts";

const key = { PK: "ORG#1#EVENT#1", SK: "EVENT" };
const Key = { PK: { S: key.PK }, SK: { S: key.SK } };
const item = {
  ...key,
  text: 'Ünï\u{1F3BB}\n"',
  number: -1.5,
  flag: false,
  none: null,
  list: [1, { deep: "x" }],
  empty: "",
};

let proxy: FaultyProxy;
let TableName: string;

beforeAll(async () => {
  // Long enough for a call on a busy machine, because only the faults may time out.
  process.env.DYNAMODB_TIMEOUT_MS = "3000";
  proxy = await startFaultyProxy(process.env.TEST_DYNAMODB_ENDPOINT ?? "");
  process.env.TEST_DYNAMODB_ENDPOINT = proxy.url;
  TableName = (await useTestTable()).tableName;
  await putItem(openTable(), item);
});

afterAll(() => proxy.close());

/** The next calls get these faults, one each; later calls get none. */
function meet(...next: Fault[]): void {
  proxy.calls.length = 0;
  proxy.faultOf = () => next[proxy.calls.length - 1];
}

test("a read sends and returns the same as with the SDK's defaults", async () => {
  const plain = new DynamoDBClient({});
  const get = { TableName, Key, ConsistentRead: true, ReturnConsumedCapacity: "TOTAL" as const, IndexName: undefined };
  const query = {
    TableName,
    KeyConditionExpression: "PK = :pk",
    ExpressionAttributeValues: { ":pk": Key.PK },
    Limit: 1,
    ScanIndexForward: false,
  };
  for (const make of [() => new GetItemCommand(get), () => new QueryCommand(query)]) {
    meet();
    const [theirs, ours] = [
      await plain.send(make() as GetItemCommand),
      await dynamoDb().send(make() as GetItemCommand),
    ];
    assert.deepEqual({ ...ours, $metadata: {} }, { ...theirs, $metadata: {} });
    assert.equal(ours.$metadata.httpStatusCode, 200);
    assert.deepEqual(JSON.parse(proxy.calls[1]?.input ?? ""), JSON.parse(proxy.calls[0]?.input ?? ""));
    assert.equal(proxy.calls[1]?.action, proxy.calls[0]?.action);
  }
  plain.destroy();
});

test("a read finds what a write stored", async () => {
  meet();
  assert.deepEqual(await getItem(openTable(), key), item);
  assert.equal(await getItem(openTable(), { PK: "ORG#1#EVENT#2", SK: "EVENT" }), undefined);
});

test("responses of other operations keep the SDK's types", async () => {
  meet();
  const { Table } = await dynamoDb().send(new DescribeTableCommand({ TableName }));
  assert.ok(Table?.CreationDateTime instanceof Date);
});

describe("a call that fails once is retried: a table that is", () => {
  const passing = Object.entries(faults).filter(([name]) => name !== "5 s slow");
  for (const [name, fault] of passing) {
    test(name, async () => {
      meet(fault);
      assert.deepEqual(await getItem(openTable(), key), item);
      assert.ok(proxy.calls.length >= 2);
    });
  }
});

test("an empty response never means a missing item", async () => {
  const empty: Fault = (outgoing) => outgoing.writeHead(200, { "Content-Length": 0 }).end();
  meet(empty, empty, empty);
  await assert.rejects(
    getItem(openTable(), key),
    (error) => error instanceof Problem && error.code === "service_unavailable",
  );
  assert.equal(proxy.calls.length, 3);
});

test("a call that cannot succeed is not retried", async () => {
  meet();
  const error = await dynamoDb()
    .send(new GetItemCommand({ TableName: "nothing-there", Key }))
    .catch((thrown) => thrown);
  assert.equal(error.name, "ResourceNotFoundException");
  assert.equal(toTableError(error), error);
  assert.equal(proxy.calls.length, 1);
});

test("a retried transaction has the token of the first try, so that it takes effect once", async () => {
  meet(faults["failing with 500"]);
  const Item = { PK: { S: "ORG#1#EVENT#3" }, SK: { S: "EVENT" } };
  await dynamoDb().send(new TransactWriteItemsCommand({ TransactItems: [{ Put: { TableName, Item } }] }));
  const tokens = proxy.calls.map(({ input }) => JSON.parse(input).ClientRequestToken);
  assert.match(tokens[0], /^[0-9a-f-]{36}$/);
  assert.deepEqual(tokens, [tokens[0], tokens[0]]);
});

describe("the client finds credentials in the usual places:", () => {
  const run = promisify(execFile);
  const program = `
    const { createServer } = await import("node:http");
    const server = createServer((incoming, outgoing) => {
      const { authorization, "x-amz-security-token": token } = incoming.headers;
      console.log(JSON.stringify({ authorization, token }));
      outgoing.end('{"Item":{}}');
    }).listen(0, "127.0.0.1", async () => {
      process.env.AWS_ENDPOINT_URL_DYNAMODB = "http://127.0.0.1:" + server.address().port;
      process.env.TABLE_NAME = "table";
      const { openTable } = await import("./functions/table/table.ts");
      const { getItem } = await import("./functions/table/reads.ts");
      await getItem(openTable(), { PK: "a", SK: "b" });
      process.exit();
    });`;

  async function signedWith(environment: Record<string, string>): Promise<{ authorization: string; token?: string }> {
    const { PATH = "" } = process.env;
    const { stdout } = await run(process.execPath, ["--input-type=module", "-e", program], {
      env: { PATH, AWS_EC2_METADATA_DISABLED: "true", ...environment },
    });
    return JSON.parse(stdout);
  }

  test("a function's environment, with its session token and region", async () => {
    const { authorization, token } = await signedWith({
      AWS_REGION: "eu-west-2",
      AWS_ACCESS_KEY_ID: "ASIAFUNCTION",
      AWS_SECRET_ACCESS_KEY: "secret",
      AWS_SESSION_TOKEN: "session",
    });
    assert.match(authorization, /Credential=ASIAFUNCTION\/\d{8}\/eu-west-2\/dynamodb\/aws4_request, /);
    assert.match(authorization, /SignedHeaders=content-type;host;x-amz-date;x-amz-security-token;x-amz-target, /);
    assert.equal(token, "session");
  });

  test("a profile in a developer's files", async () => {
    const directory = await mkdtemp(join(tmpdir(), "profile-"));
    const credentials = join(directory, "credentials");
    const config = join(directory, "config");
    await writeFile(credentials, "[work]\naws_access_key_id = AKIAPROFILE\naws_secret_access_key = secret\n");
    await writeFile(config, "[profile work]\nregion = us-west-2\n");
    const { authorization, token } = await signedWith({
      AWS_PROFILE: "work",
      AWS_SHARED_CREDENTIALS_FILE: credentials,
      AWS_CONFIG_FILE: config,
    });
    await rm(directory, { recursive: true });
    assert.match(authorization, /Credential=AKIAPROFILE\/\d{8}\/us-west-2\/dynamodb\/aws4_request, /);
    assert.equal(token, undefined);
  });
});
