import {
  ChangeMessageVisibilityCommand,
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
} from "@aws-sdk/client-sqs";
import * as z from "zod";
import { queueClient } from "../../functions/feed/queue.ts";
import { parseJson } from "../../functions/parseJson.ts";
import { Id } from "../../functions/resources/fields.ts";
import { recordTypes } from "../../functions/resources/record.ts";
import { UsageError } from "../shared/usageError.ts";

/** How long a received message is hidden from other consumers. It reappears then if this process is killed. */
const visibilitySeconds = 60;
/** A wait makes SQS query all of its servers, so an empty response means an empty queue. */
const waitSeconds = 1;
/** After this number of consecutive receives without a wanted message, the queue has no more of them. */
const maximumFruitlessReceives = 10;
/** Messages put back concurrently. */
const maximumUnderWay = 50;

const RedrivePolicy = z.object({ deadLetterTargetArn: z.string() });

const Received = z.object({
  MessageId: z.string(),
  ReceiptHandle: z.string(),
  Body: z.string(),
  Attributes: z.object({ SentTimestamp: z.coerce.number(), DeadLetterQueueSourceArn: z.string().optional() }),
  MessageAttributes: z.record(z.string(), z.object({ StringValue: z.string().optional() })).default({}),
});

/** A message that its consumer gave up on. */
export interface DeadLetter {
  /** Its own id, which stays the same until it is sent back. */
  id: string;
  /** The id of the original message, which this is all or a part of. */
  sourceMessageId: string;
  body: string;
  sentMs: number;
  /** Undefined if SQS moved the message by itself. */
  reason: string | undefined;
  remove: () => Promise<void>;
}

/**
 * The URL of a queue's dead-letter queue, in the same account and region.
 *
 * @throws UsageError if the queue has none.
 */
export async function deadLetterQueueOf(queueUrl: string): Promise<string> {
  const input = { QueueUrl: queueUrl, AttributeNames: ["RedrivePolicy" as const] };
  const { Attributes } = await queueClient(queueUrl).send(new GetQueueAttributesCommand(input));
  const { data: policy } = RedrivePolicy.safeParse(parseJson(Attributes?.RedrivePolicy ?? "{}").value);
  if (!policy)
    throw new UsageError(`Queue ${queueUrl} has no dead-letter queue, so it is neither the feed's nor the import's.`);
  return queueUrl.replace(/[^/]*$/, policy.deadLetterTargetArn.replace(/^.*:/, ""));
}

/**
 * Receives the messages of a dead-letter queue, each once and up to ten at a time. At the end, messages that were not removed become
 * visible again.
 *
 * @param sentUntilMs skips messages sent later.
 */
export async function* receiveDeadLetters(
  queueUrl: string,
  sentUntilMs: number,
  signal: AbortSignal,
): AsyncGenerator<DeadLetter[]> {
  const client = queueClient(queueUrl);
  const seen = new Set<string>();
  const held = new Map<string, string>();
  const letterOf = (message: z.infer<typeof Received>): DeadLetter => ({
    ...describe(message),
    remove: async () => {
      await client.send(new DeleteMessageCommand({ QueueUrl: queueUrl, ReceiptHandle: message.ReceiptHandle }));
      held.delete(message.MessageId);
    },
  });
  try {
    for (let fruitless = 0; fruitless < maximumFruitlessReceives && !signal.aborted; ) {
      const received = await receive(queueUrl);
      if (received.length === 0) return;
      for (const { MessageId, ReceiptHandle } of received) held.set(MessageId, ReceiptHandle);
      if (signal.aborted) return;
      const wanted = received.filter(
        ({ MessageId, Attributes }) => Attributes.SentTimestamp <= sentUntilMs && !seen.has(MessageId),
      );
      for (const { MessageId } of wanted) seen.add(MessageId);
      fruitless = wanted.length > 0 ? 0 : fruitless + 1;
      if (wanted.length > 0) yield wanted.map(letterOf);
    }
  } finally {
    await putBack(queueUrl, [...held.values()]);
  }
}

async function receive(queueUrl: string) {
  const { Messages = [] } = await queueClient(queueUrl).send(
    new ReceiveMessageCommand({
      QueueUrl: queueUrl,
      MaxNumberOfMessages: 10,
      VisibilityTimeout: visibilitySeconds,
      WaitTimeSeconds: waitSeconds,
      MessageAttributeNames: ["reason", "source_message_id"],
      MessageSystemAttributeNames: ["SentTimestamp", "DeadLetterQueueSourceArn"],
    }),
  );
  return z.array(Received).parse(Messages);
}

const Hidden = z.object({
  ApproximateNumberOfMessagesNotVisible: z.coerce.number(),
  VisibilityTimeout: z.coerce.number(),
});

