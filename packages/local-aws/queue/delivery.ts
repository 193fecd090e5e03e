import { setMaxListeners } from "node:events";
import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from "aws-lambda";
import { log } from "../log.ts";
import type { MemoryQueue, ReceivedMessage } from "./memoryQueue.ts";
import { bodyDigest, systemAttributes } from "./sqsMessage.ts";

export type Consumer = (
  event: SQSEvent,
  context: Pick<Context, "getRemainingTimeInMillis">,
) => Promise<SQSBatchResponse>;

interface DeliveryOptions {
  /** Messages in a batch. By default 10, as in Lambda. */
  batchSize?: number;
  maximumConcurrency?: number;
  /** The consumer's time for one batch. By default a minute. */
  timeoutMs?: number;
  /**
   * Delay before a failed message is delivered again. Shorter than AWS, where the visibility timeout must pass. Null leaves it to the
   * message's own timeout, which the consumer may have changed.
   */
  retryMs?: number | null;
}

/**
 * Delivers a queue's messages to a consumer in batches, as Lambda's event source mapping does. Messages that the consumer does not
 * report as failed are deleted; if it throws, its whole batch has failed.
 * @returns `stop` receives no more messages and waits for the batches in progress.
 */
export function startDelivery(queue: MemoryQueue, consumer: Consumer, options: DeliveryOptions = {}) {
  const { batchSize = 10, maximumConcurrency = 2, timeoutMs = 60_000, retryMs = 1_000 } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  // Each waiting lane listens.
  setMaxListeners(0, signal);
  const deliverBatches = async () => {
    while (!signal.aborted) {
      const messages = queue.receive(batchSize);
      if (messages.length === 0) await queue.untilVisible(signal);
      else await deliver(messages);
    }
  };
  const deliver = async (messages: ReceivedMessage[]) => {
    const failed = await failedOf(messages, queue, consumer, timeoutMs);
    for (const { id, receiptHandle } of messages) {
      if (!failed.has(id)) queue.delete(receiptHandle);
      else if (retryMs !== null) queue.changeVisibility(receiptHandle, retryMs);
    }
  };
  const lanes = Array.from({ length: maximumConcurrency }, deliverBatches);
  const stop = async () => {
    stopping.abort();
    await Promise.all(lanes);
  };
  return { stop };
}

/** The ids of the failed messages. As in Lambda, an unknown id in the response fails the whole batch. */
async function failedOf(
  messages: ReceivedMessage[],
  queue: MemoryQueue,
  consumer: Consumer,
  timeoutMs: number,
): Promise<Set<string>> {
  const all = new Set(messages.map(({ id }) => id));
  const endMs = performance.now() + timeoutMs;
  const getRemainingTimeInMillis = () => Math.max(0, Math.floor(endMs - performance.now()));
  try {
    const Records = messages.map((message) => recordOf(message, queue.arn));
    const { batchItemFailures } = await consumer({ Records }, { getRemainingTimeInMillis });
    const failed = new Set(batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
    return [...failed].every((id) => all.has(id)) ? failed : all;
  } catch (error) {
    log.error("The consumer of a queue failed.", { queue: queue.arn, error });
    return all;
  }
}

function recordOf(message: ReceivedMessage, eventSourceARN: string): SQSRecord {
  const { id: messageId, receiptHandle, body } = message;
  const messageAttributes = Object.fromEntries(
    Object.entries(message.attributes).map(([name, stringValue]) => [name, { dataType: "String", stringValue }]),
  );
  return {
    messageId,
    receiptHandle,
    body,
    md5OfBody: bodyDigest(body),
    attributes: systemAttributes(message),
    messageAttributes,
    eventSource: "aws:sqs",
    eventSourceARN,
    awsRegion: "local",
  };
}
