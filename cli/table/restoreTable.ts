import { setTimeout as wait } from "node:timers/promises";
import {
  DescribeContinuousBackupsCommand,
  DynamoDBClient,
  RestoreTableToPointInTimeCommand,
  type TableDescription,
} from "@aws-sdk/client-dynamodb";
import { UsageError } from "@ticketing/local-aws/usage-error";
import * as z from "zod";
import { command, dryRun, type Io, option, timeOption } from "../shared/command.ts";
import { nextCommand, openTarget, targetOptions } from "../shared/target.ts";
import { describeTable, isActive } from "./tableSettings.ts";

interface Restore {
  source: string;
  target: string;
  to: Date;
}

/**
 * Restores a table as a new one, which has neither a stream nor any other setting of the source. Continues an interrupted run.
 * @param watch called while the restore runs, before each look at the new table.
 * @throws UsageError if the table does not exist, cannot be restored to that time, or the new name is taken by another table.
 */
export async function restoreTable(
  client: DynamoDBClient,
  restore: Restore,
  watch: (status: string | undefined) => Promise<unknown>,
): Promise<void> {
  const { source: SourceTableName, target: TargetTableName, to: RestoreDateTime } = restore;
  if (!(await hasBegun(client, restore)))
    await client.send(new RestoreTableToPointInTimeCommand({ SourceTableName, TargetTableName, RestoreDateTime }));
  for (;;) {
    const table = await describeTable(client, TargetTableName);
    if (isActive(table)) return;
    await watch(table?.TableStatus);
  }
}

/**
 * True if an earlier run began the restore.
 * @throws UsageError if the table cannot be restored to that time, or the new name is taken by another table.
 */
async function hasBegun(client: DynamoDBClient, { source: name, target, to }: Restore): Promise<boolean> {
  const source = await describeTable(client, name);
  if (!source) throw new UsageError(`Table ${name} does not exist.`);
  const begun = await describeTable(client, target);
  if (!begun) await assertRestorable(client, name, to);
  else if (!isOf(begun, source, to)) {
    throw new UsageError(`Table ${target} already exists and is not a restore of ${name} at that time.`);
  }
  return begun !== undefined;
}

/** True if a table is a finished or running restore of another at that time. DynamoDB keeps whole seconds. */
function isOf({ RestoreSummary }: TableDescription, source: TableDescription, to: Date): boolean {
  const second = (date: Date | undefined) => Math.floor(Number(date) / 1000);
  return RestoreSummary?.SourceTableArn === source.TableArn && second(RestoreSummary?.RestoreDateTime) === second(to);
}

async function assertRestorable(client: DynamoDBClient, TableName: string, to: Date): Promise<void> {
  const { ContinuousBackupsDescription } = await client.send(new DescribeContinuousBackupsCommand({ TableName }));
  const { EarliestRestorableDateTime: earliest, LatestRestorableDateTime: latest } =
    ContinuousBackupsDescription?.PointInTimeRecoveryDescription ?? {};
  if (!earliest || !latest) throw new UsageError(`Point-in-time recovery is off for table ${TableName}.`);
  if (to < earliest || to > latest) {
    throw new UsageError(`--to must be between ${earliest.toISOString()} and ${latest.toISOString()}.`);
  }
}

const about = `Creates a new table and leaves the old one unchanged. The local service cannot restore: name a stage or a table.
No stage may use the new table: it has API keys that were revoked since, and organisations that were erased. It is only the source of
npm run ops -- organisation restore, and should be deleted afterwards.
Exit codes: 0 done, 2 failed, 130 interrupted.
Running it again is safe. After 2 or 130, run it again to continue.`;

const Options = z
  .object({
    to: option(
      timeOption("--to"),
      "TIME",
      "the time to restore to, to the second: 2026-03-01T02:00:00Z; in UTC without an offset",
    ),
    "dry-run": dryRun,
    ...targetOptions,
  })
  .refine(({ stage, table }) => (stage ?? table) !== undefined, "Name a stage in AWS with --stage NAME.");
type Options = z.infer<typeof Options>;

const interrupted = "Interrupted. DynamoDB continues a restore that has started. Run it again to continue.";

export const main = command({ name: "table restore", Options, about, interrupted }, run);

async function run(options: Options, { stdout, stderr, signal }: Io): Promise<number> {
  const restore = restoreOf((await openTarget(options)).name(), options.to);
  const { source, target, to } = restore;
  const client = new DynamoDBClient({});
  if (options["dry-run"]) {
    const what = (await hasBegun(client, restore)) ? "continue to restore" : "restore";
    stdout.write(`Would ${what} ${source} as of ${to.toISOString()} to the table ${target}.\nNothing was changed.\n`);
    return 0;
  }
  const startMs = Date.now();
  await restoreTable(client, restore, async (status = "UNKNOWN") => {
    stderr.write(`${target} is ${status} after ${Math.round((Date.now() - startMs) / 1_000)} s.\n`);
    await wait(30_000, undefined, { signal });
  });
  const from = `--from-table ${target}`;
  const window = `--replace --changed-from ${to.toISOString()} --changed-to TIME`;
  stdout.write(`${target} is ${source} as of ${to.toISOString()}. Next, with the end of the damage instead of TIME:
  ${nextCommand(`organisation restore --all ${from} ${window} --actor NAME --dry-run`, options)}
Or one organisation, with --organisation ID instead of --all. If it was erased:
  ${nextCommand(`organisation restore --organisation ID ${from} --actor NAME`, options)}
`);
  return 0;
}

/** The copy's name is the table's and the time, so another run continues the restore. DynamoDB restores to whole seconds. */
function restoreOf(source: string, time: string): Restore {
  const to = new Date(Math.floor(Date.parse(time) / 1_000) * 1_000);
  return { source, target: `${source}-${to.toISOString().replaceAll(/\D/g, "").slice(0, 14)}`, to };
}
