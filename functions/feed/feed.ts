import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from "aws-lambda";
import * as z from "zod";
import { logger } from "../log/logger.ts";
import { measurements } from "../log/measurements.ts";
import { faultsIn, type JsonFault, parseJson } from "../parseJson.ts";
import { messageText, sendMessage } from "../queue.ts";
import type { RecordItem } from "../records/recordItem.ts";
import { CallLimit } from "../table/callLimit.ts";
import { organisationIdOf } from "../table/itemKeys.ts";
import { backOff } from "../table/retries.ts";
import { openTable } from "../table/table.ts";
import { describeError, Unavailable } from "../table/tableErrors.ts";
import { maximumTries } from "./feedLimits.ts";
import { messagePacker } from "./messagePacker.ts";
import { parseRecord } from "./parseRecord.ts";
import { tableWriter, type Writer } from "./tableWriter.ts";

const Environment = z.object({ FEED_QUEUE_URL: z.url(), DEAD_LETTER_QUEUE_URL: z.url() });

/** The function stops writing this long before its timeout, to send the rest of the messages. */
const returnMarginMs = 10_000;
/** It then waits this long for the writes in progress, because records that it sends again are written again. */
const settlingMs = 4_000;

/** A message whose records fail one by one is split into messages of one record, unless there are more. */
const maximumSplit = 100;

/** The attribute of a message that continues another: when the original was sent, in milliseconds since 1970. */
const firstSent = "first_sent";

/** Shared by all batches of a process: the next one begins at the speed that the table had in this one. */
const callLimit = new CallLimit();

interface Work {
  message: SQSRecord;
  received: Received[];
  rejected: Rejected[];
  stored: number;
  /** Errors of single records, excluding those of an unavailable table. */
  errors: Map<RecordItem, unknown>;
  left: Set<RecordItem>;
}

/**
 * Stores the records of a batch of the feed's messages, and returns the messages to retry. If a message was stored in
 * part, the rest continues as a new message. Invalid records go to the dead-letter queue with the reason. So does a message whose last try
 * stored nothing, unless the table was unavailable.
 */
export async function handler(event: SQSEvent, context: Pick<Context, "getRemainingTimeInMillis">) {
  const startedMs = performance.now();
  const timeLeftMs = context.getRemainingTimeInMillis() - returnMarginMs;
  const signal = timeLeftMs > 0 ? AbortSignal.timeout(timeLeftMs) : AbortSignal.abort();
  const table = openTable();
  const works = event.Records.map(workOf);
  const workWith = new Map(works.flatMap((work) => work.received.map(({ item }) => [item, work] as const)));
  const writer = tableWriter(table, backOff(signal), {
    callLimit,
    signal,
    isRepeated: (item) => isRepeated(workWith.get(item)?.message),
    onEnd: (item, failure) => note(workWith.get(item), item, failure),
  });
  await Promise.race([Promise.all(works.map((work) => store(work, writer, signal))), settlingTime(signal)]);
  const outcome = { rejected: 0 };
  const failed = (await Promise.all(works.map((work) => finish(work, outcome)))).flat();
  logger.info("feed", {
    messages: event.Records.length,
    failed: failed.length,
    ...writer.counts,
    ...outcome,
    ...measurements({ operationId: "feed", startedMs, usage: table.usage, waitedSeconds: waitedSeconds(works) }),
  });
  const response: SQSBatchResponse = { batchItemFailures: failed.map((itemIdentifier) => ({ itemIdentifier })) };
  return response;
}

function workOf(message: SQSRecord): Work {
  const { received, rejected } = parseMessage(message.body);
  return { message, received, rejected, stored: 0, errors: new Map(), left: new Set(received.map(({ item }) => item)) };
}

async function store({ received }: Work, writer: Writer, signal: AbortSignal): Promise<void> {
  for (const { item } of received) {
    if (signal.aborted) break;
    await writer.add(item);
  }
  await writer.settle();
}

function note(work: Work | undefined, item: RecordItem, failure: { error: unknown } | undefined): void {
  if (!failure) {
    work?.left.delete(item);
    if (work) work.stored += 1;
  } else if (!isTemporary(failure.error)) work?.errors.set(item, failure.error);
}

function isTemporary(error: unknown): boolean {
  return (
    error instanceof Unavailable ||
    (error instanceof Error && ["AbortError", "GivenUp", "TimeoutError"].includes(error.name))
  );
}

/** Sends a message's unstored records on. @returns the message's id if SQS must deliver it again. */
async function finish(work: Work, outcome: { rejected: number }): Promise<string[]> {
  const { message, left, stored, errors, rejected } = work;
  const [error] = errors.values();
  try {
    if (left.size > 0 && stored === 0 && triesOf(message) < maximumTries) return [message.messageId];
    if (left.size > 0 && stored === 0 && error !== undefined) {
      const reason = `Failed ${maximumTries} times. ${describeError(error)}.`;
      await deadLetter(message.body, reason, message.messageId);
      return [];
    }
    if (left.size > 0) await sendRest(work);
    for (const { text, reason } of rejected) {
      await deadLetter(text, reason, message.messageId);
      outcome.rejected += 1;
    }
    return [];
  } catch (failure) {
    // If this was the last try, SQS moves the message to the dead-letter queue itself, without a reason.
    logger.error("Sending a message failed.", { message_id: message.messageId, error: failure });
    return [message.messageId];
  } finally {
    if (left.size > 0) {
      const unstored = left.size;
      logger.warn("A message was not stored whole.", { message_id: message.messageId, stored, unstored, error });
    }
  }
}

