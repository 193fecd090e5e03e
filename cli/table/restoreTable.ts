import { setTimeout as wait } from "node:timers/promises";
import {
  ContinuousBackupsUnavailableException,
  DescribeContinuousBackupsCommand,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  DynamoDBClient,
  ListTagsOfResourceCommand,
  ResourceNotFoundException,
  RestoreTableToPointInTimeCommand,
  type TableDescription,
  type Tag,
  TagResourceCommand,
  UpdateContinuousBackupsCommand,
  UpdateTableCommand,
  UpdateTimeToLiveCommand,
} from "@aws-sdk/client-dynamodb";
import * as z from "zod";
import { tableDefinition } from "../../functions/table/definition.ts";
import { describeError } from "../../functions/table/errors.ts";
import { backOff } from "../../functions/table/retries.ts";
import type { Table } from "../../functions/table/table.ts";
import { type AuditEntry, readAudit } from "../organisation/organisation.ts";
import { command, dryRun, type Io, option, timeOption, UsageError } from "../shared/command.ts";
import { count } from "../shared/progress.ts";
import { openTarget, targetOptions } from "../shared/target.ts";
import { describeRestored } from "../webhooks/restoredWebhook.ts";
import { carryOver } from "./carryOver.ts";

/** Restores a table as of a time, under another name. */
interface Restore {
  source: string;
  target: string;
  to: Date;
}

interface Watching {
  /** Waits between two polls of a table. */
  pause: () => Promise<unknown>;
  /** Prints progress. */
  say: (line: string) => void;
}

/**
 * Restores a table and adds what a restore leaves out: stream, TTL, tags, point-in-time recovery and deletion protection (listed in
 * "Restore a table in DynamoDB" in the DynamoDB Developer Guide). Continues an interrupted run.
 *
 * @returns the ARN of the restored table's stream.
 * @throws UsageError if the table does not exist, cannot be restored to that time, or the new name is taken by another table.
 */
export async function restoreTable(client: DynamoDBClient, restore: Restore, watching: Watching): Promise<string> {
  const { source, begun } = await check(client, restore);
  if (!begun) await begin(client, restore);
  watching.say(`Restoring ${restore.target}.`);
  const target = await untilActive(client, restore.target, watching);
  watching.say("Restored. Adding stream, TTL, tags, point-in-time recovery and deletion protection.");
  if (!target.StreamSpecification?.StreamEnabled) {
    const StreamSpecification = { StreamEnabled: true, StreamViewType: "NEW_AND_OLD_IMAGES" as const };
    await client.send(new UpdateTableCommand({ TableName: restore.target, StreamSpecification }));
    await untilActive(client, restore.target, watching);
  }
  await enableTimeToLive(client, restore.target);
  await copyTags(client, source, target);
  await enableRecovery(client, restore.target, watching);
  const DeletionProtectionEnabled = source.DeletionProtectionEnabled ?? false;
  if (target.DeletionProtectionEnabled !== DeletionProtectionEnabled) {
    await client.send(new UpdateTableCommand({ TableName: restore.target, DeletionProtectionEnabled }));
  }
  const { LatestStreamArn } = await untilActive(client, restore.target, watching);
  if (LatestStreamArn === undefined) throw new Error(`${restore.target} has no stream.`);
  return LatestStreamArn;
}

/**
 * @returns both tables; `begun` is undefined unless an earlier run began to restore it.
 * @throws UsageError if the table cannot be restored to that time, or the new name is taken by another table.
 */
async function check(client: DynamoDBClient, { source: name, target, to }: Restore) {
  const source = await describe(client, name);
  if (!source) throw new UsageError(`Table ${name} does not exist.`);
  const begun = await describe(client, target);
  if (!begun) await assertRestorable(client, name, to);
  else if (!isOf(begun, source, to)) {
    throw new UsageError(`Table ${target} already exists and is not a restore of ${name} at that time.`);
  }
  return { source, begun };
}

async function describe(client: DynamoDBClient, TableName: string): Promise<TableDescription | undefined> {
  try {
    return (await client.send(new DescribeTableCommand({ TableName }))).Table;
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return undefined;
    throw error;
  }
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

async function begin(client: DynamoDBClient, { source, target, to }: Restore): Promise<void> {
  await client.send(
    new RestoreTableToPointInTimeCommand({ SourceTableName: source, TargetTableName: target, RestoreDateTime: to }),
  );
}

async function untilActive(client: DynamoDBClient, name: string, { pause }: Watching): Promise<TableDescription> {
  for (;;) {
    const table = await describe(client, name);
    const states = [table?.TableStatus, ...(table?.GlobalSecondaryIndexes ?? []).map(({ IndexStatus }) => IndexStatus)];
    if (table && states.every((state) => state === "ACTIVE")) return table;
    await pause();
  }
}

async function enableTimeToLive(client: DynamoDBClient, TableName: string): Promise<void> {
  const { TimeToLiveDescription } = await client.send(new DescribeTimeToLiveCommand({ TableName }));
  if (TimeToLiveDescription?.TimeToLiveStatus?.startsWith("ENABL")) return;
  const TimeToLiveSpecification = { Enabled: true, AttributeName: tableDefinition.timeToLiveAttribute };
  await client.send(new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification }));
}

