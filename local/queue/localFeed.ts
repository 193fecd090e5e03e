import { type Consumer, type DeliveryOptions, startDelivery } from "./delivery.ts";
import { startLocalQueues } from "./localQueues.ts";

export interface LocalFeed {
  queueUrl: string;
  deadLetterQueueUrl: string;
  /** Waits for the batches in progress. Messages still in the queues are lost. */
  stop: () => Promise<void>;
}

/** Starts the local feed: its queues and their delivery to the consumer, which reads the dead-letter queue's URL from the environment. */
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
