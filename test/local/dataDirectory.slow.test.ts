import assert from "node:assert/strict";
import { chmodSync, mkdirSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import {
  BatchGetItemCommand,
  DynamoDBClient,
  ExecuteStatementCommand,
  GetItemCommand,
  PutItemCommand,
  TransactWriteItemsCommand,
} from "@aws-sdk/client-dynamodb";
import { test } from "@jest/globals";
import { createTable } from "../../local/createTable.ts";
import type { ServiceDescription } from "../../local/localService.ts";
import { startDynamoDbLocal } from "../../packages/local-aws/dynamodb/startDynamoDbLocal.ts";
import { freePort } from "../support/http/listen.ts";
import { temporaryDirectory } from "../support/temporaryDirectory.ts";
import { runStart } from "./runStart.ts";

test("a second start on a directory in use names the first; after SIGKILL the directory is free", async () => {
  const directory = temporaryDirectory();
  const port = await freePort();
  const first = runStart(["--port", String(port), "--data", directory]);
  const description = await first.served();

  const second = runStart(["--port", "0", "--data", directory]);
  assert.equal(await second.exited(), 1);
  const user = `process ${first.pid}, port ${port}`;
  const advice = "Stop it, or choose another directory: npm start -- --data DIR";
  assert.equal(second.errors(), `Another service uses ${directory}: ${user}. ${advice}\n`);
  assert.equal(await statusOf(description), 200);

  first.signal("SIGKILL");
  const third = runStart(["--port", "0", "--data", directory], { cwd: first.cwd });
  const next = await third.served();
  assert.deepEqual(next.organisations, description.organisations);
  assert.equal(await statusOf(next), 200);
});

test("of two starts at the same moment on one directory, one serves and the other names it", async () => {
  const directory = temporaryDirectory();
  const runs = [1, 2].map(() => runStart(["--port", "0", "--data", directory]));
  const outcomes = await Promise.all(runs.map((run) => run.served().catch(() => run.errors())));
  const served = outcomes.findIndex((outcome) => typeof outcome !== "string");
  assert.match(String(outcomes[1 - served]), new RegExp(`^Another service uses .*: process ${runs[served]?.pid}\\.`));
});

test("only their owner can read the database's files, also in a directory that others can read", async () => {
  const directory = join(temporaryDirectory(), "data");
  mkdirSync(directory);
  chmodSync(directory, 0o755);
  await runStart(["--port", "0", "--data", directory]).served();
  const files = readdirSync(directory);
  assert.ok(files.includes("shared-local-instance.db"));
  for (const file of files) assert.equal(statSync(join(directory, file)).mode & 0o077, 0, file);
});

test("a database that is killed keeps every transaction that it has acknowledged", async () => {
  const directory = temporaryDirectory();
  const TableName = "ticketing";
  Object.assign(process.env, { AWS_REGION: "local", AWS_ACCESS_KEY_ID: "local", AWS_SECRET_ACCESS_KEY: "local" });
  const open = async () => {
    const database = await startDynamoDbLocal(directory);
    process.env.AWS_ENDPOINT_URL_DYNAMODB = database.endpoint;
    await createTable(TableName);
    return { ...database, client: new DynamoDBClient({ maxAttempts: 1 }) };
  };
  // The more a transaction contains, the longer it takes to commit.
  const keys = Array.from({ length: 30 }, (_, number) => ({ PK: { S: String(number) }, SK: { S: "X" } }));
  const Puts = keys.map((key) => ({ Put: { TableName, Item: { ...key, text: { S: "x".repeat(100_000) } } } }));

  const { client, stop, ended } = await open();
  await client.send(new TransactWriteItemsCommand({ TransactItems: Puts }));
  await stop();
  assert.equal(await ended, "SIGKILL");

  const again = await open();
  const RequestItems = { [TableName]: { Keys: keys, ProjectionExpression: "PK" } };
  const { Responses } = await again.client.send(new BatchGetItemCommand({ RequestItems }));
  assert.equal(Responses?.[TableName]?.length, keys.length);
  await again.stop();
});

test("a nearly full disk refuses writes and serves reads", async () => {
  const directory = temporaryDirectory();
  const TableName = "ticketing";
  const Item = { PK: { S: "1" }, SK: { S: "X" } };
  const open = async (minimumFreeBytes: number) => {
    const database = await startDynamoDbLocal(directory, "", minimumFreeBytes);
    process.env.AWS_ENDPOINT_URL_DYNAMODB = database.endpoint;
    return { ...database, client: new DynamoDBClient({ maxAttempts: 1 }) };
  };
  const before = await open(0);
  await createTable(TableName);
  await before.client.send(new PutItemCommand({ TableName, Item }));
  await before.stop();

  const { client, stop } = await open(Number.MAX_SAFE_INTEGER);
  const TransactItems = [{ Put: { TableName, Item } }];
  for (const write of [
    client.send(new PutItemCommand({ TableName, Item })),
    client.send(new TransactWriteItemsCommand({ TransactItems })),
  ])
    await assert.rejects(write, {
      name: "InternalServerError",
      message: "The disk of the data directory is nearly full.",
    });
  assert.deepEqual((await client.send(new GetItemCommand({ TableName, Key: Item }))).Item, Item);
  const Statement = `SELECT * FROM "${TableName}" WHERE PK IN ['1']`;
  assert.deepEqual((await client.send(new ExecuteStatementCommand({ Statement }))).Items, [Item]);
  await stop();
});

/** The status of a request with the first key. */
async function statusOf({ base_url, organisations }: ServiceDescription): Promise<number> {
  const headers = { Authorization: `Bearer ${organisations[0]?.keys[0]?.key}` };
  return (await fetch(`${base_url}/v1/key`, { headers })).status;
}
