import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";

/** Runs a command of this repository to its end. @returns what it wrote. @throws Error with it where it ends with another exit code. */
export async function run(
  command: string,
  commandLine: string[],
  environment: NodeJS.ProcessEnv,
  exitCodes: readonly number[] = [0],
): Promise<string> {
  const child = spawn(command, commandLine, {
    // A test runner that is told of another around it runs nothing.
    env: { ...process.env, NODE_TEST_CONTEXT: undefined, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [[code], stdout, stderr] = await Promise.all([once(child, "close"), text(child.stdout), text(child.stderr)]);
  if (!exitCodes.includes(code))
    throw new Error(`${[command, ...commandLine].join(" ")} ended with ${code}:\n${tail(stdout)}\n${tail(stderr)}`);
  return stdout + stderr;
}

/** The end of what a command wrote, where the reason is. */
function tail(output: string): string {
  return output.slice(-20_000);
}
