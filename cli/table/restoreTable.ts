import {
  DescribeContinuousBackupsCommand,
  DynamoDBClient,
  RestoreTableToPointInTimeCommand,
  type TableDescription,
} from "@aws-sdk/client-dynamodb";
import * as z from "zod";
import { backOff } from "../../functions/table/retries.ts";
import type { Table } from "../../functions/table/table.ts";
import { type AuditEntry, readAudit } from "../organisation/organisation.ts";
import { command, dryRun, type Io, idOption, option, timeOption, UsageError } from "../shared/command.ts";
import { count } from "../shared/progress.ts";
import { openTarget, targetOptions } from "../shared/target.ts";
import { describeRestored } from "../webhooks/restoredWebhook.ts";
import { carryOver, notPaused } from "./carryOver.ts";
import { addSettings, describeTable, howToSwitch, type Watching, watchingOf } from "./tableSettings.ts";

interface Restore {
  source: string;
  target: string;
  to: Date;
}

/**
 * Restores a table, with all settings. Continues an interrupted run.
 * @returns the ARN of the restored table's stream.
 * @throws UsageError if the table does not exist, cannot be restored to that time, or the new name is taken by another table.
 */
export async function restoreTable(client: DynamoDBClient, restore: Restore, watching: Watching): Promise<string> {
  const { source, begun } = await check(client, restore);
  if (!begun) {
    const { source: SourceTableName, target: TargetTableName, to: RestoreDateTime } = restore;
    await client.send(new RestoreTableToPointInTimeCommand({ SourceTableName, TargetTableName, RestoreDateTime }));
  }
  watching.say(`Restoring ${restore.target}.`);
  return addSettings(client, restore.target, source, watching);
}

/**
 * @returns both tables; `begun` is undefined unless an earlier run began to restore it.
 * @throws UsageError if the table cannot be restored to that time, or the new name is taken by another table.
 */
async function check(client: DynamoDBClient, { source: name, target, to }: Restore) {
  const source = await describeTable(client, name);
  if (!source) throw new UsageError(`Table ${name} does not exist.`);
  const begun = await describeTable(client, target);
  if (!begun) await assertRestorable(client, name, to);
  else if (!isOf(begun, source, to)) {
    throw new UsageError(`Table ${target} already exists and is not a restore of ${name} at that time.`);
  }
  return { source, begun };
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
Copies the current API keys, webhooks and audit entries, so a key revoked since then stays revoked. A webhook that the old table no longer has
is paused and gets a new secret. Erases again the organisations erased since then, and prints the audit of erasures and restorations.
docs/operators/recovery.md describes how to switch a stage to the new table.
Exit codes: 0 done, 1 done except webhooks that could not be paused, 2 failed, 130 interrupted.
Running it again is safe. After 2 or 130, run it again to continue.`;

const tableName = (option: string) => z.string().regex(/^[\w.-]{3,255}$/, `${option} must be a table name.`);

const Options = z
  .object({
    to: option(
      timeOption("--to"),
      "TIME",
      "the time to restore to, to the second: 2026-03-01T02:00:00Z; in UTC without an offset",
    ),
    "new-name": option(
      tableName("--new-name").optional(),
      "NAME",
      "the new table's name, with the same prefix; default: the table's name and the time",
    ),
    organisation: option(
      idOption("--organisation").optional(),
      "ID",
      "keep this organisation even if it was erased since then, for npm run ops -- organisation restore; no stage may use such a table",
    ),
    "dry-run": dryRun,
    ...targetOptions,
    table: option(tableName("--table").optional(), "NAME", "this table instead of the stage's own"),
  })
  .refine(({ stage, table }) => (stage ?? table) !== undefined, "Name a stage in AWS with --stage NAME.");
type Options = z.infer<typeof Options>;

const interrupted = "Interrupted. DynamoDB continues a restore that has started. Run it again to continue.";

export const main = command({ name: "table restore", Options, about, interrupted }, run);

async function run(options: Options, io: Io): Promise<number> {
  const { stdout, stderr, signal } = io;
  const from = await openTarget(options);
  const restore = restoreOf(from.name(), options);
  const client = new DynamoDBClient({});
  const waiting = { pause: backOff(signal), signal };
  const audit = describeAudit(await readAudit(from, waiting.pause), restore.to);
  if (options["dry-run"]) {
    const { begun } = await check(client, restore);
    stdout.write(`${begun ? "Would continue to restore" : "Would restore"} ${restore.source} as of ${restore.to.toISOString()} to the ${begun ? "" : "new "}table ${restore.target}.
Would copy the current API keys, webhooks and the audit to it, erase again what was erased since, and schedule its webhooks.
${audit}Nothing was changed.\n`);
    return 0;
  }
  const streamArn = await restoreTable(client, restore, watchingOf(io));
  const into: Table = { ...from, name: () => restore.target };
  const kept = options.organisation;
  const { written, erased, gone, failures } = await carryOver(from, into, { since: restore.to, kept }, waiting);
  const erasedAgain = erased.map((id) => `Erased organisation ${id} again.\n`).join("");
  stdout.write(`${restore.target} is ${restore.source} as of ${restore.to.toISOString()}.
Copied ${count(written)} current items of API keys, webhooks and the audit from ${restore.source}.
${describeRestored(gone)}${erasedAgain}${audit}`);
  stderr.write(notPaused(failures));
  stdout.write(
    kept === undefined
      ? howToSwitch(options.stage, streamArn)
      : `It is for npm run ops -- organisation restore --organisation ${kept}. No stage may use it: it may have data of an erased organisation.\n`,
  );
  return Math.min(failures.length, 1);
}

/** The erasures and restorations of organisations that the restored table lacks, oldest first. */
function describeAudit(audit: AuditEntry[], to: Date): string {
  const lines = audit.flatMap(({ time, organisation_id, action, source = "", state, actor }) =>
    organisation_id !== null && /^(erasure|restoration)$/.test(action) && new Date(time) > to
      ? [`  ${time}  organisation ${organisation_id}  ${action} ${source ? `${source} ` : ""}${state}, ${actor}\n`]
      : [],
  );
  return lines.length === 0
    ? ""
    : `These organisations were erased or restored since then. The new table lacks restored records; repeat each restoration with --table:\n${lines.join("")}`;
}

/** @throws UsageError if the new name is the table's, or does not show that the table belongs to the same stage. */
function restoreOf(source: string, options: Pick<Options, "to" | "new-name">): Restore {
  // DynamoDB restores to whole seconds.
  const to = new Date(Math.floor(Date.parse(options.to) / 1_000) * 1_000);
  const target = options["new-name"] ?? `${source}-${to.toISOString().replaceAll(/\D/g, "").slice(0, 14)}`;
  const [beginning = ""] = /^ticketing-[a-z]+-/.exec(source) ?? [];
  if (target === source) throw new UsageError("--new-name must differ from the table's name.");
  if (target.startsWith(beginning)) return { source, target, to };
  throw new UsageError(`--new-name must begin with ${beginning}, like the table's name.`);
}
