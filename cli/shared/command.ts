import type { Readable } from "node:stream";
import { inspect, parseArgs } from "node:util";
import { UsageError } from "@ticketing/local-aws/usage-error";
import * as z from "zod";
import { redact } from "../../functions/log/logger.ts";
import { idText } from "../../functions/resources/fields.ts";
import { GivenUp } from "../../functions/table/retries.ts";
import { describeError } from "../../functions/table/tableErrors.ts";
import { InstantInUtc } from "../../functions/values/instant.ts";
import { readServiceDescription } from "../../local/localService.ts";

interface Output {
  write: (text: string) => unknown;
}

export interface Io {
  stdin: Readable;
  stdout: Output;
  stderr: Output;
  /** Aborts on SIGINT, SIGTERM and a closed stdout. */
  signal: AbortSignal;
}

/** Takes the command line's arguments and returns the exit code. */
export type Main = (args: string[], io: Io) => Promise<number>;

interface Definition<Options extends z.ZodObject> {
  /** The words after `npm run ops --`. */
  name: string;
  /** Options by name, each an {@link option} or a {@link flag}. `files` gets the arguments that are not options. */
  Options: Options;
  /** Printed by --help: the purpose, the exit codes, and whether the command can be run again. */
  about: string;
  /** Printed on interruption. */
  interrupted?: string;
}

const helps = z.registry<{ value: string; text: string }>();

/** An option as --help prints it. @param value the name of its value, for example `ID`; empty for a flag. */
export function option<Schema extends z.ZodType>(schema: Schema, value: string, text: string): Schema {
  helps.add(schema, { value, text });
  return schema;
}

/** An option without a value. */
export function flag(text: string) {
  return option(z.boolean().default(false), "", text);
}

export const dryRun = flag("change nothing; print what would be done");

export function idOption(name: string) {
  return z.string(`${name} is missing.`).pipe(idText(`${name} must be an id.`));
}

/** A time in any form that this service accepts, in UTC without an offset. The result is in UTC with milliseconds. */
export function timeOption(name: string) {
  return z.string(`${name} is missing.`).transform((text, context) => {
    const { data, error } = InstantInUtc.safeParse(text);
    if (error) context.addIssue(`${name}: ${error.issues[0]?.message}`);
    return data ?? z.NEVER;
  });
}

/** @param run returns the exit code, which is 2 if it throws, and 130 after an interruption. */
export function command<Options extends z.ZodObject>(
  { name, Options, about, interrupted = "Interrupted. Run it again to continue." }: Definition<Options>,
  run: (options: z.output<Options>, io: Io) => Promise<number>,
): Main {
  return async (args, io) => {
    if (args.includes("--help") || args.includes("-h")) {
      io.stdout.write(`npm run ops -- ${name} ${usageOf(Options)}\n\n${about}\n`);
      return 0;
    }
    try {
      const exitCode = await run(parseCommandLine(args, Options, `See npm run ops -- ${name} --help.`), io);
      if (!io.signal.aborted) return exitCode;
    } catch (error) {
      if (!io.signal.aborted) {
        io.stderr.write(`${await explain(error)}\n`);
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
  // A closed pipe, such as `| head -1`, stops a command cleanly.
  for (const output of [stdout, stderr]) output.on("error", interrupt);
  process.exit(await main(args, { stdin, stdout, stderr, signal: interruption.signal }));
}

/** The options, one per line, in the order of their declaration. */
function usageOf({ shape }: z.ZodObject): string {
  const rows = Object.entries(shape).map(([name, schema]) => {
    const { value = "", text = "" } = helps.get(schema) ?? {};
    const isRequired = !z.safeParse(schema, undefined).success;
    return [name === "files" ? value : `--${name} ${value}`, isRequired ? `${text} (required)` : text] as const;
  });
  const width = Math.max(...rows.map(([left]) => left.length));
  const lines = rows.map(([left, text]) => `  ${left.padEnd(width)}  ${text}`);
  return `${"files" in shape ? "FILE " : ""}[OPTION]...\n${lines.join("\n")}`;
}

/** @throws UsageError if options or arguments are unknown or invalid. */
function parseCommandLine<Options extends z.ZodObject>(args: string[], Options: Options, seeHelp: string) {
  // Shells keep command lines in a history.
  if (args.some((one) => redact(one) !== one))
    throw new UsageError(
      `An argument contains an API key, a signing secret or a token, which no command line may contain. ${seeHelp}`,
    );
  const { files, ...shape } = Options.shape;
  const options = Object.fromEntries(
    Object.entries(shape).map(([name, schema]) => {
      const isFlag = helps.get(schema)?.value === "";
      return [name, { type: isFlag ? "boolean" : "string" } as const];
    }),
  );
  try {
    const { values, positionals, tokens } = parseArgs({ args, options, allowPositionals: !!files, tokens: true });
    assertOnce(tokens.flatMap((token) => (token.kind === "option" ? token : [])));
    if ((positionals as string[]).includes("")) throw new UsageError("An argument is empty.");
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

/** Repeats no argument, value or long option, which may be a secret. */
function describeProblem(error: unknown): string {
  if (error instanceof UsageError) return error.message;
  if (error instanceof z.ZodError) return error.issues.map(({ message }) => message).join(" ");
  // The first sentence names the problem; the others are advice on quoting.
  const [problem = ""] = describeError(error)
    .replace(/^[A-Z_]+: /, "")
    .split(". ");
  if (problem.startsWith("Unexpected argument")) return "There are too many arguments.";
  return /'--?[a-z-]{1,20}( <value>)?'/.test(problem) ? `${problem}.` : "There is an unknown option.";
}

/** One line for an error that the user can fix; other errors are bugs and keep their stack. */
async function explain(error: unknown): Promise<string> {
  if (await isOfStoppedService(error)) return "The local service is not running: npm start.";
  if (error instanceof UsageError || error instanceof GivenUp) return error.message;
  // The AWS SDK's error has no name of its own.
  if (error instanceof Error && error.message === "Region is missing") return "No AWS region is set. Set AWS_REGION.";
  // For example EISDIR of a file that the command line names.
  if (error instanceof Error && "syscall" in error && "path" in error) return `${error.message.split(", ")[0]}.`;
  const isRefusal = error instanceof Error && ("$metadata" in error || error.name === "CredentialsProviderError");
  return isRefusal ? `AWS rejected the request: ${describeError(error)}.` : inspect(error);
}

const Refused = z.object({ code: z.literal("ECONNREFUSED"), port: z.int() });

/** True if nothing listens any more where the local service did. */
async function isOfStoppedService(error: unknown): Promise<boolean> {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const { data: refused } = Refused.safeParse(cause);
    if (!refused) continue;
    const { dynamodb_endpoint = "", feed_queue_url = "" } = (await readServiceDescription()) ?? {};
    return [dynamodb_endpoint, feed_queue_url].some((url) => URL.parse(url)?.port === String(refused.port));
  }
  return false;
}
