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
import { tableDefinition } from "../../functions/data/table/definition.ts";
import { UsageError } from "../../local/usageError.ts";

/** What is to be restored: a table as it was at a time, under another name. */
export interface Restore {
  source: string;
  target: string;
  to: Date;
}

/** How it waits between two looks at a table, and tells what it does. */
export interface Watching {
  pause: () => Promise<unknown>;
  say: (line: string) => void;
}

/**
 * Restores a table and gives it what a restore does not bring: stream, TTL, tags, point-in-time recovery and protection from deletion
 * ("Restore a table in DynamoDB" in the DynamoDB Developer Guide lists them). Where it was interrupted, it goes on.
 *
 * @returns the ARN of the restored table's stream.
 * @throws UsageError where there is no such table or time, or the new name is another table's.
 */
export async function restoreTable(client: DynamoDBClient, restore: Restore, watching: Watching): Promise<string> {
  const source = await describe(client, restore.source);
  if (!source) throw new UsageError(`There is no table ${restore.source}.`);
  const begun = await describe(client, restore.target);
  if (!begun) await begin(client, restore);
  else if (!isOf(begun, source, restore.to)) {
    throw new UsageError(`Table ${restore.target} is there already, and is not ${restore.source} of that time.`);
  }
  watching.say(`${restore.target} is being restored.`);
  const target = await untilActive(client, restore.target, watching);
  watching.say("Restored. It gets its stream, TTL, tags, point-in-time recovery and protection.");
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

/** Whether a table is being, or was, restored from another as of that second: DynamoDB knows no parts of one. */
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
  if (!earliest || !latest) throw new UsageError(`Table ${source} has no point-in-time recovery.`);
  if (to < earliest || to > latest) {
    throw new UsageError(`--to must lie between ${earliest.toISOString()} and ${latest.toISOString()}.`);
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

/** Those that AWS itself gave, of the stack, cannot be given. */
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

/** A new table's backups take a while until they can be told anything. */
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
