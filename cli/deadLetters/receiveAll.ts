import { ChangeMessageVisibilityCommand, DeleteMessageCommand, ReceiveMessageCommand } from "@aws-sdk/client-sqs";
import * as z from "zod";
import { queueClient } from "../../functions/queue.ts";

const DeadLetter = z.object({
  MessageId: z.string(),
  ReceiptHandle: z.string(),
  Body: z.string(),
  Attributes: z.object({ SentTimestamp: z.coerce.number(), DeadLetterQueueSourceArn: z.string().optional() }),
  MessageAttributes: z.record(z.string(), z.object({ StringValue: z.string().optional() })).default({}),
});
export type DeadLetter = z.infer<typeof DeadLetter>;

/** Hides received messages from other programs for this time. If this process is killed, they reappear then. */
const visibilitySeconds = 300;
/** A wait makes SQS query all of its servers, so an empty response means an empty queue. */
const waitSeconds = 1;
/** Messages that are put back concurrently. */
const maximumConcurrency = 50;

/** The messages of a queue, each once. At the end, those that were not removed become visible again. */
export async function* receiveAll(
  QueueUrl: string,
  signal: AbortSignal,
): AsyncGenerator<DeadLetter & { remove: () => Promise<void> }> {
  const client = queueClient(QueueUrl);
  const held = new Map<string, string>();
  const removed = new Set<string>();
  try {
    for (;;) {
      const received = (await receive(QueueUrl)).filter(
        ({ MessageId }) => !held.has(MessageId) && !removed.has(MessageId),
      );
      for (const { MessageId, ReceiptHandle } of received) held.set(MessageId, ReceiptHandle);
      if (received.length === 0) return;
      for (const letter of received) {
        signal.throwIfAborted();
        const { MessageId, ReceiptHandle } = letter;
        const remove = async () => {
          await client.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }));
          held.delete(MessageId);
          removed.add(MessageId);
        };
        yield { ...letter, remove };
      }
    }
  } finally {
    await putBack(QueueUrl, [...held.values()]);
  }
}

async function receive(QueueUrl: string): Promise<DeadLetter[]> {
  const { Messages = [] } = await queueClient(QueueUrl).send(
    new ReceiveMessageCommand({
      QueueUrl,
      MaxNumberOfMessages: 10,
      VisibilityTimeout: visibilitySeconds,
      WaitTimeSeconds: waitSeconds,
      MessageAttributeNames: ["reason", "source_message_id"],
      MessageSystemAttributeNames: ["SentTimestamp", "DeadLetterQueueSourceArn"],
    }),
  );
  return z.array(DeadLetter).parse(Messages);
}

/** Failures are ignored: the message reappears when its visibility timeout ends. */
async function putBack(QueueUrl: string, receiptHandles: string[]): Promise<void> {
  for (let start = 0; start < receiptHandles.length; start += maximumConcurrency) {
    const some = receiptHandles.slice(start, start + maximumConcurrency);
    const show = (ReceiptHandle: string) =>
      queueClient(QueueUrl).send(new ChangeMessageVisibilityCommand({ QueueUrl, ReceiptHandle, VisibilityTimeout: 0 }));
    await Promise.allSettled(some.map(show));
  }
}
