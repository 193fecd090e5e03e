import {
  CreateTableCommand,
  DynamoDBClient,
  type KeySchemaElement,
  PutItemCommand,
  ResourceInUseException,
  UpdateTimeToLiveCommand,
  waitUntilTableExists,
} from "@aws-sdk/client-dynamodb";
import { declarationsVersion } from "../../functions/resources/index.ts";
import { toAttributes } from "../../functions/table/attributeValue.ts";
import { tableDefinition } from "../../functions/table/definition.ts";
import { keys } from "../../functions/table/keys.ts";

const { partitionKey, sortKey, indexes, timeToLiveAttribute } = tableDefinition;

/** On a busy machine, the first responses of a new database take seconds, longer than the default timeout. */
const requestHandler = { connectionTimeout: 1_000, requestTimeout: 20_000, throwOnRequestTimeout: true };

/**
 * Creates the table from the definition that the stack deploys, by default with its stream, and records that it satisfies the present declarations.
 * An existing table is left unchanged.
 */
export async function createTable(tableName: string, { hasStream = true } = {}): Promise<void> {
  const client = new DynamoDBClient({ requestHandler });
  try {
    await client.send(new CreateTableCommand(createTableInput(tableName, hasStream)));
    await waitUntilTableExists({ client, maxWaitTime: 60 }, { TableName: tableName });
    const TimeToLiveSpecification = { Enabled: true, AttributeName: timeToLiveAttribute };
    await client.send(new UpdateTimeToLiveCommand({ TableName: tableName, TimeToLiveSpecification }));
    const Item = toAttributes({ ...keys.declarations(), declarations: declarationsVersion });
    await client.send(new PutItemCommand({ TableName: tableName, Item }));
  } catch (error) {
    if (!(error instanceof ResourceInUseException)) throw error;
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
    GlobalSecondaryIndexes: indexes.map((index) => ({
      IndexName: index.indexName,
      KeySchema: keySchema(index),
      Projection: { ProjectionType: "ALL" as const },
    })),
    ...(hasStream && { StreamSpecification: { StreamEnabled: true, StreamViewType: "NEW_AND_OLD_IMAGES" as const } }),
  };
}

function keySchema(key: { partitionKey: string; sortKey: string }): KeySchemaElement[] {
  return [
    { AttributeName: key.partitionKey, KeyType: "HASH" },
    { AttributeName: key.sortKey, KeyType: "RANGE" },
  ];
}
