import {
  ContinuousBackupsUnavailableException,
  DescribeContinuousBackupsCommand,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  type DynamoDBClient,
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
import { tableDefinition } from "../../functions/table/definition.ts";
import { UsageError } from "../../local/usageError.ts";

/** Restores a table as of a time, under another name. */
export interface Restore {
  source: string;
  target: string;
  to: Date;
}

export interface Watching {
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
  const source = await describe(client, restore.source);
  if (!source) throw new UsageError(`Table ${restore.source} does not exist.`);
  const begun = await describe(client, restore.target);
  if (!begun) await begin(client, restore);
  else if (!isOf(begun, source, restore.to)) {
    throw new UsageError(
      `Table ${restore.target} already exists and is not a restore of ${restore.source} at that time.`,
    );
  }
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

async function describe(client: DynamoDBClient, TableName: string): Promise<TableDescription | undefined> {
  try {
    return (await client.send(new DescribeTableCommand({ TableName }))).Table;
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return undefined;
    throw error;
  }
}

/** Whether a table is a finished or running restore of another at that time. DynamoDB keeps whole seconds. */
function isOf({ RestoreSummary }: TableDescription, source: TableDescription, to: Date): boolean {
  const second = (date: Date | undefined) => Math.floor(Number(date) / 1000);
  return RestoreSummary?.SourceTableArn === source.TableArn && second(RestoreSummary?.RestoreDateTime) === second(to);
}

async function begin(client: DynamoDBClient, { source, target, to }: Restore): Promise<void> {
  const { ContinuousBackupsDescription } = await client.send(
    new DescribeContinuousBackupsCommand({ TableName: source }),
  );
  const { EarliestRestorableDateTime: earliest, LatestRestorableDateTime: latest } =
    ContinuousBackupsDescription?.PointInTimeRecoveryDescription ?? {};
  if (!earliest || !latest) throw new UsageError(`Point-in-time recovery is off for table ${source}.`);
  if (to < earliest || to > latest) {
    throw new UsageError(`--to must be between ${earliest.toISOString()} and ${latest.toISOString()}.`);
  }
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
