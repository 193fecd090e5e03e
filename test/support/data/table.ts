import assert from "node:assert/strict";
import { BatchWriteCommand, ScanCommand } from "@aws-sdk/lib-dynamodb";
import { marshall } from "@aws-sdk/util-dynamodb";
import type { DynamoDBRecord } from "aws-lambda";
import { tableWriter } from "../../../functions/feed/tableWriter.ts";
import { type RecordItem, recordItem } from "../../../functions/records/recordItem.ts";
import type { Record as InputRecord } from "../../../functions/resources/record.ts";
import { documentClient } from "../../../functions/table/client.ts";
import type { Clock } from "../../../functions/table/clock.ts";
import type { ItemKey } from "../../../functions/table/itemKeys.ts";
import { openTable, openUncountedTable } from "../../../functions/table/table.ts";

/** A clock that needs no correction. */
export function clockOf(nowMs: () => number): Clock {
  return { nowMs, isSet: () => true, uptimeMs: () => 0, observe: () => undefined };
}

/** The table of this process, with this clock. */
export const tableAt = (nowMs: () => number) => openTable(undefined, clockOf(nowMs));

/** DynamoDB Local takes seconds for a page that reaches the size limit. */
const pageSize = 500;

/**
 * Every item of the table, ordered by key, without what differs between two writes of the same record: times of acceptance and revisions. Equal
 * tables give equal dumps.
 */
export async function dumpTable(): Promise<Record<string, unknown>[]> {
  return (await dumpItems()).map(({ GSI3PK: _partition, GSI3SK: _stamp, revision: _revision, ...item }) => item);
}

/** Every item of the table, ordered by key. */
export async function dumpItems(): Promise<Record<string, unknown>[]> {
  const items: Record<string, unknown>[] = [];
  let ExclusiveStartKey: Record<string, unknown> | undefined;
  do {
    const input = { TableName: openUncountedTable().name(), ConsistentRead: true, Limit: pageSize, ExclusiveStartKey };
    const { Items = [], LastEvaluatedKey } = await documentClient().send(new ScanCommand(input));
    items.push(...Items);
    ExclusiveStartKey = LastEvaluatedKey;
  } while (ExclusiveStartKey);
  const keyOf = (item: Record<string, unknown>) => `${item.PK}\n${item.SK}`;
  return items.sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
}

/** DynamoDB's limit for one call. */
const maximumBatch = 25;

/** Deletes items; the service itself never does. */
export async function deleteItems(items: Record<string, unknown>[]): Promise<void> {
  for (let start = 0; start < items.length; start += maximumBatch) {
    const batch = items.slice(start, start + maximumBatch);
    const requests = batch.map(({ PK, SK }) => ({ DeleteRequest: { Key: { PK, SK } } }));
    const input = { RequestItems: { [openUncountedTable().name()]: requests } };
    const { UnprocessedItems } = await documentClient().send(new BatchWriteCommand(input));
    assert.deepEqual(UnprocessedItems, {});
  }
}

/** Deletes every item, which is faster than a new table, also for later tests. */
export async function emptyTable(): Promise<void> {
  await deleteItems(await dumpItems());
}

/** Stores records as an import does. */
export async function putRecords(records: InputRecord[], table = openUncountedTable()): Promise<void> {
  await putItems(records.map(recordItem), table);
}

/** Stores the items of records. */
export async function putItems(items: RecordItem[], table = openUncountedTable()): Promise<void> {
  const writer = tableWriter(table, async () => undefined);
  for (const item of items) await writer.add(item);
  await writer.finish();
}

let lastNumber = 0;

/** A stream record of an item, in the form that Lambda passes on. @param before its content before the change, if it existed. */
export function streamRecord(item: ItemKey, before?: ItemKey): DynamoDBRecord {
  lastNumber += 1;
  const SequenceNumber = String(lastNumber).padStart(21, "0");
  const { PK, SK } = item;
  // Lambda's and the SDK's types of an attribute differ only in the form of binary values.
  const image = (content: ItemKey) => marshall({ ...content }, { removeUndefinedValues: true }) as Image;
  return {
    eventID: SequenceNumber,
    eventName: before ? "MODIFY" : "INSERT",
    dynamodb: {
      SequenceNumber,
      Keys: { PK: { S: PK }, SK: { S: SK } },
      NewImage: image(item),
      ...(before && { OldImage: image(before) }),
    },
  };
}

type Image = NonNullable<NonNullable<DynamoDBRecord["dynamodb"]>["NewImage"]>;
