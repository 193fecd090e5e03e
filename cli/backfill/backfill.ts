import * as z from "zod";
import { isIndexed } from "../../functions/data/table/indexes.ts";
import { backOff } from "../../functions/ingest/untilTaken.ts";
import { command, flag, type Io } from "../shared/command.ts";
import { count, showProgress } from "../shared/progress.ts";
import { openTarget, targetOptions } from "../shared/target.ts";
import { type Backfilled, backfillTable } from "./tableBackfill.ts";

const usage = `npm run backfill -- [--again] [--endpoint URL] [--table NAME]
  --again          read the table even if it is marked as complete
  --endpoint URL   complete the table in this DynamoDB; default: the running local service's, or AWS's with --table
  --table NAME     complete this table, with the usual AWS credentials and region; default: the local service's

Adds what records from before the last upgrade lack, then marks the table as complete. Until then, GET /v1/changes, /v1/orders,
/v1/tickets and /v1/dates return 503. Start it when the deployment has finished. Reads the whole table once; the service keeps running.
With --again, it also corrects the records that a writer with a wrong clock has hidden from GET /v1/changes.
Exit codes: 0 done, 1 invalid items, so the table is not complete, 2 failed, 130 interrupted.
Running it again is safe, and continues: it writes each record once.`;

const interrupted = "Interrupted. Run it again to continue: until then, the table is not complete.";

const Options = z.object({ ...targetOptions, again: flag });

export const main = await command(import.meta, { usage, interrupted, Options }, run);

async function run(options: z.infer<typeof Options>, { stdout, stderr, signal }: Io): Promise<number> {
  const table = await openTarget(options);
  if (!options.again && (await isIndexed(table))) {
    stdout.write(`${table.name()} is complete already.\n`);
    return 0;
  }
  const backfilled: Backfilled = { completed: 0, shown: 0, failures: [] };
  const progress = showProgress(stderr, () => backfilled.completed + backfilled.shown);
  let isComplete = false;
  try {
    isComplete = await backfillTable(table, backfilled, { pause: backOff(signal), signal });
  } finally {
    const seconds = progress.stop();
    const { completed, shown, failures } = backfilled;
    stdout.write(
      `${count(completed)} records completed, ${count(shown)} future times corrected, ${count(failures.length)} invalid, in ${seconds} s.\n`,
    );
  }
  for (const { key, error } of backfilled.failures) stderr.write(`Not completed: ${key.PK}: ${reasonOf(error)}.\n`);
  stdout.write(
    `${table.name()} is ${isComplete ? "complete" : "not complete: correct these items, and run it again"}.\n`,
  );
  return isComplete ? 0 : 1;
}

/** Without values, which may be personal data. */
function reasonOf(error: unknown): string {
  if (error instanceof z.ZodError)
    return `invalid ${[...new Set(error.issues.map(({ path }) => path.join(".")))].join(", ")}`;
  return error instanceof Error ? error.message : "invalid";
}