/** Tags with the `aws:` prefix are AWS's own and cannot be set. */
async function copyTags(client: DynamoDBClient, source: TableDescription, target: TableDescription): Promise<void> {
  const Tags: Tag[] = [];
  let NextToken: string | undefined;
  do {
    const page = await client.send(new ListTagsOfResourceCommand({ ResourceArn: source.TableArn, NextToken }));
    Tags.push(...(page.Tags ?? []).filter(({ Key }) => !Key?.startsWith("aws:")));
    NextToken = page.NextToken;
  } while (NextToken !== undefined);
  if (Tags.length > 0) await client.send(new TagResourceCommand({ ResourceArn: target.TableArn, Tags }));
}

/** A new table's backups cannot be configured at first, so this retries. */
async function enableRecovery(client: DynamoDBClient, TableName: string, { pause }: Watching): Promise<void> {
  const PointInTimeRecoverySpecification = { PointInTimeRecoveryEnabled: true };
  for (;;) {
    try {
      await client.send(new UpdateContinuousBackupsCommand({ TableName, PointInTimeRecoverySpecification }));
      return;
    } catch (error) {
      if (!(error instanceof ContinuousBackupsUnavailableException)) throw error;
      await pause();
    }
  }
}

const about = `Creates a new table and leaves the old one unchanged. The local service cannot restore: name a stage or a table.
Copies the current API keys, webhooks and audit entries, so a key revoked since then stays revoked. A webhook that the old table no longer has
is paused and gets a new secret. Prints the audit of erasures and restorations since then. docs/operators/recovery.md describes what to do about
these organisations, and how to switch a stage to the new table.
Exit codes: 0 done, 1 done except webhooks that could not be paused, 2 failed, 130 interrupted.
Running it again is safe. After 2 or 130, run it again to continue.`;

const pollIntervalMs = 15_000;

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
      "the new table's name, with the same beginning; default: the table's name and the time",
    ),
    "dry-run": dryRun,
    ...targetOptions,
    table: option(tableName("--table").optional(), "NAME", "this table instead of the stage's own"),
  })
  .refine(({ stage, table }) => (stage ?? table) !== undefined, "Name a stage in AWS with --stage NAME.");
type Options = z.infer<typeof Options>;

const interrupted = "Interrupted. DynamoDB continues a restore that has started. Run it again to continue.";

export const main = command({ name: "table restore", Options, about, interrupted }, run);

async function run(options: Options, { stdout, stderr, signal }: Io): Promise<number> {
  const from = await openTarget(options);
  const restore = restoreOf(from.name(), options);
  const client = new DynamoDBClient({});
  const waiting = { pause: backOff(signal), signal };
  const audit = describeAudit(await readAudit(from, waiting.pause), restore.to);
  if (options["dry-run"]) {
    const { begun } = await check(client, restore);
    stdout.write(`${begun ? "Would continue to restore" : "Would restore"} ${restore.source} as of ${restore.to.toISOString()} to the ${begun ? "" : "new "}table ${restore.target}.
Would copy the current API keys, webhooks and the audit to it, and schedule its webhooks.
${audit}Nothing was changed.\n`);
    return 0;
  }
  const pause = () => wait(pollIntervalMs, undefined, { signal });
  const say = (line: string) => stderr.write(`${new Date().toISOString()}  ${line}\n`);
  const streamArn = await restoreTable(client, restore, { pause, say });
  const into: Table = { ...from, name: () => restore.target };
  const { written, gone, failures } = await carryOver(from, into, waiting);
  stdout.write(`${restore.target} is ${restore.source} as of ${restore.to.toISOString()}.
Copied ${count(written)} current items of API keys, webhooks and the audit from ${restore.source}.
${describeRestored(gone)}`);
  for (const { key, error } of failures) stderr.write(`Not paused: ${key.PK} ${key.SK}: ${describeError(error)}.\n`);
  stdout.write(`${audit}To switch the stage to it, put this into deploy/stages/${options.stage ?? "STAGE"}.json and deploy.
  "restoredTableStream": "${streamArn}"\n`);
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
    : `These organisations were erased or restored since then. Before the switch, erase those again that must stay erased:\n${lines.join("")}`;
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