/** Sends the unstored records on; those with errors of their own one by one, so that they do not hold up others. */
async function sendRest({ message, received, left, errors }: Work): Promise<void> {
  const { FEED_QUEUE_URL: queueUrl } = Environment.parse(process.env);
  const attributes = { [firstSent]: String(firstSentMs(message)) };
  const send = ({ body, organisationId }: { body: string; organisationId: number }) =>
    sendMessage(queueUrl, body, { attributes, groupId: String(organisationId) });
  const packer = messagePacker(send);
  for (const { item, text } of received) {
    if (!left.has(item)) continue;
    const organisationId = organisationIdOf(item.PK);
    if (errors.has(item) && errors.size <= maximumSplit) await send({ body: text(), organisationId });
    else {
      const problem = await packer.add(organisationId, text());
      if (problem !== undefined) throw new Error(`A record cannot be sent again: ${problem}.`);
    }
  }
  await packer.finish();
}

async function deadLetter(text: string, reason: string, messageId: string): Promise<void> {
  const { DEAD_LETTER_QUEUE_URL: queueUrl } = Environment.parse(process.env);
  await sendMessage(queueUrl, text, { attributes: { reason, source_message_id: messageId } });
}

/** True if some of the message's records may have been stored before. */
function isRepeated(message: SQSRecord | undefined): boolean {
  return message !== undefined && (triesOf(message) > 1 || message.messageAttributes?.[firstSent] !== undefined);
}

function triesOf({ attributes }: SQSRecord): number {
  return Number(attributes.ApproximateReceiveCount);
}

/** A sender may have set the attribute to anything. */
function firstSentMs({ attributes, messageAttributes }: SQSRecord): number {
  const sentMs = Number(attributes.SentTimestamp);
  const firstMs = Number(messageAttributes?.[firstSent]?.stringValue ?? sentMs);
  return firstMs > 0 && firstMs < sentMs ? firstMs : sentMs;
}

/** The delay of the oldest record, including the time before its message was sent again. */
function waitedSeconds(works: Work[]): number {
  return Math.max(0, ...works.map(({ message }) => (Date.now() - firstSentMs(message)) / 1_000));
}

async function settlingTime(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, "abort");
  await wait(settlingMs, undefined, { ref: false });
}

/** A valid record, and its text for a separate message. */
interface Received {
  item: RecordItem;
  text: () => string;
}

interface Rejected {
  text: string;
  reason: string;
}

/** With more invalid records, the message is rejected as a whole: sending a dead letter for each would take too long. */
const maximumRejected = 100;

/** Parses an untrusted message of the feed: one record, or an array of records. */
function parseMessage(body: string): { received: Received[]; rejected: Rejected[] } {
  const json = parseJson(body);
  if ("problem" in json) return { received: [], rejected: [{ text: body, reason: json.problem }] };
  const { value } = json;
  const faults = faultsIn(body, value);
  if (!Array.isArray(value)) return parseRecords([{ record: value, faults }], () => body);
  if (value.length === 0) return { received: [], rejected: [{ text: body, reason: "The array is empty." }] };
  const faultsOf = Map.groupBy(faults, ({ path: [index] }) => index);
  const within = (index: number) => faultsOf.get(index)?.map(({ path, message }) => ({ path: path.slice(1), message }));
  const records = value.map((record: unknown, index) => ({ record, faults: within(index) ?? [] }));
  // Only the whole message still has the parts of a record that parsing lost.
  const { received, rejected } = parseRecords(records, (record, isWhole) => (isWhole && textOf(record)) || body);
  const ofWhole = new Set(rejected.length > maximumRejected ? rejected : rejected.filter(({ text }) => text === body));
  const [first] = ofWhole;
  if (!first) return { received, rejected };
  const reason = `${ofWhole.size} of its ${value.length} records are invalid. The first: ${first.reason}`;
  return { received, rejected: [...rejected.filter((one) => !ofWhole.has(one)), { text: body, reason }] };
}

function parseRecords(
  records: { record: unknown; faults: JsonFault[] }[],
  rejectedText: (record: unknown, isWhole: boolean) => string,
) {
  const received: Received[] = [];
  const rejected: Rejected[] = [];
  for (const { record, faults } of records) {
    const parsed = parseRecord(record, { faults });
    if ("item" in parsed) received.push({ item: parsed.item, text: () => messageText(JSON.stringify(record)) });
    else rejected.push({ text: rejectedText(record, faults.length === 0), reason: parsed.problem });
  }
  return { received, rejected };
}

/** Undefined if the record is nested too deeply for `JSON.stringify`; then the dead letter contains the whole message. */
function textOf(record: unknown): string | undefined {
  try {
    return messageText(JSON.stringify(record));
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
