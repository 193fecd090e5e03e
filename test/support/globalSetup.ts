import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type LocalDynamoDb, startDynamoDbLocal } from "../../local/dynamodb/startDynamoDbLocal.ts";

let dynamoDb: LocalDynamoDb | undefined;
let directory: string | undefined;

/**
 * One DynamoDB Local for all test files; each file makes tables of its own in it. And one directory for what the files of a run need not
 * each make again: what Node compiled, and templates.
 */
export async function globalSetup(): Promise<void> {
  directory = mkdtempSync(join(tmpdir(), "test-run-"));
  process.env.TEST_RUN_DIRECTORY = directory;
  process.env.NODE_COMPILE_CACHE = join(directory, "compiled");
  // The CDK's own validation takes seconds of each synthesis; `npm run synth` keeps it.
  process.env.CDK_VALIDATION = "false";
  dynamoDb = await startDynamoDbLocal();
  process.env.TEST_DYNAMODB_ENDPOINT = dynamoDb.endpoint;
}

export async function globalTeardown(): Promise<void> {
  await dynamoDb?.stop();
  if (directory !== undefined) rmSync(directory, { recursive: true, force: true });
}
