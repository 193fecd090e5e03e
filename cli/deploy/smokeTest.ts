import * as z from "zod";
import { UsageError } from "../../local/usageError.ts";
import { command, type Io } from "../shared/command.ts";
import { runChecks } from "./runChecks.ts";
import { smokeChecks } from "./smokeChecks.ts";

const usage = `npm run smoke -- --base-url URL [--timeout SECONDS]
  --base-url URL      the stack's output BaseUrl
  --timeout SECONDS   for each request; 10 by default

Makes four requests to a deployed stage. The environment variable SMOKE_KEY is an API key of the stage with the scope read.
Exit codes: 0 the stage responds as it should, 1 it does not, 2 failed, 130 interrupted.`;

const Options = z.object({
  "base-url": z.url({ protocol: /^https?$/, error: "--base-url must be the stage's URL." }),
  timeout: z.coerce
    .number("--timeout must be a number of seconds.")
    .positive("--timeout must be positive.")
    .default(10),
});

export const main = await command(import.meta, { usage, Options }, run);

async function run({ "base-url": url, timeout }: z.infer<typeof Options>, io: Io): Promise<number> {
  const key = process.env.SMOKE_KEY;
  // An error about an invalid header would print the key.
  if (!key || !/^[\x21-\x7e]+$/.test(key))
    throw new UsageError("Set the environment variable SMOKE_KEY to an API key of the stage.");
  const target = { baseUrl: url.replace(/\/+$/, ""), key, timeoutMs: timeout * 1000, signal: io.signal };
  return runChecks(smokeChecks(target), io);
}
