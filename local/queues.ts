import { MemoryQueue, startSqsServer } from "@ticketing/local-aws/queues";
import { maximumTries, visibilityTimeoutMs } from "../functions/feed/feedLimits.ts";
import { visibilityTimeoutMs as webhookVisibilityTimeoutMs } from "../functions/webhooks/deliveryLimits.ts";

/** Creates the queues of the feed and of webhooks in memory, with the stack's settings, and serves them to SQS clients. */
export async function startLocalQueues() {
  const deadLetters = new MemoryQueue("feed-dead-letters", { visibilityTimeoutMs });
  const redrive = { deadLetters, maximumReceives: maximumTries };
  const feed = new MemoryQueue("feed", { visibilityTimeoutMs, redrive });
  const webhooks = new MemoryQueue("webhooks", { visibilityTimeoutMs: webhookVisibilityTimeoutMs });
  // The account and the name.
  const pathOf = ({ arn }: MemoryQueue) => `/${arn.split(":").slice(-2).join("/")}`;
  const queues = [feed, deadLetters, webhooks];
  const { url, stop } = await startSqsServer(new Map(queues.map((queue) => [pathOf(queue), queue])));
  return {
    feed,
    deadLetters,
    webhooks,
    stop,
    queueUrl: url + pathOf(feed),
    deadLetterQueueUrl: url + pathOf(deadLetters),
    webhookQueueUrl: url + pathOf(webhooks),
  };
}

export function useLocalQueues(queues: Awaited<ReturnType<typeof startLocalQueues>>): void {
  Object.assign(process.env, {
    FEED_QUEUE_URL: queues.queueUrl,
    DEAD_LETTER_QUEUE_URL: queues.deadLetterQueueUrl,
    WEBHOOK_QUEUE_URL: queues.webhookQueueUrl,
  });
}
