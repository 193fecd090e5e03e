import { describeError } from "../../functions/table/describeError.ts";
import type { Io } from "../shared/command.ts";

export interface Check {
  name: string;
  /** @returns what was found. @throws Error that says what to do. */
  check: () => Promise<string>;
}

/** A check's failure, with what to do. */
export class CheckFailure extends Error {
  override readonly name = "CheckFailure";
}

/** Runs checks one after the other, and prints a line for each. @returns the exit code: 1 if one failed. */
export async function runChecks(checks: readonly Check[], { stdout, signal }: Pick<Io, "stdout" | "signal">) {
  let exitCode = 0;
  for (const { name, check } of checks) {
    if (signal.aborted) break;
    try {
      stdout.write(`ok    ${name}: ${await check()}\n`);
    } catch (error) {
      stdout.write(`FAIL  ${name}: ${error instanceof CheckFailure ? error.message : `${describeError(error)}.`}\n`);
      exitCode = 1;
    }
  }
  return exitCode;
}
