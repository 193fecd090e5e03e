import { setTimeout as wait } from "node:timers/promises";
import {
  ContinuousBackupsUnavailableException,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  type DynamoDBClient,
  ResourceNotFoundException,
  type TableDescription,
  UpdateContinuousBackupsCommand,
  UpdateTableCommand,
  UpdateTimeToLiveCommand,
} from "@aws-sdk/client-dynamodb";
import { tableDefinition } from "../../functions/table/definition.ts";

/** Waits between two looks at a table that is being changed. */
export type Pause = () => Promise<unknown>;

export function pauseOf(signal: AbortSignal): Pause {
  return () => wait(15_000, undefined, { signal });
}

/**
 * Adds what a restore leaves out: stream, TTL, point-in-time recovery and deletion protection (listed in "Restore a table in DynamoDB" in the
 * DynamoDB Developer Guide). Continues an interrupted run.
 * @returns the ARN of its stream.
 */
export async function addSettings(client: DynamoDBClient, name: string, pause: Pause): Promise<string> {
  const table = await untilActive(client, name, pause);
  await enableTimeToLive(client, name);
  await enableRecovery(client, name, pause);
  if (!table.DeletionProtectionEnabled)
    await client.send(new UpdateTableCommand({ TableName: name, DeletionProtectionEnabled: true }));
  if (!(await untilActive(client, name, pause)).StreamSpecification?.StreamEnabled) {
    const StreamSpecification = { StreamEnabled: true, StreamViewType: "NEW_AND_OLD_IMAGES" as const };
    await client.send(new UpdateTableCommand({ TableName: name, StreamSpecification }));
  }
  const { LatestStreamArn } = await untilActive(client, name, pause);
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

/** True if the table and its indexes can be used and changed. */
export function isActive(table: TableDescription | undefined): boolean {
  const states = [table?.TableStatus, ...(table?.GlobalSecondaryIndexes ?? []).map(({ IndexStatus }) => IndexStatus)];
  return states.every((state) => state === "ACTIVE");
}

async function untilActive(client: DynamoDBClient, name: string, pause: Pause): Promise<TableDescription> {
  for (;;) {
    const table = await describeTable(client, name);
    if (table && isActive(table)) return table;
    await pause();
  }
}

async function enableTimeToLive(client: DynamoDBClient, TableName: string): Promise<void> {
  const { TimeToLiveDescription } = await client.send(new DescribeTimeToLiveCommand({ TableName }));
  if (TimeToLiveDescription?.TimeToLiveStatus?.startsWith("ENABL")) return;
  const TimeToLiveSpecification = { Enabled: true, AttributeName: tableDefinition.timeToLiveAttribute };
  await client.send(new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification }));
}

/** A new table's backups cannot be configured at first, so this retries. */
async function enableRecovery(client: DynamoDBClient, TableName: string, pause: Pause): Promise<void> {
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
