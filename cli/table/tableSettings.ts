import { setTimeout as wait } from "node:timers/promises";
import {
  ContinuousBackupsUnavailableException,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  type DynamoDBClient,
  ListTagsOfResourceCommand,
  ResourceNotFoundException,
  type TableDescription,
  type Tag,
  TagResourceCommand,
  UpdateContinuousBackupsCommand,
  UpdateTableCommand,
  UpdateTimeToLiveCommand,
} from "@aws-sdk/client-dynamodb";
import { tableDefinition } from "../../functions/table/definition.ts";
import type { Io } from "../shared/command.ts";

export interface Watching {
  /** Waits between two polls of a table. */
  pause: () => Promise<unknown>;
  /** Prints progress. */
  say: (line: string) => void;
}

export function watchingOf({ stderr, signal }: Io): Watching {
  return {
    pause: () => wait(15_000, undefined, { signal }),
    say: (line) => stderr.write(`${new Date().toISOString()}  ${line}\n`),
  };
}

/**
 * Adds what a restore leaves out: stream, TTL, tags, point-in-time recovery and deletion protection (listed in "Restore a table in DynamoDB" in the
 * DynamoDB Developer Guide). Continues an interrupted run.
 * @param source the table whose tags and deletion protection it gets; without one, it gets no tags, and is protected.
 * @returns the ARN of its stream.
 */
export async function addSettings(
  client: DynamoDBClient,
  name: string,
  source: TableDescription | undefined,
  watching: Watching,
): Promise<string> {
  const table = await untilActive(client, name, watching);
  watching.say("Restored. Adding stream, TTL, tags, point-in-time recovery and deletion protection.");
  if (!table.StreamSpecification?.StreamEnabled) {
    const StreamSpecification = { StreamEnabled: true, StreamViewType: "NEW_AND_OLD_IMAGES" as const };
    await client.send(new UpdateTableCommand({ TableName: name, StreamSpecification }));
    await untilActive(client, name, watching);
  }
  await enableTimeToLive(client, name);
  if (source) await copyTags(client, source, table);
  await enableRecovery(client, name, watching);
  const DeletionProtectionEnabled = source ? (source.DeletionProtectionEnabled ?? false) : true;
  if (table.DeletionProtectionEnabled !== DeletionProtectionEnabled) {
    await client.send(new UpdateTableCommand({ TableName: name, DeletionProtectionEnabled }));
  }
  const { LatestStreamArn } = await untilActive(client, name, watching);
  if (LatestStreamArn === undefined) throw new Error(`${name} has no stream.`);
  return LatestStreamArn;
}

/** @returns undefined if the table does not exist. */
export async function describeTable(client: DynamoDBClient, TableName: string): Promise<TableDescription | undefined> {
  try {
    return (await client.send(new DescribeTableCommand({ TableName }))).Table;
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return undefined;
    throw error;
  }
}

async function untilActive(client: DynamoDBClient, name: string, { pause }: Watching): Promise<TableDescription> {
  for (;;) {
    const table = await describeTable(client, name);
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

export function howToSwitch(stage: string | undefined, streamArn: string): string {
  return `To switch the stage to it, put this into deploy/stages/${stage ?? "STAGE"}.json and deploy.
  "restoredTableStream": "${streamArn}"\n`;
}
