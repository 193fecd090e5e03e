import { randomUUID } from "node:crypto";
import * as z from "zod";
import { createTable } from "../../../local/dynamodb/createTable.ts";
import { useLocalTable } from "../../../local/dynamodb/localTable.ts";

const Environment = z.object({ TEST_DYNAMODB_ENDPOINT: z.url() });

/**
 * Makes a new, empty table in the DynamoDB Local of this test run, and points this process's functions at it. By default it has no
 * stream: the records of many tables' streams make DynamoDB Local many times slower.
 */
export async function useTestTable({ hasStream = false } = {}): Promise<{ endpoint: string; tableName: string }> {
  const endpoint = Environment.parse(process.env).TEST_DYNAMODB_ENDPOINT;
  const tableName = `test-${randomUUID()}`;
  useLocalTable(endpoint, tableName);
  await createTable(tableName, { hasStream });
  return { endpoint, tableName };
}
