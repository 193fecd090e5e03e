import assert from "node:assert/strict";
import { networkInterfaces } from "node:os";
import { setTimeout as wait } from "node:timers/promises";
import {
  CreateTableCommand,
  DeleteTableCommand,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  UpdateTableCommand,
  UpdateTimeToLiveCommand,
} from "@aws-sdk/client-dynamodb";
import { beforeAll, test } from "@jest/globals";
import { documentClient } from "../../functions/table/client.ts";
import { tableDefinition } from "../../functions/table/definition.ts";
import { getItem } from "../../functions/table/reads.ts";
import { openTable } from "../../functions/table/table.ts";
import { putItem } from "../../functions/table/writes.ts";
import { createTable } from "../../local/createTable.ts";
import { accepts } from "../../local/localService.ts";
import { useTestTable } from "../support/data/testTable.ts";

let TableName: string;
beforeAll(async () => {
  TableName = (await useTestTable({ hasStream: true })).tableName;
});

function keySchema({ partitionKey, sortKey }: { partitionKey: string; sortKey: string }) {
  return [
    { AttributeName: partitionKey, KeyType: "HASH" },
    { AttributeName: sortKey, KeyType: "RANGE" },
  ];
}

test("the local table has the defined keys, indexes, stream and time to live", async () => {
  const { Table } = await documentClient().send(new DescribeTableCommand({ TableName }));
  assert.deepEqual(Table?.KeySchema, keySchema(tableDefinition));
  assert.deepEqual(
    Table?.GlobalSecondaryIndexes?.map(({ IndexName, KeySchema, Projection }) => ({
      IndexName,
      KeySchema,
      Projection,
    })).toSorted((one, other) => String(one.IndexName).localeCompare(String(other.IndexName))),
    tableDefinition.indexes.map((index) => ({
      IndexName: index.indexName,
      KeySchema: keySchema(index),
      Projection: { ProjectionType: "ALL" },
    })),
  );
  assert.deepEqual(Table?.StreamSpecification, { StreamEnabled: true, StreamViewType: "NEW_AND_OLD_IMAGES" });
  assert.equal(Table?.BillingModeSummary?.BillingMode, "PAY_PER_REQUEST");
  const { TimeToLiveDescription } = await documentClient().send(new DescribeTimeToLiveCommand({ TableName }));
  assert.deepEqual(TimeToLiveDescription, {
    AttributeName: tableDefinition.timeToLiveAttribute,
    TimeToLiveStatus: "ENABLED",
  });
});

test("an existing table keeps its data", async () => {
  const item = { PK: "a", SK: "b", kept: true };
  await putItem(openTable(), item);
  await createTable(TableName);
  assert.deepEqual(await getItem(openTable(), { PK: "a", SK: "b" }), item);
});

test("a table that a dump left without stream and time to live gets both, and keeps its data", async () => {
  const { tableName } = await useTestTable();
  const disable = { Enabled: false, AttributeName: tableDefinition.timeToLiveAttribute };
  await documentClient().send(new UpdateTimeToLiveCommand({ TableName: tableName, TimeToLiveSpecification: disable }));
  const item = { PK: "a", SK: "b" };
  await putItem(openTable(), item);
  assert.deepEqual(await createTable(tableName), { addedStream: true });
  assert.deepEqual(await createTable(tableName), { addedStream: false });
  const { Table } = await documentClient().send(new DescribeTableCommand({ TableName: tableName }));
  assert.deepEqual(Table?.StreamSpecification, { StreamEnabled: true, StreamViewType: "NEW_AND_OLD_IMAGES" });
  const { TimeToLiveDescription } = await documentClient().send(
    new DescribeTimeToLiveCommand({ TableName: tableName }),
  );
  assert.equal(TimeToLiveDescription?.TimeToLiveStatus, "ENABLED");
  assert.deepEqual(await getItem(openTable(), item), item);
});

test("a table whose stream has another view is refused, and nothing is changed", async () => {
  const { tableName } = await useTestTable();
  const StreamSpecification = { StreamEnabled: true, StreamViewType: "KEYS_ONLY" as const };
  await documentClient().send(new UpdateTableCommand({ TableName: tableName, StreamSpecification }));
  const message = `The table ${tableName} has a stream with KEYS_ONLY instead of NEW_AND_OLD_IMAGES. Disable it there, then start again.`;
  await assert.rejects(createTable(tableName), { message });
});

test("a table with other keys in an index of the same name is refused", async () => {
  const { tableName } = await useTestTable();
  const { Table } = await documentClient().send(new DescribeTableCommand({ TableName: tableName }));
  const TableName = `${tableName}-other`;
  const swapped = { GSI1: "GSI2", GSI2: "GSI1" };
  await documentClient().send(
    new CreateTableCommand({
      TableName,
      BillingMode: "PAY_PER_REQUEST",
      AttributeDefinitions: Table?.AttributeDefinitions,
      KeySchema: Table?.KeySchema,
      GlobalSecondaryIndexes: Table?.GlobalSecondaryIndexes?.map(({ IndexName = "", KeySchema }) => ({
        IndexName: IndexName in swapped ? swapped[IndexName as keyof typeof swapped] : IndexName,
        KeySchema,
        Projection: { ProjectionType: "ALL" as const },
      })),
    }),
  );
  await assert.rejects(createTable(TableName), { message: /has the indexes of another version\. Delete its data\.$/ });
  await documentClient().send(new DeleteTableCommand({ TableName }));
});

test("a table with the indexes of another version is refused", async () => {
  const { tableName } = await useTestTable();
  const removal = { TableName: tableName, GlobalSecondaryIndexUpdates: [{ Delete: { IndexName: "GSI5" } }] };
  await documentClient().send(new UpdateTableCommand(removal));
  const indexCount = async () => {
    const { Table } = await documentClient().send(new DescribeTableCommand({ TableName: tableName }));
    return Table?.GlobalSecondaryIndexes?.length;
  };
  while ((await indexCount()) === tableDefinition.indexes.length) await wait(50);
  await assert.rejects(createTable(tableName), { message: /has the indexes of another version\. Delete its data\.$/ });
});

const loopback = "127.0.0.1";
// Linux has the whole network 127.0.0.0/8 on the loopback interface, so a program that listens everywhere also listens there.
const others = process.platform === "linux" ? ["127.0.0.2"] : [];

test("DynamoDB Local listens on the loopback interface only", async () => {
  const port = Number(new URL(process.env.TEST_DYNAMODB_ENDPOINT ?? "").port);
  assert.ok(await accepts(loopback, port));
  const interfaces = Object.values(networkInterfaces()).flatMap((addresses = []) => addresses);
  const addresses = [...others, ...interfaces.map(({ address }) => address)].filter((address) => address !== loopback);
  assert.ok(addresses.length > 0);
  for (const address of addresses) assert.equal(await accepts(address, port), false, address);
});
