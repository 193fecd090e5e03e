import * as z from "zod";
import { UsageError } from "../../common/usageError.ts";
import { CallingKey } from "../../functions/endpoints/getKey.ts";
import { mintApiKey } from "../../functions/keys/apiKeySecret.ts";
import { Event } from "../../functions/resources/event.ts";
import { pageOf } from "../../functions/resources/page.ts";
import { describeError } from "../../functions/table/errors.ts";
import { settingsOf } from "../../lib/settings.ts";
import { command, type Io } from "../shared/command.ts";

const usage = `npm run smoke -- (--stage NAME | --base-url URL) [--timeout SECONDS]
  --stage NAME        the stage at the domainName, or else the baseUrl, of stages/NAME.json
  --base-url URL      the stack's output BaseUrl
  --timeout SECONDS   for each request; 10 by default

Makes four requests to a deployed stage. The environment variable SMOKE_KEY is an API key of the stage with the scope read.
Exit codes: 0 the stage responds as it should, 1 it does not, 2 failed, 130 interrupted.`;

const Options = z.object({
  stage: z.string().optional(),
  "base-url": z.url({ protocol: /^https?$/, error: "--base-url must be the stage's URL." }).optional(),
  timeout: z.coerce
    .number("--timeout must be a number of seconds.")
    .positive("--timeout must be positive.")
    .default(10),
});

async function run({ stage, "base-url": given, timeout }: z.infer<typeof Options>, io: Io): Promise<number> {
  if ((stage === undefined) === (given === undefined))
    throw new UsageError("Give either --stage NAME or --base-url URL.");
  const url = given ?? baseUrlOf(String(stage));
  const key = process.env.SMOKE_KEY;
  // An error about an invalid header would print the key.
  if (!key || !/^[\x21-\x7e]+$/.test(key))
    throw new UsageError("Set the environment variable SMOKE_KEY to an API key of the stage.");
  const target = { baseUrl: url.replace(/\/+$/, ""), key, timeoutMs: timeout * 1000, signal: io.signal };
  return runChecks(smokeChecks(target), io);
}

function baseUrlOf(stage: string): string {
  const { settings, problem } = settingsOf({ stage });
  if (!settings) throw new UsageError(String(problem));
  const { domainName, baseUrl } = settings;
  if (domainName === undefined && baseUrl === undefined)
    throw new UsageError(`stages/${stage}.json has neither domainName nor baseUrl, the output BaseUrl of the stage.`);
  return domainName === undefined ? String(baseUrl) : `https://${domainName}`;
}

interface Target {
  baseUrl: string;
  key: string;
  timeoutMs: number;
  signal: AbortSignal;
}

/** One request through each part of a stage: authorizer, table, refusal and website. */
function smokeChecks(target: Target): Check[] {
  return [
    {
      name: "GET /v1/key",
      async check() {
        const key = parsed(CallingKey, await get(target, "/v1/key", { key: target.key, status: 200 }));
        return `200, the key "${key.name}" of organisation ${key.organisation_id}.`;
      },
    },
    {
      name: "GET /v1/events?per_page=1",
      async check() {
        const page = parsed(
          pageOf(Event),
          await get(target, "/v1/events?per_page=1", { key: target.key, status: 200 }),
        );
        return `200, a list with ${page.data.length === 0 ? "no event" : "an event"}.`;
      },
    },
    {
      name: "GET /v1/key with an unknown key",
      async check() {
        parsed(Unauthorized, await get(target, "/v1/key", { key: mintApiKey().key, status: 401 }));
        return "401, unauthorized.";
      },
    },
    {
      name: "GET /developer",
      async check() {
        const { type, body } = await get(target, "/developer", { status: 200 });
        if (!type.startsWith("text/html") || !/<html/i.test(body))
          throw new CheckFailure(`Expected a page in HTML, got ${type || "no content type"}.`);
        return "200, a page in HTML.";
      },
    },
  ];
}

const Unauthorized = z.object({ code: z.literal("unauthorized") });

interface Answer {
  type: string;
  body: string;
}

/** @throws CheckFailure if the status is another one, or if the response takes too long. */
async function get(target: Target, path: string, { key, status }: { key?: string; status: number }): Promise<Answer> {
  const { baseUrl, timeoutMs, signal } = target;
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(`${baseUrl}${path}`, {
      headers: key === undefined ? {} : { Authorization: `Bearer ${key}` },
      signal: AbortSignal.any([timeout, signal]),
    });
    const body = await response.text();
    if (response.status !== status)
      throw new CheckFailure(`Expected status ${status}, got ${response.status}: ${excerpt(body)}`);
    return { type: response.headers.get("Content-Type") ?? "", body };
  } catch (error) {
    if (timeout.aborted) throw new CheckFailure(`No response within ${timeoutMs / 1000} seconds.`);
    throw error;
  }
}

function parsed<Schema extends z.ZodType>(schema: Schema, { body }: Answer): z.infer<Schema> {
  try {
    return schema.parse(JSON.parse(body));
  } catch {
    throw new CheckFailure(`The body does not match the documented schema: ${excerpt(body)}`);
  }
}

/** The start of a body, in one line. */
function excerpt(body: string): string {
  return body.replaceAll(/\s+/g, " ").slice(0, 200) || "an empty body";
}

interface Check {
  name: string;
  /** @returns what was found. @throws Error that says what to do. */
  check: () => Promise<string>;
}

/** A check's failure, with what to do. */
class CheckFailure extends Error {
  override readonly name = "CheckFailure";
}

/** Runs checks one after the other, and prints a line for each. @returns the exit code: 1 if one failed. */
async function runChecks(checks: readonly Check[], { stdout, signal }: Pick<Io, "stdout" | "signal">) {
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

export const main = await command(import.meta, { usage, Options }, run);
