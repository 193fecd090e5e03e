import { type ParseArgsConfig, parseArgs } from "node:util";
import { describeError } from "../../functions/ingest/describeError.ts";
import { GivenUp } from "../../functions/ingest/untilTaken.ts";
import { UsageError } from "../../local/usageError.ts";

/**
 * Runs a command and exits with its exit code, with 2 if it failed, or with 130 if it was interrupted.
 *
 * @param main gets a signal that aborts on interruption.
 * @param interrupted is printed on interruption.
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

/** Parses the command line. @throws UsageError if it has unknown options or arguments. */
export function parseCommandLine<Config extends ParseArgsConfig>(config: Config, seeHelp: string) {
  try {
    return parseArgs(config);
  } catch (error) {
    // The first sentence names the problem; the others are advice on quoting.
    const [problem] = describeError(error)
      .replace(/^[A-Z_]+: /, "")
      .split(". ");
    throw new UsageError(`${problem}. ${seeHelp}`);
  }
}

/** One line for an error that the user can fix; other errors are bugs and keep their stack. */
function explain(error: unknown): unknown {
  if (error instanceof UsageError || error instanceof GivenUp) return error.message;
  const isRefusal = error instanceof Error && ("$metadata" in error || error.name === "CredentialsProviderError");
  return isRefusal ? `AWS rejected the request: ${describeError(error)}.` : error;
}
