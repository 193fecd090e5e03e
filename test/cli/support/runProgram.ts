import { spawn } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import { text } from "node:stream/consumers";
import { type CommandOptions, runInProcess } from "./runInProcess.ts";

export interface ProgramOptions extends CommandOptions {
  asProcess?: boolean;
  /** Leaves standard input open, like a terminal or a pipe that may bring more. */
  staysOpen?: boolean;
  nodeOptions?: string[];
  /** Called when the process has started. */
  onStart?: (kill: (signal: NodeJS.Signals) => void) => void;
}

/** Runs a command of `cli/` to its end: in this process, or in its own one if the options require that. */
export async function runProgram(name: string, commandLine: string[], options: ProgramOptions = {}) {
  const { asProcess = false, staysOpen = false, nodeOptions, onStart } = options;
  const isProcess = asProcess || staysOpen || nodeOptions !== undefined || onStart !== undefined;
  const { stderr, ...run } = await (isProcess ? runAsProcess : runInProcess)(name, commandLine, options);
  return { ...run, stderr: stderr.replaceAll(progressLines, "") };
}

/** A busy machine takes long enough for progress to be printed. */
const progressLines = /^(\d+ %, )?[\d,]+ records, [\d,]+ a second.*\n/gm;

async function runAsProcess(name: string, commandLine: string[], options: ProgramOptions) {
  const program = resolve(import.meta.dirname, `../../../cli/${name}.ts`);
  const { cwd, stdin = "", environment = {}, nodeOptions = [], staysOpen, onStart } = options;
  const child = spawn(process.execPath, [...nodeOptions, program, ...commandLine], {
    cwd,
    env: { ...process.env, ...environment },
  });
  onStart?.((signal) => child.kill(signal));
  // A program may end before it has read its input.
  child.stdin.on("error", () => undefined).write(stdin);
  if (!staysOpen) child.stdin.end();
  const [[code, signal], stdout, stderr] = await Promise.all([
    once(child, "close"),
    text(child.stdout),
    text(child.stderr),
  ]);
  return { code, signal, stdout, stderr };
}
