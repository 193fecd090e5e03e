import { randomUUID } from "node:crypto";
import { DynamoDBClient, UpdateTableCommand } from "@aws-sdk/client-dynamodb";
import * as z from "zod";
import { createTable } from "../../local/dynamodb/createTable.ts";
import { useLocalTable } from "../../local/dynamodb/localTable.ts";

const Environment = z.object({ TEST_DYNAMODB_ENDPOINT: z.url() });

/**
 * Makes a new, empty table in the DynamoDB Local of this test run, and points this process's functions at it. It has no stream: the
 * records of many tables' streams make DynamoDB Local many times slower.
 */
export async function useTestTable(): Promise<{ endpoint: string; tableName: string }> {
  const table = await useStreamedTestTable();
  const client = new DynamoDBClient();
  const StreamSpecification = { StreamEnabled: false };
  await client.send(new UpdateTableCommand({ TableName: table.tableName, StreamSpecification }));
  client.destroy();
  return table;
}

/** The same, with its stream. */
export async function useStreamedTestTable(): Promise<{ endpoint: string; tableName: string }> {
  const endpoint = Environment.parse(process.env).TEST_DYNAMODB_ENDPOINT;
  const tableName = `test-${randomUUID()}`;
  useLocalTable(endpoint, tableName);
  await createTable(tableName);
  return { endpoint, tableName };
}
