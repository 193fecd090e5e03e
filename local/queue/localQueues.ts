import { maximumTries, visibilityTimeoutMs } from "../../functions/feed/feedDelivery.ts";
import { MemoryQueue } from "./memoryQueue.ts";
import { startSqsServer } from "./sqsServer.ts";

/** Creates the feed's queue and dead-letter queue in memory, with the stack's settings, and serves them to SQS clients. */
export async function startLocalQueues() {
  const deadLetters = new MemoryQueue("feed-dead-letters", { visibilityTimeoutMs });
  const redrive = { deadLetters, maximumReceives: maximumTries };
  const feed = new MemoryQueue("feed", { visibilityTimeoutMs, redrive });
  const paths = { feed: "/000000000000/feed", deadLetters: "/000000000000/feed-dead-letters" };
  const queues = new Map([
    [paths.feed, feed],
    [paths.deadLetters, deadLetters],
  ]);
  const { url, stop } = await startSqsServer(queues);
  return { feed, deadLetters, queueUrl: url + paths.feed, deadLetterQueueUrl: url + paths.deadLetters, stop };
}

/** Makes this process's consumer use the queues. */
export function useLocalQueues({
  queueUrl,
  deadLetterQueueUrl,
}: {
  queueUrl: string;
  deadLetterQueueUrl: string;
}): void {
  Object.assign(process.env, { FEED_QUEUE_URL: queueUrl, DEAD_LETTER_QUEUE_URL: deadLetterQueueUrl });
}
