import { createHash } from "node:crypto";
import * as z from "zod";
import { maximumMessageBytes } from "../../functions/feed/queue.ts";
import type { ReceivedMessage } from "./memoryQueue.ts";

const dataType = "String";
const maximumAttributes = 10;

/** SQS accepts only the characters of XML 1.0. */
const forbiddenCharacter = /[^\t\n\r\x20-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u;

/** A message as a client sends it. This service uses only string attributes. */
export const SentMessage = z.object({
  MessageBody: z.string(),
  MessageGroupId: z
    .string()
    .regex(/^[!-~]{1,128}$/)
    .optional(),
  MessageAttributes: z
    .record(
      z.string().regex(/^[\w.-]{1,256}$/),
      z.object({ DataType: z.literal(dataType), StringValue: z.string().min(1) }),
    )
    .refine((attributes) => Object.keys(attributes).length <= maximumAttributes, `At most ${maximumAttributes}.`)
    .default({}),
});
export type SentMessage = z.infer<typeof SentMessage>;

/** The attributes' values by name. */
export function attributesOf({ MessageAttributes }: SentMessage): Record<string, string> {
  return Object.fromEntries(Object.entries(MessageAttributes).map(([name, { StringValue }]) => [name, StringValue]));
}

/** The size that counts towards SQS's quota. */
export function bytesOf(message: SentMessage): number {
  const attributes = Object.entries(attributesOf(message)).map(([name, value]) => name + dataType + value);
  return [message.MessageBody, ...attributes].reduce((bytes, text) => bytes + Buffer.byteLength(text), 0);
}

/** @throws SqsError if SQS would reject the message. */
export function assertTaken(message: SentMessage): void {
  if (message.MessageBody === "") {
    throw new SqsError("MissingParameter", "The request must contain the parameter MessageBody.");
  }
  if (bytesOf(message) > maximumMessageBytes) throw tooLarge();
  if ([message.MessageBody, ...Object.values(attributesOf(message))].some((text) => forbiddenCharacter.test(text))) {
    throw new SqsError("InvalidMessageContents", "The message has characters that are not allowed.");
  }
}

export function tooLarge(): SqsError {
  const reason = `Message must be shorter than ${maximumMessageBytes} bytes.`;
  return new SqsError("InvalidParameterValue", `One or more parameters are invalid. Reason: ${reason}`);
}

/** The response to a sent message. */
export function receiptOf(id: string, message: SentMessage) {
  return {
    MessageId: id,
    MD5OfMessageBody: bodyDigest(message.MessageBody),
    MD5OfMessageAttributes: attributesDigest(attributesOf(message)),
  };
}

/** The attributes that SQS sets itself. */
export function systemAttributes(message: ReceivedMessage) {
  return {
    SenderId: "local",
    SentTimestamp: String(message.sentMs),
    ApproximateReceiveCount: String(message.receiveCount),
    ApproximateFirstReceiveTimestamp: String(message.firstReceivedMs),
    ...(message.groupId && { MessageGroupId: message.groupId }),
    ...(message.deadLetterSourceArn && { DeadLetterQueueSourceArn: message.deadLetterSourceArn }),
  };
}

/** A message as a client receives it, with the requested attributes; empty attribute maps are omitted. */
export function answeredMessage(message: ReceivedMessage, asked: { names: string[]; systemNames: string[] }) {
  const attributes = named(message.attributes, asked.names);
  return {
    MessageId: message.id,
    ReceiptHandle: message.receiptHandle,
    Body: message.body,
    MD5OfBody: bodyDigest(message.body),
    Attributes: filled(named(systemAttributes(message), asked.systemNames)),
    MessageAttributes: filled(
      Object.fromEntries(
        Object.entries(attributes).map(([name, StringValue]) => [name, { DataType: dataType, StringValue }]),
      ),
    ),
    MD5OfMessageAttributes: attributesDigest(attributes),
  };
}

/** The attributes that match one of the names; `All` and `prefix.*` are wildcards. */
export function named(attributes: Readonly<Record<string, string>>, names: string[]): Record<string, string> {
  const isAsked = (name: string) =>
    names.some(
      (asked) => asked === "All" || asked === name || (asked.endsWith(".*") && name.startsWith(asked.slice(0, -1))),
    );
  return Object.fromEntries(Object.entries(attributes).filter(([name]) => isAsked(name)));
}

function filled<Values extends object>(values: Values): Values | undefined {
  return Object.keys(values).length > 0 ? values : undefined;
}

/** SQS's type byte for string values. */
const textMark = Buffer.of(1);

/** The MD5 of a message's body, in hexadecimal. */
export function bodyDigest(body: string): string {
  return createHash("md5").update(body).digest("hex");
}

/** The MD5 of a message's attributes, as "Amazon SQS message metadata" defines it; undefined without attributes. */
function attributesDigest(attributes: Readonly<Record<string, string>>): string | undefined {
  const names = Object.keys(attributes).sort();
  if (names.length === 0) return undefined;
  const hash = createHash("md5");
  for (const name of names) {
    for (const part of [withLength(name), withLength("String"), textMark, withLength(attributes[name] ?? "")]) {
      hash.update(part);
    }
  }
  return hash.digest("hex");
}

function withLength(text: string): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(Buffer.byteLength(text));
  return Buffer.concat([length, Buffer.from(text)]);
}

const coral = "com.amazon.coral.service";
const sqs = "com.amazonaws.sqs";

/** The SQS errors of the local queue: namespace and name in the JSON protocol, and name in the older query protocol. */
const errors = {
  BatchEntryIdsNotDistinct: [sqs, "BatchEntryIdsNotDistinct", "AWS.SimpleQueueService.BatchEntryIdsNotDistinct"],
  BatchRequestTooLong: [sqs, "BatchRequestTooLong", "AWS.SimpleQueueService.BatchRequestTooLong"],
  EmptyBatchRequest: [sqs, "EmptyBatchRequest", "AWS.SimpleQueueService.EmptyBatchRequest"],
  InvalidAttributeName: [sqs, "InvalidAttributeName", "InvalidAttributeName"],
  InvalidMessageContents: [sqs, "InvalidMessageContents", "InvalidMessageContents"],
  InvalidParameterValue: [coral, "InvalidParameterValueException", "InvalidParameterValue"],
  MessageNotInflight: [sqs, "MessageNotInflight", "AWS.SimpleQueueService.MessageNotInflight"],
  MissingParameter: [coral, "MissingRequiredParameterException", "MissingParameter"],
  QueueDoesNotExist: [sqs, "QueueDoesNotExist", "AWS.SimpleQueueService.NonExistentQueue"],
  Serialization: [coral, "SerializationException", "MalformedInput"],
  TooManyEntries: [sqs, "TooManyEntriesInBatchRequest", "AWS.SimpleQueueService.TooManyEntriesInBatchRequest"],
  UnknownOperation: [coral, "UnknownOperationException", "InvalidAction"],
} as const;

export class SqsError extends Error {
  override readonly name = "SqsError";
  /** Namespace and name in the JSON protocol. */
  readonly type: string;
  /** Name in the query protocol, which clients still report. */
  readonly code: string;

  constructor(error: keyof typeof errors, message: string) {
    super(message);
    const [namespace, name, code] = errors[error];
    this.type = `${namespace}#${name}`;
    this.code = code;
  }
}
