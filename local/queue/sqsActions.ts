import * as z from "zod";
import { maximumMessageBytes } from "../../functions/feed/queue.ts";
import type { MemoryQueue } from "./memoryQueue.ts";
import { SqsError } from "./sqsError.ts";
import {
  answeredMessage,
  assertTaken,
  attributesOf,
  bytesOf,
  named,
  receiptOf,
  SentMessage,
  tooLarge,
} from "./sqsMessage.ts";

type Action = (queue: MemoryQueue, input: unknown, signal: AbortSignal) => object | Promise<object>;

const longestVisibilitySeconds = 12 * 60 * 60;
const VisibilityTimeout = z.int().min(0).max(longestVisibilitySeconds);
const Names = z.array(z.string()).default([]);
const ReceiptHandle = z.string();

/** The SQS actions that the feed, its commands and their tests need. */
export const sqsActions: Readonly<Record<string, Action>> = {
  SendMessage: action(SentMessage, send),
  SendMessageBatch: action(
    z.object({ Entries: z.array(SentMessage.extend({ Id: z.string().regex(/^[\w-]{1,80}$/) })) }),
    (queue, { Entries }) => sendBatch(queue, Entries),
  ),
  ReceiveMessage: action(
    z.object({
      MaxNumberOfMessages: z.int().min(1).max(10).default(1),
      VisibilityTimeout: VisibilityTimeout.optional(),
      WaitTimeSeconds: z.int().min(0).max(20).default(0),
      MessageAttributeNames: Names,
      MessageSystemAttributeNames: Names,
    }),
    async (queue, input, signal) => {
      if (input.WaitTimeSeconds > 0) {
        await queue.untilVisible(AbortSignal.any([signal, AbortSignal.timeout(input.WaitTimeSeconds * 1000)]));
      }
      // A client that has disconnected must not receive messages.
      if (signal.aborted) return {};
      const visibilityTimeoutMs = input.VisibilityTimeout === undefined ? undefined : input.VisibilityTimeout * 1000;
      const messages = queue.receive(input.MaxNumberOfMessages, { visibilityTimeoutMs });
      const asked = { names: input.MessageAttributeNames, systemNames: input.MessageSystemAttributeNames };
      return messages.length > 0 ? { Messages: messages.map((message) => answeredMessage(message, asked)) } : {};
    },
  ),
  DeleteMessage: action(z.object({ ReceiptHandle }), (queue, input) => {
    queue.delete(input.ReceiptHandle);
    return {};
  }),
  ChangeMessageVisibility: action(z.object({ ReceiptHandle, VisibilityTimeout }), (queue, input) => {
    if (queue.changeVisibility(input.ReceiptHandle, input.VisibilityTimeout * 1000)) return {};
    throw new SqsError("MessageNotInflight", "The message is not in flight.");
  }),
  GetQueueAttributes: action(z.object({ AttributeNames: Names }), (queue, input) => {
    const attributes = queueAttributes(queue);
    const unknown = input.AttributeNames.find((name) => name !== "All" && !(name in attributes || name in optional));
    if (unknown !== undefined) throw new SqsError("InvalidAttributeName", `Unknown Attribute ${unknown}.`);
    return { Attributes: named(attributes, input.AttributeNames) };
  }),
  PurgeQueue: action(z.object({}), (queue) => {
    queue.purge();
    return {};
  }),
};

/** Attributes that only some queues have. */
const optional = { RedrivePolicy: "" };

function action<Schema extends z.ZodType>(
  schema: Schema,
  run: (queue: MemoryQueue, input: z.infer<Schema>, signal: AbortSignal) => object | Promise<object>,
): Action {
  return (queue, input, signal) => {
    const { data, error } = schema.safeParse(input);
    if (!error) return run(queue, data, signal);
    const problems = error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`);
    throw new SqsError("InvalidParameterValue", problems.join("; "));
  };
}

function send(queue: MemoryQueue, message: SentMessage) {
  assertTaken(message);
  return receiptOf(queue.send(message.MessageBody, attributesOf(message), message.MessageGroupId).id, message);
}

function sendBatch(queue: MemoryQueue, entries: (SentMessage & { Id: string })[]) {
  if (entries.length === 0) throw new SqsError("EmptyBatchRequest", "There should be at least one entry.");
  if (entries.length > 10) throw new SqsError("TooManyEntries", "Maximum number of entries per request are 10.");
  if (new Set(entries.map(({ Id }) => Id)).size < entries.length) {
    throw new SqsError("BatchEntryIdsNotDistinct", "Two entries have the same Id.");
  }
  if (entries.reduce((bytes, entry) => bytes + bytesOf(entry), 0) > maximumMessageBytes) {
    throw new SqsError("BatchRequestTooLong", tooLarge().message);
  }
  const answers = entries.map((entry) => {
    try {
      return { Id: entry.Id, ...send(queue, entry) };
    } catch (error) {
      if (!(error instanceof SqsError)) throw error;
      return { Id: entry.Id, SenderFault: true, Code: error.code, Message: error.message };
    }
  });
  const isFailed = (answer: object) => "SenderFault" in answer;
  return { Successful: answers.filter((answer) => !isFailed(answer)), Failed: answers.filter(isFailed) };
}

function queueAttributes(queue: MemoryQueue): Record<string, string> {
  const { visible, received } = queue.counts();
  const { redrive, visibilityTimeoutMs } = queue.settings;
  const policy = redrive && { deadLetterTargetArn: redrive.deadLetters.arn, maxReceiveCount: redrive.maximumReceives };
  return {
    ApproximateNumberOfMessages: String(visible),
    ApproximateNumberOfMessagesNotVisible: String(received),
    MaximumMessageSize: String(maximumMessageBytes),
    QueueArn: queue.arn,
    VisibilityTimeout: String(visibilityTimeoutMs / 1000),
    ...(policy && { RedrivePolicy: JSON.stringify(policy) }),
  };
}
