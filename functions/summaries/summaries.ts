import type { Context, DynamoDBBatchResponse, DynamoDBStreamEvent } from "aws-lambda";
import * as z from "zod";
import { logger } from "../log/logger.ts";
import { measurements } from "../log/measurements.ts";
import { acceptance } from "../records/acceptance.ts";
import { ConditionFailed, Unavailable } from "../table/errors.ts";
import { type Attributes, fromAttributes } from "../table/item.ts";
import { openTable, type Table } from "../table/table.ts";
import { backOff, type Pause, untilAnswered, untilTaken } from "../table/untilTaken.ts";
import { wakeFollowers } from "../webhooks/wakeUp.ts";
import type { Change, Failure } from "./countReader.ts";
import { consumerTimeoutMs } from "./summariesDelivery.ts";
import { countedOf, countedSortKeys, countsAnything } from "./summaryShares.ts";
import { countItems } from "./summaryWriter.ts";

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
    accepted: dynamodb.NewImage?.[acceptance]?.S?.split("#")[0],
  }));
type StreamRecord = z.output<typeof StreamRecord>;

/** The function stops this long before its timeout, to return the records to retry. */
const returnMarginMs = 10_000;

/** Updates the summaries for a batch of records of the table's stream, wakes the webhooks that follow them, and returns the records to retry. */
export function handler(
  event: DynamoDBStreamEvent,
  context?: Pick<Context, "getRemainingTimeInMillis">,
): Promise<DynamoDBBatchResponse> {
  const timeLeftMs = (context?.getRemainingTimeInMillis() ?? consumerTimeoutMs) - returnMarginMs;
  return countRecords(event, openTable(), backOff(AbortSignal.timeout(Math.max(0, timeLeftMs))));
}

/** The handler with a table and its pauses as parameters. */
export async function countRecords(
  { Records }: DynamoDBStreamEvent,
  table: Table,
  pause: Pause = backOff(new AbortController().signal),
): Promise<DynamoDBBatchResponse> {
  const startedMs = performance.now();
  const records = Records.map((record) => StreamRecord.parse(record));
  const byItem = Map.groupBy(
    records.filter((record) => countedSortKeys.includes(record.key.SK) && !createsNothingCounted(record)),
    ({ key }) => key.PK,
  );
  const changes = [...byItem.values()].flatMap(changeOf);
  // At the same time, because a slow queue must not delay the count.
  const waking = untilAnswered(() => wakeFollowers(table, records), pause).then(
    () => [],
    (error: unknown) => {
      logger.error("Webhooks were not woken.", { error });
      return records.slice(0, 1);
    },
  );
  const failures = await countUntilTaken(table, changes, pause).catch((error: unknown) =>
    // Those that were counted are recognised by their numbers.
    changes.map(({ key }) => ({ key, error })),
  );
  const notWoken = await waking;
  for (const { key, error } of failures) logger.error("An item was not counted.", { key, error });
  logger.info("summaries", {
    records: records.length,
    items: byItem.size,
    failed: failures.length,
    ...measurements({ operationId: "summaries", startedMs, usage: table.usage }),
  });
  // Lambda retries from the first of these. Later records that were counted are then recognised by their numbers and skipped.
  const notCounted = failures.flatMap(({ key }) => (byItem.get(key.PK) ?? []).slice(0, 1));
  const failed = [...notWoken, ...notCounted];
  return { batchItemFailures: failed.map(({ sequenceNumber }) => ({ itemIdentifier: sequenceNumber })) };
}

/**
 * Updates the summaries to the current content of these items, and tries again while the table is unavailable.
 *
 * @returns the items that cannot be counted.
 * @throws GivenUp if the table accepts nothing for too long.
 * @throws AbortError if a pause is interrupted.
 */
export async function countUntilTaken(table: Table, changes: Change[], pause: Pause): Promise<Failure[]> {
  const lasting: Failure[] = [];
  const count = async (left: Change[]) => {
    const failures = await countItems(table, left);
    const isPassing = ({ error }: Failure) => error instanceof Unavailable || error instanceof ConditionFailed;
    lasting.push(...failures.filter((failure) => !isPassing(failure)));
    const passing = new Set(failures.filter(isPassing).map(({ key }) => key));
    return left.filter(({ key }) => passing.has(key));
  };
  await untilTaken(changes, count, pause);
  return lasting;
}

/**
 * Whether a record is of a new item that counts nothing, such as a ticket category that admits one person. It needs no count: the summaries are
 * the same without the item, and a change that makes it count has a record of its own.
 */
function createsNothingCounted({ key, created }: StreamRecord): boolean {
  if (created === undefined) return false;
  try {
    return !countsAnything(countedOf(key, fromAttributes(created)));
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
