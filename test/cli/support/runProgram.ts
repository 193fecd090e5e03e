import { spawn } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import { text } from "node:stream/consumers";

export interface ProgramOptions {
  cwd?: string;
  stdin?: string | Buffer;
  /** Leaves standard input open, as a terminal's or a pipe's that may bring more. */
  staysOpen?: boolean;
  environment?: NodeJS.ProcessEnv;
  /** What Node itself is told. */
  nodeOptions?: string[];
  /** Called with the process once it runs. */
  onStart?: (kill: (signal: NodeJS.Signals) => void) => void;
}

/** Runs a program of `cli/` as a process of its own, to its end. */
export async function runProgram(name: string, commandLine: string[], options: ProgramOptions = {}) {
  const program = resolve(import.meta.dirname, `../../../cli/${name}.ts`);
  const { cwd, stdin = "", environment = {}, nodeOptions = [], staysOpen, onStart } = options;
  const child = spawn(process.execPath, [...nodeOptions, program, ...commandLine], {
    cwd,
    env: { ...process.env, ...environment },
  });
  onStart?.((signal) => child.kill(signal));
  // A program that ends before it has read its input is no failure of this one.
  child.stdin.on("error", () => undefined).write(stdin);
  if (!staysOpen) child.stdin.end();
  const [[code, signal], stdout, stderr] = await Promise.all([
    once(child, "close"),
    text(child.stdout),
    text(child.stderr),
  ]);
  return { code, signal, stdout, stderr: stderr.replaceAll(progressLines, "") };
}

/** A busy machine takes long enough for progress to be printed. */
const progressLines = /^(\d+ %, )?[\d,]+ records, [\d,]+ a second.*\n/gm;
