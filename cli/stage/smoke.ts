import { UsageError } from "@ticketing/local-aws/usage-error";
import * as z from "zod";
import { checks, checksFor, runCheck } from "../../functions/probe/checks.ts";
import { command, flag, type Io, option } from "../shared/command.ts";
import { stageName, stageOutput } from "../shared/target.ts";

const about = `Makes the probe's requests to a deployed stage, each once: at the API stack's output BaseUrl, with the usual AWS credentials and region, or
at --base-url without credentials. The environment variable SMOKE_KEY is an API key of the stage with the scope read.
Exit codes: 0 the stage responds as it should, 1 it does not, 2 failed, 130 interrupted.`;

const Options = z.object({
  stage: option(stageName.optional(), "NAME", "test this stage"),
  "base-url": option(
    z.url({ protocol: /^https?$/, error: "--base-url must be the stage's URL." }).optional(),
    "URL",
    "test the stage at this address",
  ),
  new: flag("the stage has no key yet: leave out the requests that need one"),
  timeout: option(
    z.coerce.number("--timeout must be a number of seconds.").positive("--timeout must be positive.").default(10),
    "SECONDS",
    "for each request; default: 10",
  ),
});

async function run(options: z.infer<typeof Options>, io: Io): Promise<number> {
  const { stage, new: isNew, "base-url": given, timeout } = options;
  if ((stage === undefined) === (given === undefined))
    throw new UsageError("Give either --stage NAME or --base-url URL.");
  const key = process.env.SMOKE_KEY || undefined;
  // An error about an invalid header would print the key.
  if (key === undefined ? !isNew : !/^[\x21-\x7e]+$/.test(key))
    throw new UsageError(
      "Set the environment variable SMOKE_KEY to an API key of the stage, or add --new if it has none yet.",
    );
  const url = stage === undefined ? String(given) : await stageOutput(stage, "BaseUrl", `ticketing-${stage}`);
  const target = { baseUrl: url.replace(/\/+$/, ""), key, timeoutMs: timeout * 1000, signal: io.signal };
  return runChecks(target, io);
}

/** Makes the checks one after the other, and prints a line for each. @returns the exit code: 1 if one failed. */
async function runChecks(target: Parameters<typeof runCheck>[1], { stdout, signal }: Io): Promise<number> {
  let exitCode = 0;
  const made = checksFor(target);
  for (const { name } of checks.filter((check) => !made.includes(check)))
    stdout.write(`LEFT OUT  ${name}: SMOKE_KEY is not set.\n`);
  for (const check of made) {
    if (signal.aborted) break;
    try {
      await runCheck(check, target);
      stdout.write(`ok    ${check.name}: ${check.status}\n`);
    } catch (error) {
      stdout.write(`FAIL  ${check.name}: ${error instanceof Error ? error.message : error}\n`);
      exitCode = 1;
    }
  }
  return exitCode;
}

export const main = command({ name: "smoke", Options, about }, run);
