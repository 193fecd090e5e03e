import type { Context, DynamoDBBatchResponse, DynamoDBStreamEvent } from "aws-lambda";
import { logger } from "../log/logger.ts";
import { measurements } from "../log/measurements.ts";
import { changeTimeAttribute } from "../records/changeTime.ts";
import { countRecords } from "../summaries/countRecords.ts";
import { backOff, type Pause, retryWhileUnavailable } from "../table/retries.ts";
import { openTable, type Table } from "../table/table.ts";
import { wakeFollowers } from "../webhooks/wakeUp.ts";
import { blankDeletedEvents } from "./blankDeletedEvents.ts";
import { consumerTimeoutMs } from "./streamLimits.ts";
import { StreamRecord } from "./streamRecord.ts";

/** The function stops this long before its timeout, to return the records to retry. */
const returnMarginMs = 10_000;

/**
 * Updates the summaries for a batch of records of the table's stream, wakes the webhooks that follow them, blanks texts of deleted events, and
 * returns the records to retry.
 */
export function handler(
  event: DynamoDBStreamEvent,
  context?: Pick<Context, "getRemainingTimeInMillis">,
): Promise<DynamoDBBatchResponse> {
  const timeLeftMs = (context?.getRemainingTimeInMillis() ?? consumerTimeoutMs) - returnMarginMs;
  return consumeRecords(event, openTable(), backOff(AbortSignal.timeout(Math.max(0, timeLeftMs))));
}

export async function consumeRecords(
  { Records }: DynamoDBStreamEvent,
  table: Table,
  pause: Pause = backOff(new AbortController().signal),
): Promise<DynamoDBBatchResponse> {
  const startedMs = performance.now();
  const records = Records.map((record) => StreamRecord.parse(record));
  // Concurrently, because a slow queue must not delay the count.
  const [notWoken, { items, notCounted }, notBlanked] = await Promise.all([
    wakeWebhooks(records, table, pause),
    countRecords(table, records, pause),
    blankDeletedEvents(table, records, pause),
  ]);
  logger.info("table stream", {
    records: records.length,
    items,
    failed: notCounted.length,
    ...measurements({ operationId: "tableStream", startedMs, usage: table.usage }),
  });
  // Lambda retries from the first of these. Counting the later records again changes nothing.
  const failed = [...notWoken, ...notCounted, ...notBlanked];
  return { batchItemFailures: failed.map(({ sequenceNumber }) => ({ itemIdentifier: sequenceNumber })) };
}

/** @returns the record from which to wake them again. */
async function wakeWebhooks(records: StreamRecord[], table: Table, pause: Pause): Promise<StreamRecord[]> {
  const changed = records.map(({ key, after }) => ({ key, accepted: after?.[changeTimeAttribute]?.S?.split("#")[0] }));
  try {
    await retryWhileUnavailable(() => wakeFollowers(table, changed), pause);
    return [];
  } catch (error) {
    logger.error("Webhooks were not woken.", { error });
    return records.slice(0, 1);
  }
}