/** The messages that another program has received, such as a killed run; undefined without any. Ask before receiving: SQS counts late. */
export async function describeHidden(queueUrl: string): Promise<string | undefined> {
  const AttributeNames = ["ApproximateNumberOfMessagesNotVisible" as const, "VisibilityTimeout" as const];
  const answer = await queueClient(queueUrl).send(
    new GetQueueAttributesCommand({ QueueUrl: queueUrl, AttributeNames }),
  );
  const { ApproximateNumberOfMessagesNotVisible: number, VisibilityTimeout } = Hidden.parse(answer.Attributes);
  const until = new Date(Date.now() + Math.max(visibilitySeconds, VisibilityTimeout) * 1_000).toISOString();
  return number === 0
    ? undefined
    : `${number} dead letters are hidden until ${until} at the latest, because another program has received them. Run it again then.`;
}

/** On a message moved by SQS, the attributes are the original sender's, so they are ignored. */
function describe({ MessageId, Body, Attributes, MessageAttributes }: z.infer<typeof Received>) {
  const { reason, source_message_id } = Attributes.DeadLetterQueueSourceArn === undefined ? MessageAttributes : {};
  return {
    id: MessageId,
    sourceMessageId: source_message_id?.StringValue ?? MessageId,
    body: Body,
    sentMs: Attributes.SentTimestamp,
    reason: reason?.StringValue,
  };
}

/** Failures are ignored: the message reappears when its visibility timeout ends. */
async function putBack(queueUrl: string, receiptHandles: string[]): Promise<void> {
  const client = queueClient(queueUrl);
  for (let start = 0; start < receiptHandles.length; start += maximumUnderWay) {
    const inputs = receiptHandles
      .slice(start, start + maximumUnderWay)
      .map((ReceiptHandle) => ({ QueueUrl: queueUrl, ReceiptHandle, VisibilityTimeout: 0 }));
    await Promise.allSettled(inputs.map((input) => client.send(new ChangeMessageVisibilityCommand(input))));
  }
}

/** Only what identifies a record: the rest can be personal data. */
const Identity = z.object({
  type: z.enum(recordTypes),
  organisation_id: Id,
  id: Id.optional(),
  data: z.object({ id: Id }).optional().catch(undefined),
});

/**
 * What AWS reports about something that failed, in each form that our queues get: a Lambda destination's record, a pipe's dead letter, and the
 * events of S3 and Backup.
 */
const Failure = z.object({
  requestContext: z.object({ condition: z.string() }).optional(),
  context: z.object({ condition: z.string() }).optional(),
  responsePayload: z.object({ errorType: z.string() }).optional().catch(undefined),
  DDBStreamBatchInfo: z.object({ batchSize: z.int(), approximateArrivalOfFirstRecord: z.string() }).optional(),
  detail: z
    .object({
      object: z.object({ key: z.string() }).optional(),
      state: z.string().optional(),
      statusMessage: z.string().optional(),
    })
    .optional(),
});

const withoutReason = "The consumer crashed or timed out on every attempt, so SQS gave up on the message.";

/** One line for a dead letter: time sent, its id, the feed message's id if it differs, content and reason. */
export function describeDeadLetter({ id, sentMs, sourceMessageId, body, reason }: DeadLetter): string {
  const origin = sourceMessageId === id ? "" : ` (of message ${sourceMessageId})`;
  const { value } = parseJson(body);
  const failure = Failure.safeParse(value).data ?? {};
  const reasons = reason ?? (reasonsOf(failure).join(", ") || withoutReason);
  const line = `${new Date(sentMs).toISOString()}  ${id}${origin}  ${describeContent(value, failure)}: ${reasons}`;
  // Strip control characters, which a terminal would interpret.
  return line.replaceAll(/\p{Cc}+/gu, " ");
}

function reasonsOf({ requestContext, context, responsePayload, detail }: z.infer<typeof Failure>): string[] {
  const { state, statusMessage } = detail ?? {};
  return [requestContext?.condition, context?.condition, responsePayload?.errorType, state, statusMessage].filter(
    (one) => one !== undefined,
  );
}

function describeContent(
  value: unknown,
  { DDBStreamBatchInfo: batch, detail, requestContext }: z.infer<typeof Failure>,
) {
  if (batch) return `${batch.batchSize} changes of the table since ${batch.approximateArrivalOfFirstRecord}`;
  if (detail) return detail.object ? `file ${detail.object.key}` : "backup";
  if (requestContext) return "log lines";
  if (!Array.isArray(value)) return describeRecord(value);
  const [first] = value;
  return value.length === 1 ? describeRecord(first) : `${value.length} records, first ${describeRecord(first)}`;
}

function describeRecord(record: unknown): string {
  const { data: identity } = Identity.safeParse(record);
  if (!identity) return "no record";
  const { type, organisation_id, id = identity.data?.id } = identity;
  return `${type} ${id ?? "without id"} of organisation ${organisation_id}`;
}
