import { execFile, spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll } from "@jest/globals";
import { ServiceDescription } from "../../local/localService.ts";
import { until } from "../support/service/until.ts";
import { temporaryDirectory } from "../support/temporaryDirectory.ts";

export const startPath = resolve(import.meta.dirname, "../../local/start.ts");

const groups: number[] = [];

// Outside of all tests and hooks, so that it runs at the end of the whole file. A failed test may have left processes running.
afterAll(() => {
  for (const group of groups) killGroup(group);
});

interface RunOptions {
  cwd?: string;
  env?: NodeJS.ProcessEnv;
  program?: string;
  /** Options that come before the program's path. */
  nodeOptions?: string[];
}

/** Runs the start as `npm start` does, in its own directory and process group. */
export function runStart(options: string[], { program = startPath, nodeOptions = [], ...run }: RunOptions = {}) {
  return runCommand(process.execPath, [...nodeOptions, program, ...options], run);
}

/** Runs a command that starts the service. */
export function runCommand(
  command: string,
  commandLine: string[],
  { cwd = temporaryDirectory(), env = {} }: RunOptions,
) {
  const child = spawn(command, commandLine, {
    cwd,
    env: { ...process.env, POWERTOOLS_LOG_LEVEL: undefined, ...env },
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const pid = child.pid ?? 0;
  groups.push(pid);
  let output = "";
  let errors = "";
  child.stdout.setEncoding("utf8").on("data", (text) => (output += text));
  child.stderr.setEncoding("utf8").on("data", (text) => (errors += text));
  return {
    cwd,
    pid,
    async exited(): Promise<number | null> {
      await until(async () => child.exitCode !== null || child.signalCode !== null);
      return child.exitCode;
    },
    output: () => output,
    errors: () => errors,
    children: () => childrenOf(pid),
    /** The service's description, once it serves. */
    async served(): Promise<ServiceDescription> {
      await until(async () => output.includes("Press Ctrl-C to stop the service.") || child.exitCode !== null);
      if (child.exitCode !== null) throw new Error(`The service did not start: ${errors}`);
      return ServiceDescription.parse(JSON.parse(await readFile(join(cwd, ".local/service.json"), "utf8")));
    },
    signal: (name: NodeJS.Signals) => process.kill(pid, name),
    /** Sends a signal to the process and everything that it started, as a terminal does. */
    signalGroup: (name: NodeJS.Signals) => process.kill(-pid, name),
  };
}

export async function childrenOf(pid: number): Promise<number[]> {
  return (await processes()).filter(({ parent }) => parent === pid).map((child) => child.pid);
}

export async function descendantsOf(pid: number): Promise<number[]> {
  const children = await childrenOf(pid);
  return [...children, ...(await Promise.all(children.map(descendantsOf))).flat()];
}

/** Waits until all of the processes have ended. */
export async function untilGone(pids: number[]): Promise<void> {
  await until(async () => !(await processes()).some(({ pid }) => pids.includes(pid)));
}

/** Stops a process until SIGCONT. Its threads may go on for a moment after SIGSTOP. */
export async function stop(pid: number): Promise<void> {
  process.kill(pid, "SIGSTOP");
  await until(async () => (await processes()).some((one) => one.pid === pid && one.state.startsWith("T")));
}

async function processes(): Promise<{ pid: number; parent: number; state: string }[]> {
  const { stdout } = await promisify(execFile)("ps", ["-A", "-o", "pid=,ppid=,stat="]);
  return stdout
    .trim()
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
    .filter(([, , state = ""]) => !state.startsWith("Z"))
    .map(([pid, parent, state = ""]) => ({ pid: Number(pid), parent: Number(parent), state }));
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // The group has already ended.
  }
}
