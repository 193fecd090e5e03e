import * as z from "zod";
import { declarationsVersion } from "../../functions/resources/index.ts";
import { backOff } from "../../functions/table/untilTaken.ts";
import { command, flag, type Io } from "../shared/command.ts";
import { count, showProgress } from "../shared/progress.ts";
import { openTarget, targetOptions, targetUsage } from "../shared/target.ts";
import { type Reindexed, reindexTable } from "./tableReindex.ts";

const usage = `npm run ops -- reindex [--rate N] [--restart] [--stage NAME] [--table NAME] [--endpoint URL]
  --rate N         read or write at most N items a second, 1 to 100,000; default: 2,000
  --restart        begin at the first item, even if an earlier run was interrupted
${targetUsage(16)}

Gives every item the index attributes that follow from its content and the declared lists, then records that the table satisfies
the declarations. Until then, lists that are newer than the table return 503. Run it when the deployment of a new list has finished; the
service keeps running.
Exit codes: 0 done, 1 some items could not be reindexed, so the table's version stays, 2 failed, 130 interrupted.
Running it again is safe: an interrupted run continues, and a correct item is not written.`;

const interrupted = "Interrupted. Run it again to continue.";

const rate = z
  .string()
  .regex(/^[1-9][0-9]{0,5}$/, "--rate must be an integer from 1 to 100000.")
  .transform(Number)
  .refine((number) => number <= 100_000, "--rate must be an integer from 1 to 100000.")
  .default(2_000);

/** The items that are listed; more are counted. */
const maximumListed = 100;

const Options = z.object({ ...targetOptions, rate, restart: flag });

export const main = command({ usage, interrupted, Options }, run);

async function run(options: z.infer<typeof Options>, { stdout, stderr, signal }: Io): Promise<number> {
  const table = await openTarget(options);
  const reindexed: Reindexed = { read: 0, written: 0, failures: [] };
  const progress = showProgress(stderr, () => reindexed.read);
  let isDone = false;
  try {
    const { rate: itemsASecond, restart } = options;
    isDone = await reindexTable(table, reindexed, { pause: backOff(signal), signal, itemsASecond, restart });
  } finally {
    const seconds = progress.stop();
    const { read, written, failures } = reindexed;
    const counts = `${count(read)} items read, ${count(written)} written`;
    stdout.write(`${counts}, ${count(failures.length)} not reindexed, in ${seconds} s.\n`);
  }
  const { failures } = reindexed;
  for (const { key, reason } of failures.slice(0, maximumListed)) {
    stderr.write(`Not reindexed: ${key.PK} ${key.SK}: ${reason}.\n`);
  }
  if (failures.length > maximumListed) stderr.write(`And ${count(failures.length - maximumListed)} more.\n`);
  const result = isDone
    ? `satisfies version ${declarationsVersion} of the declarations`
    : "is otherwise reindexed, but its version stays: correct or delete these items, and run it again";
  stdout.write(`${table.name()} ${result}.\n`);
  return isDone ? 0 : 1;
}
