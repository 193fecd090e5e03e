import { createHash } from "node:crypto";
import * as z from "zod";
import type { ReceivedMessage } from "./memoryQueue.ts";

/** The limit for a message with its attributes, from "Amazon SQS message quotas". */
export const maximumMessageBytes = 1024 * 1024;

const dataType = "String";
const maximumAttributes = 10;

/** SQS accepts only the characters of XML 1.0. */
const forbiddenCharacter = /[^\t\n\r\x20-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u;

/** A message as a client sends it. This service uses only string attributes. */
export const SentMessage = z.object({
  MessageBody: z.string().min(1),
  MessageGroupId: z
    .string()
    .regex(/^[!-~]{1,128}$/)
    .optional(),
  /** SQS's limit is 15 minutes. */
  DelaySeconds: z.int().min(0).max(900).default(0),
  MessageAttributes: z
    .record(
      z.string().regex(/^[\w.-]{1,256}$/),
      z.object({ DataType: z.literal(dataType), StringValue: z.string().min(1) }),
    )
    .refine((attributes) => Object.keys(attributes).length <= maximumAttributes, `At most ${maximumAttributes}.`)
    .default({}),
});
export type SentMessage = z.infer<typeof SentMessage>;

function attributesOf({ MessageAttributes }: SentMessage): Record<string, string> {
  return Object.fromEntries(Object.entries(MessageAttributes).map(([name, { StringValue }]) => [name, StringValue]));
}

export function sentOf(message: SentMessage) {
  const { MessageGroupId: groupId, DelaySeconds } = message;
  return { attributes: attributesOf(message), groupId, delayMs: DelaySeconds * 1_000 };
}

/** The size that counts towards SQS's quota. */
export function bytesOf(message: SentMessage): number {
  const attributes = Object.entries(attributesOf(message)).map(([name, value]) => name + dataType + value);
  return [message.MessageBody, ...attributes].reduce((bytes, text) => bytes + Buffer.byteLength(text), 0);
}

/** @throws SqsError if SQS would reject the message. */
export function assertTaken(message: SentMessage): void {
  if (bytesOf(message) > maximumMessageBytes) throw tooLarge();
  if ([message.MessageBody, ...Object.values(attributesOf(message))].some((text) => forbiddenCharacter.test(text))) {
    throw new SqsError("InvalidMessageContents", "The message has characters that are not allowed.");
  }
}

export function tooLarge(): SqsError {
  const reason = `Message must be shorter than ${maximumMessageBytes} bytes.`;
  return new SqsError("InvalidParameterValue", `One or more parameters are invalid. Reason: ${reason}`);
}

export function receiptOf(id: string, message: SentMessage) {
  return {
    MessageId: id,
    MD5OfMessageBody: bodyDigest(message.MessageBody),
  };
}

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
  };
}

/** The attributes that match one of the names; `All` is a wildcard. */
export function named(attributes: Readonly<Record<string, string>>, names: string[]): Record<string, string> {
  if (names.includes("All")) return { ...attributes };
  return Object.fromEntries(Object.entries(attributes).filter(([name]) => names.includes(name)));
}

function filled<Values extends object>(values: Values): Values | undefined {
  return Object.keys(values).length > 0 ? values : undefined;
}

export function bodyDigest(body: string): string {
  return createHash("md5").update(body).digest("hex");
}

/** The errors of SQS that this service can meet, in the JSON protocol. */
export class SqsError extends Error {
  override readonly name = "SqsError";
  readonly code:
    | "AccessDenied"
    | "InvalidMessageContents"
    | "InvalidParameterValue"
    | "QueueDoesNotExist"
    | "UnsupportedOperation";

  constructor(code: SqsError["code"], message: string) {
    super(message);
    this.code = code;
  }
}
