import { SendMessageCommand, SQSClient } from "@aws-sdk/client-sqs";

/** The limit for a message with its attributes, from "Amazon SQS message quotas". */
export const maximumMessageBytes = 1024 * 1024;

/** SQS responds in tens of milliseconds. The SDK retries after a timeout. */
const timeouts = { connectionTimeout: 5_000, requestTimeout: 10_000, throwOnRequestTimeout: true };

const clients = new Map<string, SQSClient>();

/** The client for the endpoint in a queue's URL, which also works for the local service. */
export function queueClient(queueUrl: string): SQSClient {
  const endpoint = new URL(queueUrl).origin;
  const client = clients.get(endpoint) ?? new SQSClient({ endpoint, requestHandler: timeouts });
  clients.set(endpoint, client);
  return client;
}

interface SendOptions {
  /** Message attributes by name; the texts must not be empty. */
  attributes?: Readonly<Record<string, string>>;
  /**
   * SQS delivers the messages of quiet groups before the backlog of busy ones
   * (https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-fair-queues.html).
   */
  groupId?: string;
}

export async function sendMessage(
  queueUrl: string,
  body: string,
  { attributes = {}, groupId }: SendOptions = {},
): Promise<void> {
  const MessageAttributes = Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => [name, { DataType: "String", StringValue: value }] as const),
  );
  await queueClient(queueUrl).send(
    new SendMessageCommand({ QueueUrl: queueUrl, MessageBody: body, MessageAttributes, MessageGroupId: groupId }),
  );
}

/** Escapes the two characters that JSON allows and SQS rejects. They can only occur in JSON strings. */
export function messageText(json: string): string {
  return json.replaceAll("\ufffe", "\\ufffe").replaceAll("\uffff", "\\uffff");
}
