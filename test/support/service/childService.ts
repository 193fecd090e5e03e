import { spawn } from "node:child_process";
import { rmSync } from "node:fs";
import { mkdtemp, open, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { ServiceDescription } from "../../../local/localService.ts";

const start = resolve(import.meta.dirname, "../../../local/start.ts");
const described = ".local/service.json";
const pollMs = 25;
/** Longer than a deployed function's, for a busy machine. */
const functionTimeoutMs = 60_000;

export interface ChildService {
  directory: string;
  description: ServiceDescription;
  log: () => Promise<string>;
  stop: (signal?: NodeJS.Signals) => void;
}

const outputIn = (directory: string) => readFile(join(directory, "output.log"), "utf8");

/** The output of both streams from the first JSON line; the greeting before it shows keys on purpose. */
export async function logOf({ directory }: Pick<ChildService, "directory">): Promise<string> {
  return (await outputIn(directory)).replace(/^.*?(?=^\{)/ms, "");
}

/**
 * Starts the service as its users do, in its own process and directory, and waits until it serves all of its data. Both are removed when
 * this process ends.
 */
export async function startChildService(options: string[] = [], nodeOptions: string[] = []): Promise<ChildService> {
  const directory = await mkdtemp(join(tmpdir(), "ticketing-"));
  const stream = await open(join(directory, "output.log"), "w");
  const child = spawn(process.execPath, [...nodeOptions, start, "--port", "0", ...options], {
    cwd: directory,
    env: { ...process.env, POWERTOOLS_LOG_LEVEL: "INFO", FUNCTION_TIMEOUT_MS: String(functionTimeoutMs) },
    stdio: ["ignore", stream.fd, stream.fd],
  });
  await stream.close();
  child.unref();
  process.once("exit", () => {
    child.kill();
    rmSync(directory, { recursive: true });
  });
  while (!(await outputIn(directory)).includes('"The summaries are up to date."')) {
    if (child.exitCode !== null) throw new Error(`The service did not start: ${await outputIn(directory)}`);
    await wait(pollMs);
  }
  return {
    directory,
    description: ServiceDescription.parse(JSON.parse(await readFile(join(directory, described), "utf8"))),
    log: () => logOf({ directory }),
    stop: (signal) => child.kill(signal),
  };
}
