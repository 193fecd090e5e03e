import { MemoryQueue, startSqsServer } from "@ticketing/local-aws/queues";
import { maximumTries, visibilityTimeoutMs } from "../functions/feed/feedLimits.ts";
import { visibilityTimeoutMs as webhookVisibilityTimeoutMs } from "../functions/webhooks/deliveryLimits.ts";

/** Creates the queues of the feed and of webhooks in memory, with the stack's settings, and serves them to SQS clients. */
export async function startLocalQueues() {
  const deadLetters = new MemoryQueue("feed-dead-letters", { visibilityTimeoutMs });
  const redrive = { deadLetters, maximumReceives: maximumTries };
  const feed = new MemoryQueue("feed", { visibilityTimeoutMs, redrive });
  const webhooks = new MemoryQueue("webhooks", { visibilityTimeoutMs: webhookVisibilityTimeoutMs });
  const paths = {
    feed: "/000000000000/feed",
    deadLetters: "/000000000000/feed-dead-letters",
    webhooks: "/000000000000/webhooks",
  };
  const queues = new Map([
    [paths.feed, feed],
    [paths.deadLetters, deadLetters],
    [paths.webhooks, webhooks],
  ]);
  const { url, stop } = await startSqsServer(queues);
  return {
    feed,
    deadLetters,
    webhooks,
    stop,
    queueUrl: url + paths.feed,
    deadLetterQueueUrl: url + paths.deadLetters,
    webhookQueueUrl: url + paths.webhooks,
  };
}

type LocalQueues = Awaited<ReturnType<typeof startLocalQueues>>;

export function useLocalQueues(queues: Pick<LocalQueues, "queueUrl" | "deadLetterQueueUrl" | "webhookQueueUrl">): void {
  Object.assign(process.env, {
    FEED_QUEUE_URL: queues.queueUrl,
    DEAD_LETTER_QUEUE_URL: queues.deadLetterQueueUrl,
    WEBHOOK_QUEUE_URL: queues.webhookQueueUrl,
  });
}
