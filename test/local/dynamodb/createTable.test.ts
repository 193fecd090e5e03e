import assert from "node:assert/strict";
import { DescribeTableCommand, DescribeTimeToLiveCommand } from "@aws-sdk/client-dynamodb";
import { beforeAll, test } from "@jest/globals";
import { dynamoDb } from "../../../functions/table/client.ts";
import { tableDefinition } from "../../../functions/table/definition.ts";
import { getItem } from "../../../functions/table/reads.ts";
import { openTable } from "../../../functions/table/table.ts";
import { putItem } from "../../../functions/table/writes.ts";
import { createTable } from "../../../local/dynamodb/createTable.ts";
import { useTestTable } from "../../support/data/testTable.ts";

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
  const { Table } = await dynamoDb().send(new DescribeTableCommand({ TableName }));
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
  const { TimeToLiveDescription } = await dynamoDb().send(new DescribeTimeToLiveCommand({ TableName }));
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
