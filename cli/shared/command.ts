import { type ParseArgsConfig, parseArgs } from "node:util";
import { describeError } from "../../functions/ingest/describeError.ts";
import { GivenUp } from "../../functions/ingest/untilTaken.ts";
import { UsageError } from "../../local/usageError.ts";

/**
 * Runs a command, and ends the process with its exit code: 2 where it could not run to its end, 130 where it was interrupted.
 *
 * @param main is told by the signal that it is interrupted.
 * @param interrupted what the one who interrupted it must know.
 */
export async function runCommand(main: (signal: AbortSignal) => Promise<number>, interrupted: string): Promise<never> {
  const interruption = new AbortController();
  process.once("SIGINT", () => interruption.abort());
  const exitCode = await main(interruption.signal).catch((error: unknown) => {
    if (!interruption.signal.aborted) console.error(explain(error));
    return 2;
  });
  if (!interruption.signal.aborted) process.exit(exitCode);
  console.error(interrupted);
  process.exit(130);
}

/** The options and positional arguments of a command line. @throws UsageError where it has others. */
export function parseCommandLine<Config extends ParseArgsConfig>(config: Config, seeHelp: string) {
  try {
    return parseArgs(config);
  } catch (error) {
    // The first sentence tells what is wrong; the others are advice on quoting.
    const [problem] = describeError(error)
      .replace(/^[A-Z_]+: /, "")
      .split(". ");
    throw new UsageError(`${problem}. ${seeHelp}`);
  }
}

/** What the one who runs it can mend is told in a line; the rest are faults of ours, with their stack. */
function explain(error: unknown): unknown {
  if (error instanceof UsageError || error instanceof GivenUp) return error.message;
  const isRefusal = error instanceof Error && ("$metadata" in error || error.name === "CredentialsProviderError");
  return isRefusal ? `AWS refuses: ${describeError(error)}.` : error;
}
