import { maximumTries, visibilityTimeoutMs } from "../../functions/consumers/feedDelivery.ts";
import { MemoryQueue } from "./memoryQueue.ts";
import { startSqsServer } from "./sqsServer.ts";

/** Makes the feed's queue and its dead-letter queue as the stack does, in this process's memory, and serves them to clients of SQS. */
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
