import { randomUUID } from "node:crypto";
import { DeleteTableCommand, DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { afterAll } from "@jest/globals";
import * as z from "zod";
import { createTable } from "../../../local/createTable.ts";
import { useLocalTable } from "../../../local/localService.ts";

const Environment = z.object({ TEST_DYNAMODB_ENDPOINT: z.url() });

/** The endpoint of this test run, before a file puts a proxy in front of it; undefined for a file that starts its own. */
const { TEST_DYNAMODB_ENDPOINT: dynamoDbEndpoint } = process.env;
const tableNames: string[] = [];

/** Deletes the file's tables so far: DynamoDB Local spends time on each of its tables even if nobody uses it. */
export async function deleteTestTables(): Promise<void> {
  if (dynamoDbEndpoint === undefined) return;
  const client = new DynamoDBClient({ endpoint: dynamoDbEndpoint });
  for (const TableName of tableNames.splice(0)) await client.send(new DeleteTableCommand({ TableName }));
  client.destroy();
}
afterAll(deleteTestTables);

/**
 * Makes a new, empty table in the DynamoDB Local of this test run, and points this process's functions at it. It is deleted after the last
 * test of the file. By default it has no stream: the records of many tables' streams make DynamoDB Local many times slower.
 */
export async function useTestTable({ hasStream = false } = {}): Promise<{ endpoint: string; tableName: string }> {
  const endpoint = Environment.parse(process.env).TEST_DYNAMODB_ENDPOINT;
  const tableName = `test-${randomUUID()}`;
  useLocalTable(endpoint, tableName);
  await createTable(tableName, { hasStream });
  tableNames.push(tableName);
  return { endpoint, tableName };
}
