import type { DynamoDBBatchResponse, DynamoDBStreamEvent } from "aws-lambda";
import * as z from "zod";
import { type Attributes, fromAttributes } from "../data/dynamodb/attributeValue.ts";
import { countedSortKeys, sharesOf } from "../data/summaries/summaryShares.ts";
import { type Change, countItems } from "../data/summaries/summaryWriter.ts";
import { openTable, type Table } from "../data/table/table.ts";
import { logger } from "../log/logger.ts";
import { measurements } from "../log/measurements.ts";

const text = z.object({ S: z.string() }).transform(({ S }) => S);

/** The key of the changed item, whose current content is read from the table, and its first content if it is new. */
const StreamRecord = z
  .object({
    eventName: z.enum(["INSERT", "MODIFY", "REMOVE"]),
    dynamodb: z.object({
      SequenceNumber: z.string(),
      Keys: z.object({ PK: text, SK: text }),
      NewImage: z.custom<Attributes>().optional(),
    }),
  })
  .transform(({ eventName, dynamodb }) => ({
    key: dynamodb.Keys,
    sequenceNumber: dynamodb.SequenceNumber,
    created: eventName === "INSERT" ? dynamodb.NewImage : undefined,
  }));
type StreamRecord = z.output<typeof StreamRecord>;

/** Updates the summaries for a batch of records of the table's stream, and returns the records to retry. */
export function handler(event: DynamoDBStreamEvent): Promise<DynamoDBBatchResponse> {
  return countRecords(event, openTable());
}

/** The handler with a table as a parameter. */
export async function countRecords({ Records }: DynamoDBStreamEvent, table: Table): Promise<DynamoDBBatchResponse> {
  const startedMs = performance.now();
  const records = Records.map((record) => StreamRecord.parse(record));
  const byItem = Map.groupBy(
    records.filter((record) => countedSortKeys.includes(record.key.SK) && !createsNothingCounted(record)),
    ({ key }) => key.PK,
  );
  const failures = await countItems(table, [...byItem.values()].flatMap(changeOf));
  for (const { key, error } of failures) logger.error("An item was not counted.", { key, error });
  logger.info("summaries", {
    records: records.length,
    items: byItem.size,
    failed: failures.length,
    ...measurements({ operationId: "summaries", startedMs, usage: table.usage }),
  });
  // Lambda retries from the first of these. Later records that were counted are then recognised by their numbers and skipped.
  return {
    batchItemFailures: failures.flatMap(({ key }) =>
      (byItem.get(key.PK) ?? []).slice(0, 1).map(({ sequenceNumber }) => ({ itemIdentifier: sequenceNumber })),
    ),
  };
}

/**
 * Whether a record is of a new item that counts nothing, such as a ticket category that admits one person. It needs no count: the summaries are
 * the same without the item, and a change that makes it count has a record of its own.
 */
function createsNothingCounted({ key, created }: StreamRecord): boolean {
  if (created === undefined) return false;
  try {
    return sharesOf(key, fromAttributes(created)).length === 0;
  } catch {
    // The count reports the invalid item.
    return false;
  }
}

/** Merges the records of one item. */
function changeOf(records: StreamRecord[]): Change[] {
  const sequenceNumbers = records.map(({ sequenceNumber }) => sequenceNumber);
  return records.slice(0, 1).map(({ key }) => ({ key, sequenceNumbers }));
}
