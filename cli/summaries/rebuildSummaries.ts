import * as z from "zod";
import { describeError } from "../../functions/table/describeError.ts";
import { backOff } from "../../functions/table/untilTaken.ts";
import { command, flag, type Io, idOption } from "../shared/command.ts";
import { count, showProgress } from "../shared/progress.ts";
import { openTarget, targetOptions } from "../shared/target.ts";
import { type Rebuilt, rebuildSummaries } from "./summaryRebuild.ts";

const usage = `npm run summaries:rebuild -- (--organisation ID [--event ID] | --all) [--endpoint URL] [--table NAME]
  --organisation ID   rebuild the summaries of this organisation's events and dates
  --event ID          only those of this event and its dates
  --all               rebuild the summaries of all organisations
  --endpoint URL      rebuild in this DynamoDB; default: the running local service's, or AWS's with --table
  --table NAME        rebuild in this table, with the usual AWS credentials and region; default: the local service's

Reads the whole table twice. Meanwhile the service keeps running, and the summaries being rebuilt count up from 0.
Exit codes: 0 done, 1 done except invalid items, 2 failed, 130 interrupted.
Running it again is safe. After 2 or 130 it is necessary: until then the summaries are incomplete.`;

const interrupted = "Interrupted. Run it again: until then, summaries are incomplete.";

const Options = z
  .object({
    ...targetOptions,
    organisation: idOption("--organisation").optional(),
    event: idOption("--event").optional(),
    all: flag,
  })
  .refine(({ organisation, all }) => all === (organisation === undefined), "Give either --organisation ID or --all.")
  .refine(({ event, all }) => event === undefined || !all, "--event requires --organisation.");

export const main = await command(import.meta, { usage, interrupted, Options }, run);

async function run(options: z.infer<typeof Options>, { stdout, stderr, signal }: Io): Promise<number> {
  const table = await openTarget(options);
  const scope = { organisationId: options.organisation, eventId: options.event };
  const rebuilt: Rebuilt = { summaries: 0, items: 0, failures: [] };
  const progress = showProgress(stderr, () => rebuilt.items);
  try {
    await rebuildSummaries(table, scope, rebuilt, { pause: backOff(signal), signal });
  } finally {
    const seconds = progress.stop();
    const { summaries, items, failures } = rebuilt;
    stdout.write(
      `${count(summaries)} summaries rebuilt, ${count(items)} items counted, ${count(failures.length)} not counted, in ${seconds} s.\n`,
    );
  }
  for (const { key, error } of rebuilt.failures) stderr.write(`Not counted: ${key.PK}: ${describeError(error)}.\n`);
  return Math.min(rebuilt.failures.length, 1);
}
