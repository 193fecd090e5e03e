import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startDynamoDbLocal } from "../../../packages/local-aws/dynamodb/startDynamoDbLocal.ts";
import "./setUp.ts";

const ends: (() => unknown)[] = [];
let started: Promise<string> | undefined;

/** Runs a function after all tests, before those that are already registered. The run fails if one fails. */
export function atEnd(end: () => unknown): void {
  ends.unshift(end);
}

/**
 * Starts one DynamoDB Local for all test files; each file makes its own tables in it. Also makes one directory in which the files of a run
 * share what Node compiled, and templates. Several projects may call it.
 *
 * @returns the directory, which is deleted after the run.
 */
export default async function globalSetup(): Promise<string> {
  started ??= start();
  return started;
}

async function start(): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), "test-run-"));
  atEnd(() => rmSync(directory, { recursive: true, force: true }));
  process.env.NODE_COMPILE_CACHE = join(directory, "compiled");
  process.env.TEST_SYNTHESIS_SOCKET = join(directory, "synthesis.sock");
  const synthesisServer = fork(join(import.meta.dirname, "../../lib/support/synthesisServer.ts"), [
    process.env.TEST_SYNTHESIS_SOCKET,
  ]);
  // Node writes what it compiled into the directory when the process ends.
  const ended = once(synthesisServer, "exit");
  const listening = once(synthesisServer, "message");
  const dynamoDb = await startDynamoDbLocal();
  atEnd(() => dynamoDb.stop());
  await listening;
  atEnd(() => {
    synthesisServer.disconnect();
    return ended;
  });
  process.env.TEST_DYNAMODB_ENDPOINT = dynamoDb.endpoint;
  return directory;
}

export async function globalTeardown(): Promise<void> {
  const failures: unknown[] = [];
  for (const end of ends.splice(0))
    await Promise.resolve()
      .then(end)
      .catch((error) => failures.push(error));
  if (failures.length > 0) throw failures[0];
}
