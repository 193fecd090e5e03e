import {
  CreateTableCommand,
  type KeySchemaElement,
  ResourceInUseException,
  UpdateTimeToLiveCommand,
  waitUntilTableExists,
} from "@aws-sdk/client-dynamodb";
import { dynamoDb } from "../functions/data/client.ts";
import { tableDefinition } from "../functions/data/tableDefinition.ts";

const { partitionKey, sortKey, indexes, timeToLiveAttribute } = tableDefinition;

/** Makes the table from the definition that the stack deploys. Leaves one that is there already as it is. */
export async function createTable(tableName: string): Promise<void> {
  try {
    await dynamoDb().send(new CreateTableCommand(createTableInput(tableName)));
  } catch (error) {
    if (error instanceof ResourceInUseException) return;
    throw error;
  }
  await waitUntilTableExists({ client: dynamoDb(), maxWaitTime: 60 }, { TableName: tableName });
  const TimeToLiveSpecification = { Enabled: true, AttributeName: timeToLiveAttribute };
  await dynamoDb().send(new UpdateTimeToLiveCommand({ TableName: tableName, TimeToLiveSpecification }));
}

function createTableInput(TableName: string) {
  const names = [partitionKey, sortKey, ...indexes.flatMap((index) => [index.partitionKey, index.sortKey])];
  return {
    TableName,
    BillingMode: "PAY_PER_REQUEST" as const,
    AttributeDefinitions: names.map((AttributeName) => ({ AttributeName, AttributeType: "S" as const })),
    KeySchema: keySchema({ partitionKey, sortKey }),
    GlobalSecondaryIndexes: indexes.map((index) => ({
      IndexName: index.indexName,
      KeySchema: keySchema(index),
      Projection: { ProjectionType: "ALL" as const },
    })),
    StreamSpecification: { StreamEnabled: true, StreamViewType: "NEW_AND_OLD_IMAGES" as const },
  };
}

function keySchema(key: { partitionKey: string; sortKey: string }): KeySchemaElement[] {
  return [
    { AttributeName: key.partitionKey, KeyType: "HASH" },
    { AttributeName: key.sortKey, KeyType: "RANGE" },
  ];
}
