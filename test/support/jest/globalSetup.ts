import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type LocalDynamoDb, startDynamoDbLocal } from "../../../packages/local-aws/dynamodb/startDynamoDbLocal.ts";

let dynamoDb: LocalDynamoDb | undefined;
let directory: string | undefined;
let synthesisServer: ChildProcess | undefined;

/**
 * Starts one DynamoDB Local for all test files; each file makes its own tables in it. Also makes one directory in which the files of a run
 * share what Node compiled, and templates.
 *
 * @returns the directory, which is deleted after the run.
 */
export default async function globalSetup(): Promise<string> {
  directory = mkdtempSync(join(tmpdir(), "test-run-"));
  process.env.NODE_COMPILE_CACHE = join(directory, "compiled");
  process.env.TEST_SYNTHESIS_SOCKET = join(directory, "synthesis.sock");
  synthesisServer = fork(join(import.meta.dirname, "../../lib/support/synthesisServer.ts"), [
    process.env.TEST_SYNTHESIS_SOCKET,
  ]);
  const listening = once(synthesisServer, "message");
  dynamoDb = await startDynamoDbLocal();
  await listening;
  process.env.TEST_DYNAMODB_ENDPOINT = dynamoDb.endpoint;
  return directory;
}

export async function globalTeardown(): Promise<void> {
  if (synthesisServer) {
    // Node writes what it compiled into the directory when the process ends.
    const ended = once(synthesisServer, "exit");
    synthesisServer.disconnect();
    await ended;
  }
  await dynamoDb?.stop();
  if (directory !== undefined) rmSync(directory, { recursive: true, force: true });
}
