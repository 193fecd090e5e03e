import type { Readable } from "node:stream";
import { inspect, parseArgs } from "node:util";
import * as z from "zod";
import { idText } from "../../functions/resources/fields.ts";
import { describeError } from "../../functions/table/errors.ts";
import { GivenUp } from "../../functions/table/untilTaken.ts";
import { InstantInUtc } from "../../functions/values/instant.ts";
import type { Screen } from "./progress.ts";
import { UsageError } from "./usageError.ts";

/** A command's input and output. */
export interface Io {
  stdin: Readable;
  stdout: Pick<Screen, "write">;
  stderr: Screen;
  /** Aborts on Ctrl-C, on a request to end, and when nobody reads the output any more. */
  signal: AbortSignal;
}

/** Takes the command line's arguments and returns the exit code. */
export type Main = (args: string[], io: Io) => Promise<number>;

interface Definition<Options extends z.ZodObject> {
  /** Printed by --help. Starts with `npm run ops -- NAME`. */
  usage: string;
  /** Printed on interruption. */
  interrupted?: string | undefined;
  /** Options by name: each is a {@link flag} or has a value. `files` gets the arguments that are not options. */
  Options: Options;
}

/** An option without a value. */
export const flag = z.boolean().default(false);

/** An option whose value is an id. */
export function idOption(option: string) {
  return z.string(`${option} is missing.`).pipe(idText(`${option} must be an id.`));
}

/** An option with a time in any form that this service accepts, in UTC without an offset. The result is in UTC with milliseconds. */
export function timeOption(option: string) {
  return z.string(`${option} is missing.`).transform((text, context) => {
    const { data, error } = InstantInUtc.safeParse(text);
    if (error) context.addIssue(`${option}: ${error.issues[0]?.message}`);
    return data ?? z.NEVER;
  });
}

/**
 * Defines a command, which `cli/ops.ts` lists and runs.
 *
 * @param run returns the exit code. The exit code is 2 if it throws, and 130 after an interruption.
 */
export function command<Options extends z.ZodObject>(
  { usage, interrupted = "Interrupted. Run it again to continue.", Options }: Definition<Options>,
  run: (options: z.output<Options>, io: Io) => Promise<number>,
): Main {
  // The name is the lower-case words before the options.
  const seeHelp = `See ${/^npm run ops --(?: [a-z][a-z-]*)+/.exec(usage)} --help.`;
  return async (args, io) => {
    if (args.includes("--help") || args.includes("-h")) {
      io.stdout.write(`${usage}\n`);
      return 0;
    }
    try {
      const exitCode = await run(parseCommandLine(args, Options, seeHelp), io);
      if (!io.signal.aborted) return exitCode;
    } catch (error) {
      if (!io.signal.aborted) {
        io.stderr.write(`${explain(error)}\n`);
        return 2;
      }
    }
    io.stderr.write(`${interrupted}\n`);
    return 130;
  };
}

/** Runs a command in this process, and exits. */
export async function runAsProgram(main: Main, args: string[]): Promise<never> {
  // A page of a scan, or a batch of 10 MB over a slow connection, can take longer than an API request. A timeout would send it again.
  process.env.DYNAMODB_TIMEOUT_MS ??= "30000";
  const interruption = new AbortController();
  const interrupt = () => interruption.abort();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, interrupt);
  const { stdin, stdout, stderr } = process;
  // A reader that leaves, such as `| head -1`, ends a command in the same orderly way.
  for (const output of [stdout, stderr]) output.on("error", interrupt);
  process.exit(await main(args, { stdin, stdout, stderr, signal: interruption.signal }));
}

/** @throws UsageError if options or arguments are unknown or invalid. */
function parseCommandLine<Options extends z.ZodObject>(args: string[], Options: Options, seeHelp: string) {
  const { files, ...shape } = Options.shape;
  const options = Object.fromEntries(
    Object.entries(shape).map(([name, schema]) => [name, { type: schema === flag ? "boolean" : "string" } as const]),
  );
  try {
    const { values, positionals, tokens } = parseArgs({ args, options, allowPositionals: !!files, tokens: true });
    assertOnce(tokens.flatMap((token) => (token.kind === "option" ? token : [])));
    const words: string[] = positionals;
    if (words.includes("")) throw new UsageError("An argument is empty.");
    return Options.parse({ ...values, files: positionals });
  } catch (error) {
    throw new UsageError(`${describeProblem(error)} ${seeHelp}`, { cause: error });
  }
}

/** Refuses what parseArgs accepts: a repeated option, of which only the last value would count, and an empty value, such as an unset variable. */
function assertOnce(given: readonly { rawName: string; value: string | undefined }[]): void {
  for (const [index, { rawName, value }] of given.entries()) {
    if (given.findIndex((other) => other.rawName === rawName) < index)
      throw new UsageError(`${rawName} is given twice.`);
    if (value === "") throw new UsageError(`${rawName} is empty.`);
  }
}

function describeProblem(error: unknown): string {
  if (error instanceof UsageError) return error.message;
  if (error instanceof z.ZodError) return error.issues.map(({ message }) => message).join(" ");
  // The first sentence names the problem; the others are advice on quoting.
  const [problem] = describeError(error)
    .replace(/^[A-Z_]+: /, "")
    .split(". ");
  return `${problem}.`;
}

/** One line for an error that the user can fix; other errors are bugs and keep their stack. */
function explain(error: unknown): string {
  if (error instanceof UsageError || error instanceof GivenUp) return error.message;
  // The AWS SDK's error has no name of its own.
  if (error instanceof Error && error.message === "Region is missing") return "No AWS region is set. Set AWS_REGION.";
  // Such as EISDIR and EACCES of a file that the command line names.
  if (error instanceof Error && "syscall" in error && "path" in error) return `${error.message}.`;
  const isRefusal = error instanceof Error && ("$metadata" in error || error.name === "CredentialsProviderError");
  return isRefusal ? `AWS rejected the request: ${describeError(error)}.` : inspect(error);
}
