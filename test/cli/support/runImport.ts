import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";

const program = fileURLToPath(new URL("../../../cli/import.ts", import.meta.url));

export interface ImportOptions {
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

/** Runs `npm run import -- ...` as a process of its own, to its end. */
export async function runImport(commandLine: string[], options: ImportOptions = {}) {
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
  return { code, signal, stdout, stderr };
}
