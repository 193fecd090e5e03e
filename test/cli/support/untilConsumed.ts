import { GetQueueAttributesCommand } from "@aws-sdk/client-sqs";
import { queueClient } from "../../../functions/queue.ts";

/** Polls a queue until it has no messages, neither waiting nor in flight. */
export async function untilConsumed(queueUrl: string): Promise<void> {
  const input = { QueueUrl: queueUrl, AttributeNames: ["All" as const] };
  for (let left = true; left; ) {
    const { Attributes } = await queueClient(queueUrl).send(new GetQueueAttributesCommand(input));
    left = [Attributes?.ApproximateNumberOfMessages, Attributes?.ApproximateNumberOfMessagesNotVisible].some(
      (count) => count !== "0",
    );
  }
}
