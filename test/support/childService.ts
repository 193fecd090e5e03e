import { spawn } from "node:child_process";
import { rmSync } from "node:fs";
import { mkdtemp, open, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { ServiceDescription } from "../../local/serviceDescription.ts";

const start = resolve(import.meta.dirname, "../../local/start.ts");
const described = ".local/service.json";
const pollMs = 25;

export interface ChildService {
  /** Where it was started. */
  directory: string;
  description: ServiceDescription;
  /** All that the service wrote on both of its streams, from the first line that is JSON; the greeting before shows keys on purpose. */
  log: () => Promise<string>;
  /** Ends it before this process ends. */
  stop: () => void;
}

/**
 * Starts the service as its users do, in a process and a directory of its own, and waits until it serves all of its data. Both are gone when this
 * process ends.
 */
export async function startChildService(...options: string[]): Promise<ChildService> {
  return startChild(options, (output) => output.includes('"The summaries are up to date."'));
}

/** The same, but waits only until it gives first answers. */
export async function startAnsweringService(): Promise<ChildService> {
  return startChild([], (output) => output.includes("The ticketing API is running."));
}

async function startChild(options: string[], isReady: (output: string) => boolean): Promise<ChildService> {
  const directory = await mkdtemp(join(tmpdir(), "ticketing-"));
  const output = join(directory, "output.log");
  const stream = await open(output, "w");
  const child = spawn(process.execPath, [start, "--port", "0", ...options], {
    cwd: directory,
    stdio: ["ignore", stream.fd, stream.fd],
  });
  await stream.close();
  child.unref();
  process.once("exit", () => {
    child.kill();
    rmSync(directory, { recursive: true });
  });
  const written = () => readFile(output, "utf8");
  while (!isReady(await written())) {
    if (child.exitCode !== null) throw new Error(`The service did not start: ${await written()}`);
    await wait(pollMs);
  }
  return {
    directory,
    description: ServiceDescription.parse(JSON.parse(await readFile(join(directory, described), "utf8"))),
    log: async () => (await written()).replace(/^.*?(?=^\{)/ms, ""),
    stop: () => child.kill(),
  };
}
