import { type Consumer, type DeliveryOptions, startDelivery } from "./delivery.ts";
import { startLocalQueues } from "./localQueues.ts";

export interface LocalFeed {
  queueUrl: string;
  deadLetterQueueUrl: string;
  /** Waits for what is under way. What is still in the queues is gone. */
  stop: () => Promise<void>;
}

/** Starts the feed of the local service: its queues, and what brings their messages to the consumer, which finds the dead-letter queue in its environment. */
export async function startLocalFeed(consumer: Consumer, options: DeliveryOptions = {}): Promise<LocalFeed> {
  const queues = await startLocalQueues();
  const { feed, queueUrl, deadLetterQueueUrl } = queues;
  process.env.DEAD_LETTER_QUEUE_URL = deadLetterQueueUrl;
  const delivery = startDelivery(feed, consumer, options);
  const stop = async () => {
    await delivery.stop();
    await queues.stop();
  };
  return { queueUrl, deadLetterQueueUrl, stop };
}
