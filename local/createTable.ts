import {
  CreateTableCommand,
  DescribeTableCommand,
  DynamoDBClient,
  type KeySchemaElement,
  ResourceInUseException,
  UpdateTimeToLiveCommand,
  waitUntilTableExists,
} from "@aws-sdk/client-dynamodb";
import { tableDefinition } from "../functions/table/definition.ts";

const { partitionKey, sortKey, indexes, timeToLiveAttribute } = tableDefinition;

/** On a busy machine, the first responses of a new database take seconds, longer than the default timeout. */
const requestHandler = { connectionTimeout: 1_000, requestTimeout: 20_000, throwOnRequestTimeout: true };

/** Creates the table with its stream by default, unless it exists. @throws Error if a version with other indexes has created it. */
export async function createTable(tableName: string, { hasStream = true } = {}): Promise<void> {
  const client = new DynamoDBClient({ requestHandler });
  try {
    await client.send(new CreateTableCommand(createTableInput(tableName, hasStream)));
    await waitUntilTableExists({ client, maxWaitTime: 60 }, { TableName: tableName });
    const TimeToLiveSpecification = { Enabled: true, AttributeName: timeToLiveAttribute };
    await client.send(new UpdateTimeToLiveCommand({ TableName: tableName, TimeToLiveSpecification }));
  } catch (error) {
    if (!(error instanceof ResourceInUseException)) throw error;
    const { Table } = await client.send(new DescribeTableCommand({ TableName: tableName }));
    if (Table?.GlobalSecondaryIndexes?.length !== indexes.length)
      throw new Error(`The table ${tableName} has the indexes of another version. Delete its data.`);
  } finally {
    client.destroy();
  }
}

function createTableInput(TableName: string, hasStream: boolean) {
  const names = [partitionKey, sortKey, ...indexes.flatMap((index) => [index.partitionKey, index.sortKey])];
  return {
    TableName,
    BillingMode: "PAY_PER_REQUEST" as const,
    AttributeDefinitions: names.map((AttributeName) => ({ AttributeName, AttributeType: "S" as const })),
    KeySchema: keySchema({ partitionKey, sortKey }),
    GlobalSecondaryIndexes: indexes.map(indexInput),
    ...(hasStream && { StreamSpecification: { StreamEnabled: true, StreamViewType: "NEW_AND_OLD_IMAGES" as const } }),
  };
}

function indexInput(index: (typeof indexes)[number]) {
  return { IndexName: index.indexName, KeySchema: keySchema(index), Projection: { ProjectionType: "ALL" as const } };
}

function keySchema(key: { partitionKey: string; sortKey: string }): KeySchemaElement[] {
  return [
    { AttributeName: key.partitionKey, KeyType: "HASH" },
    { AttributeName: key.sortKey, KeyType: "RANGE" },
  ];
}
