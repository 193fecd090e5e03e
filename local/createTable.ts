import { isDeepStrictEqual } from "node:util";
import {
  CreateTableCommand,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  DynamoDBClient,
  type KeySchemaElement,
  ResourceInUseException,
  type TableDescription,
  UpdateTableCommand,
  UpdateTimeToLiveCommand,
  waitUntilTableExists,
} from "@aws-sdk/client-dynamodb";
import { tableDefinition } from "../functions/table/definition.ts";

const { partitionKey, sortKey, indexes, timeToLiveAttribute } = tableDefinition;

const StreamViewType = "NEW_AND_OLD_IMAGES";
const StreamSpecification = { StreamEnabled: true, StreamViewType } as const;

/** On a busy machine, the first responses of a new database take seconds, longer than the default timeout. */
const requestHandler = { connectionTimeout: 1_000, requestTimeout: 20_000, throwOnRequestTimeout: true };

/**
 * Creates the table with its stream by default. Adds the stream and the time to live to a table without them, for example one that a dump restored.
 * @returns whether an existing table got a stream, so that its earlier changes are in none.
 * @throws Error if it exists with other keys, indexes, view of its stream or attribute of its time to live.
 */
export async function createTable(tableName: string, { hasStream = true } = {}): Promise<{ addedStream: boolean }> {
  const client = new DynamoDBClient({ requestHandler });
  try {
    const isNew = await create(client, tableName, hasStream);
    await waitUntilTableExists({ client, maxWaitTime: 60 }, { TableName: tableName });
    const { Table = {} } = await client.send(new DescribeTableCommand({ TableName: tableName }));
    assertSameKeys(tableName, Table);
    // Before the first change of the table.
    const { TimeToLiveDescription } = await client.send(new DescribeTimeToLiveCommand({ TableName: tableName }));
    assertSame(tableName, "time to live", TimeToLiveDescription?.AttributeName, timeToLiveAttribute);
    const addsStream = hasStream && !Table.StreamSpecification?.StreamEnabled;
    if (hasStream) assertSame(tableName, "stream", Table.StreamSpecification?.StreamViewType, StreamViewType);
    if (addsStream) await client.send(new UpdateTableCommand({ TableName: tableName, StreamSpecification }));
    if (!TimeToLiveDescription?.TimeToLiveStatus?.startsWith("ENABL")) {
      const TimeToLiveSpecification = { Enabled: true, AttributeName: timeToLiveAttribute };
      await client.send(new UpdateTimeToLiveCommand({ TableName: tableName, TimeToLiveSpecification }));
    }
    return { addedStream: addsStream && !isNew };
  } finally {
    client.destroy();
  }
}

/** @returns false if the table exists. */
async function create(client: DynamoDBClient, tableName: string, hasStream: boolean): Promise<boolean> {
  try {
    await client.send(new CreateTableCommand(createTableInput(tableName, hasStream)));
    return true;
  } catch (error) {
    if (error instanceof ResourceInUseException) return false;
    throw error;
  }
}

function assertSameKeys(tableName: string, { KeySchema = [], GlobalSecondaryIndexes = [] }: TableDescription): void {
  const found = GlobalSecondaryIndexes.map((index) => keysOf(index.IndexName, index.KeySchema));
  const defined = indexes.map((index) => keysOf(index.indexName, keySchema(index)));
  const isSame =
    keysOf("", KeySchema) === keysOf("", keySchema({ partitionKey, sortKey })) &&
    isDeepStrictEqual(found.sort(), defined.sort());
  if (!isSame) throw new Error(`The table ${tableName} has the indexes of another version. Delete its data.`);
}

function keysOf(name = "", keys: KeySchemaElement[] = []): string {
  return [name, ...keys.map(({ AttributeName, KeyType }) => `${KeyType} ${AttributeName}`).sort()].join();
}

function assertSame(tableName: string, what: string, found: string | undefined, defined: string): void {
  if (found !== undefined && found !== defined)
    throw new Error(
      `The table ${tableName} has a ${what} with ${found} instead of ${defined}. Disable it there, then start again.`,
    );
}

function createTableInput(TableName: string, hasStream: boolean) {
  const names = [partitionKey, sortKey, ...indexes.flatMap((index) => [index.partitionKey, index.sortKey])];
  return {
    TableName,
    BillingMode: "PAY_PER_REQUEST" as const,
    AttributeDefinitions: names.map((AttributeName) => ({ AttributeName, AttributeType: "S" as const })),
    KeySchema: keySchema({ partitionKey, sortKey }),
    GlobalSecondaryIndexes: indexes.map(indexInput),
    ...(hasStream && { StreamSpecification }),
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
