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

/** The function stops this long before its timeout, to return the failed messages. */
const returnMarginMs = 5_000;

/** Counts of a batch's records. */
interface Outcome {
  written: number;
  older: number;
  rejected: number;
}

/**
 * Stores the records of a batch of the feed's messages, and returns the messages to retry. It sends to the dead-letter queue, with the reason,
 * each invalid record at once, as a message of its own, and each message that failed at its last try.
 */
export async function handler(event: SQSEvent, context: Pick<Context, "getRemainingTimeInMillis">) {
  const startedMs = performance.now();
  const timeLeftMs = context.getRemainingTimeInMillis() - returnMarginMs;
  const signal = timeLeftMs > 0 ? AbortSignal.timeout(timeLeftMs) : AbortSignal.abort();
  const table = openTable();
  const outcome: Outcome = { written: 0, older: 0, rejected: 0 };
  const failed: string[] = [];
  const consume = async (message: SQSRecord) => {
    try {
      await store(message, table, outcome, signal);
    } catch (error) {
      logger.warn("A message of the feed failed.", { message_id: message.messageId, tries: triesOf(message), error });
      if (!(await deadLetterAfterLastTry(message, error))) failed.push(message.messageId);
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

/** Stores the valid records of a message, and only then dead-letters the others, so that a failed try does not dead-letter any. */
async function store(message: SQSRecord, table: Table, outcome: Outcome, signal: AbortSignal): Promise<void> {
  const { items, rejected } = parseMessage(message.body);
  const writer = tableWriter(table, outcome, backOff(signal), { isRepeated: triesOf(message) > 1 });
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
    await deadLetter(text, reason, message.messageId);
    outcome.rejected += 1;
  }
}

/** @returns false if the failed message has tries left, or could not be sent to the dead-letter queue. */
async function deadLetterAfterLastTry(message: SQSRecord, error: unknown): Promise<boolean> {
  if (triesOf(message) < maximumTries) return false;
  try {
    await deadLetter(message.body, `Failed ${maximumTries} times. ${describeError(error)}.`, message.messageId);
    return true;
  } catch (failure) {
    // At the next receive, SQS moves it to the dead-letter queue itself, without the reason.
    logger.error("Dead-lettering a message failed.", { message_id: message.messageId, error: failure });
    return false;
  }
}

async function deadLetter(text: string, reason: string, messageId: string): Promise<void> {
  const { DEAD_LETTER_QUEUE_URL: queueUrl } = Environment.parse(process.env);
  await sendMessage(queueUrl, text, { attributes: { reason, source_message_id: messageId } });
}

function triesOf({ attributes }: SQSRecord): number {
  return Number(attributes.ApproximateReceiveCount);
}
