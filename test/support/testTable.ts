import { randomUUID } from "node:crypto";
import * as z from "zod";
import { createTable } from "../../local/createTable.ts";
import { useLocalTable } from "../../local/localTable.ts";

const Environment = z.object({ TEST_DYNAMODB_ENDPOINT: z.url() });

/** Makes a new, empty table in the DynamoDB Local of this test run, and points this process's functions at it. */
export async function useTestTable(): Promise<{ endpoint: string; tableName: string }> {
  const endpoint = Environment.parse(process.env).TEST_DYNAMODB_ENDPOINT;
  const tableName = `test-${randomUUID()}`;
  useLocalTable(endpoint, tableName);
  await createTable(tableName);
  return { endpoint, tableName };
}
