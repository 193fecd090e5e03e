import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";

/** Runs a command of this repository to its end. @returns its output. @throws Error with its output if it ends with an unexpected exit code. */
export async function run(
  command: string,
  commandLine: string[],
  environment: NodeJS.ProcessEnv,
  exitCodes: readonly number[] = [0],
): Promise<string> {
  const child = spawn(command, commandLine, {
    env: { ...process.env, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [[code], stdout, stderr] = await Promise.all([once(child, "close"), text(child.stdout), text(child.stderr)]);
  if (!exitCodes.includes(code))
    throw new Error(`${[command, ...commandLine].join(" ")} ended with ${code}:\n${tail(stdout)}\n${tail(stderr)}`);
  return stdout + stderr;
}

/** The end of a command's output, which has the reason of a failure. */
function tail(output: string): string {
  return output.slice(-20_000);
}
