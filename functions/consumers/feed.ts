import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from "aws-lambda";
import * as z from "zod";
import { openTable, type Table } from "../data/table/table.ts";
import { describeError } from "../ingest/describeError.ts";
import { parseMessage } from "../ingest/parseMessage.ts";
import { sendMessage } from "../ingest/queue.ts";
import { tableWriter } from "../ingest/tableWriter.ts";
import { backOff } from "../ingest/untilTaken.ts";
import { logger } from "../log/logger.ts";
import { measurements } from "../log/measurements.ts";
import { maximumTries } from "./feedDelivery.ts";

const Environment = z.object({ DEAD_LETTER_QUEUE_URL: z.url() });

/** So long before its end the function stops, to answer for what it has done. */
const answeringMs = 5_000;

/** What became of a batch's records. */
interface Outcome {
  written: number;
  older: number;
  rejected: number;
}

/**
 * Stores the records of a batch of the feed's messages, and returns the messages to be tried again. A record that is not valid goes to the
 * dead-letter queue at once, as a message of its own, and so does a message that failed at its last try; each with the reason.
 */
export async function handler(event: SQSEvent, context: Pick<Context, "getRemainingTimeInMillis">) {
  const startedMs = performance.now();
  const timeLeftMs = context.getRemainingTimeInMillis() - answeringMs;
  const signal = timeLeftMs > 0 ? AbortSignal.timeout(timeLeftMs) : AbortSignal.abort();
  const table = openTable();
  const outcome: Outcome = { written: 0, older: 0, rejected: 0 };
  const failed: string[] = [];
  const consume = async (message: SQSRecord) => {
    try {
      await store(message, table, outcome, signal);
    } catch (error) {
      logger.warn("A message of the feed failed.", { message_id: message.messageId, tries: triesOf(message), error });
      if (!(await isDeadLettered(message, error))) failed.push(message.messageId);
    }
  };
  await Promise.all(event.Records.map(consume));
  logger.info("feed", {
    messages: event.Records.length,
    failed: failed.length,
    ...outcome,
    ...measurements({ operationId: "feed", startedMs, usage: table.usage }),
  });
  const response: SQSBatchResponse = { batchItemFailures: failed.map((itemIdentifier) => ({ itemIdentifier })) };
  return response;
}

/** Stores all records of a message that are valid, and only then gives the others up: a try that fails gives up none. */
async function store(message: SQSRecord, table: Table, outcome: Outcome, signal: AbortSignal): Promise<void> {
  const { items, rejected } = parseMessage(message.body);
  const writer = tableWriter(table, outcome, backOff(signal), triesOf(message) > 1);
  try {
    for (const item of items) {
      signal.throwIfAborted();
      await writer.add(item);
    }
    await writer.finish();
  } finally {
    await writer.settle();
  }
  for (const { text, reason } of rejected) {
    await giveUp(text, reason, message.messageId);
    outcome.rejected += 1;
  }
}

/** Gives a message up that failed at its last try. @returns false where it has tries left, or could not be given up. */
async function isDeadLettered(message: SQSRecord, error: unknown): Promise<boolean> {
  if (triesOf(message) < maximumTries) return false;
  try {
    await giveUp(message.body, `Failed ${maximumTries} times. ${describeError(error)}.`, message.messageId);
    return true;
  } catch (failure) {
    // SQS gives it up by itself the next time, without the reason.
    logger.error("A message could not be given up.", { message_id: message.messageId, error: failure });
    return false;
  }
}

async function giveUp(text: string, reason: string, messageId: string): Promise<void> {
  const { DEAD_LETTER_QUEUE_URL: queueUrl } = Environment.parse(process.env);
  await sendMessage(queueUrl, text, { reason, source_message_id: messageId });
}

function triesOf({ attributes }: SQSRecord): number {
  return Number(attributes.ApproximateReceiveCount);
}
