import { SendMessageCommand, SQSClient } from "@aws-sdk/client-sqs";

/** The most bytes of a message with its attributes, from "Amazon SQS message quotas". */
export const maximumMessageBytes = 1024 * 1024;

/** SQS answers in tens of milliseconds. The SDK tries again what did not. */
const timeouts = { connectionTimeout: 5_000, requestTimeout: 10_000, throwOnRequestTimeout: true };

const clients = new Map<string, SQSClient>();

/** The client for the place where a queue is, made when it is first used: an address names its place, the local service's too. */
export function queueClient(queueUrl: string): SQSClient {
  const endpoint = new URL(queueUrl).origin;
  const client = clients.get(endpoint) ?? new SQSClient({ endpoint, requestHandler: timeouts });
  clients.set(endpoint, client);
  return client;
}

/**
 * Sends a message.
 *
 * @param attributes texts that go with it, by name; none may be empty.
 */
export async function sendMessage(
  queueUrl: string,
  body: string,
  attributes: Readonly<Record<string, string>> = {},
): Promise<void> {
  const MessageAttributes = Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => [name, { DataType: "String", StringValue: value }] as const),
  );
  await queueClient(queueUrl).send(
    new SendMessageCommand({ QueueUrl: queueUrl, MessageBody: body, MessageAttributes }),
  );
}

/** A JSON text as SQS takes it, which refuses two characters that JSON allows and that can only stand in its strings. */
export function messageText(json: string): string {
  return json.replaceAll("\ufffe", "\\ufffe").replaceAll("\uffff", "\\uffff");
}
