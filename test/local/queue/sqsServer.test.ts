import assert from "node:assert/strict";
import { request } from "node:http";
import { text } from "node:stream/consumers";
import {
  ChangeMessageVisibilityCommand,
  CreateQueueCommand,
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  PurgeQueueCommand,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
  SendMessageCommand,
  type SQSClient,
} from "@aws-sdk/client-sqs";
import { afterAll, beforeAll, beforeEach, test } from "@jest/globals";
import { useLocalCredentials } from "../../../common/localService.ts";
import { maximumMessageBytes, messageText, queueClient, sendMessage } from "../../../functions/feed/queue.ts";
import { sqsActions, startLocalQueues } from "../../../local/queue/sqsServer.ts";

let queues: Awaited<ReturnType<typeof startLocalQueues>>;
let client: SQSClient;
let QueueUrl = "";

beforeAll(async () => {
  useLocalCredentials();
  queues = await startLocalQueues();
  QueueUrl = queues.queueUrl;
  client = queueClient(QueueUrl);
});
afterAll(() => queues.stop());
beforeEach(() => client.send(new PurgeQueueCommand({ QueueUrl })));

const attribute = (StringValue: string) => ({ DataType: "String", StringValue });

async function receive(options = {}) {
  const { Messages = [] } = await client.send(
    new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10, ...options }),
  );
  return Messages;
}

test("a client sends, receives and deletes messages with their attributes", async () => {
  const MessageAttributes = { reason: attribute("é"), source: attribute("core") };
  const body = messageText(JSON.stringify({ name: "Zoë 🎫 \ufffe", text: "\t\n\r" }));
  const sent = await client.send(new SendMessageCommand({ QueueUrl, MessageBody: body, MessageAttributes }));
  // Calculated with another program by AWS's documented method. The client itself only checks the body's checksum.
  assert.equal(sent.MD5OfMessageAttributes, "1f093c918ab518109ec0085b3e1a44c3");
  const names = { MessageAttributeNames: ["rea.*"], MessageSystemAttributeNames: ["All"], VisibilityTimeout: 0 };
  const [message] = await receive(names);
  assert.deepEqual([message?.MessageId, message?.Body], [sent.MessageId, body]);
  assert.deepEqual(message?.MessageAttributes, undefined);
  assert.equal(message?.Attributes?.ApproximateReceiveCount, "1");
  const [again] = await receive({ ...names, MessageAttributeNames: ["All"] });
  assert.deepEqual(again?.MessageAttributes, MessageAttributes);
  assert.equal(again?.MD5OfMessageAttributes, sent.MD5OfMessageAttributes);
  const [last] = await receive();
  assert.equal(last?.Attributes, undefined);
  await client.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle: last?.ReceiptHandle }));
  assert.deepEqual(queues.feed.counts(), { visible: 0, received: 0 });
});

test("a batch is accepted except for invalid messages, which the response names", async () => {
  const Entries = [
    { Id: "good", MessageBody: "1" },
    { Id: "bad", MessageBody: "\u0000" },
  ];
  const { Successful = [], Failed = [] } = await client.send(new SendMessageBatchCommand({ QueueUrl, Entries }));
  assert.deepEqual(
    Successful.map(({ Id }) => Id),
    ["good"],
  );
  assert.deepEqual(
    Failed.map(({ Id, Code, SenderFault }) => [Id, Code, SenderFault]),
    [["bad", "InvalidMessageContents", true]],
  );
});

test("a queue's attributes are its numbers of messages and its dead-letter queue", async () => {
  await sendMessage(QueueUrl, "1");
  await sendMessage(QueueUrl, "2");
  await receive({ MaxNumberOfMessages: 1 });
  const { Attributes } = await client.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ["All"] }));
  assert.deepEqual(Attributes, {
    ApproximateNumberOfMessages: "1",
    ApproximateNumberOfMessagesNotVisible: "1",
    MaximumMessageSize: "1048576",
    QueueArn: "arn:aws:sqs:local:000000000000:feed",
    RedrivePolicy: JSON.stringify({
      deadLetterTargetArn: "arn:aws:sqs:local:000000000000:feed-dead-letters",
      maxReceiveCount: 5,
    }),
    VisibilityTimeout: "360",
  });
  const asked = { QueueUrl: queues.deadLetterQueueUrl, AttributeNames: ["RedrivePolicy" as const] };
  assert.deepEqual((await client.send(new GetQueueAttributesCommand(asked))).Attributes, {});
});

test("a message of the maximum size, including its attributes, is accepted, and a larger one is refused", async () => {
  const body = '"'.repeat(maximumMessageBytes - "reasonStringlong".length);
  await sendMessage(QueueUrl, body, { attributes: { reason: "long" } });
  assert.equal((await receive())[0]?.Body, body);
  for (const attempt of [
    () => sendMessage(QueueUrl, body, { attributes: { reason: "longer" } }),
    () => sendMessage(QueueUrl, "é".repeat(maximumMessageBytes / 2 + 1)),
    () => sendMessage(QueueUrl, "a".repeat(20 * maximumMessageBytes)),
  ]) {
    await assert.rejects(attempt, {
      name: "InvalidParameterValue",
      message: "One or more parameters are invalid. Reason: Message must be shorter than 1048576 bytes.",
    });
  }
});

test("invalid commands get the same errors as from SQS", async () => {
  const refusals = [
    ["QueueDoesNotExist", new SendMessageCommand({ QueueUrl: QueueUrl.replace("feed", "food"), MessageBody: "1" })],
    ["QueueDoesNotExist", new PurgeQueueCommand({ QueueUrl: "feed" })],
    ["InvalidMessageContents", new SendMessageCommand({ QueueUrl, MessageBody: "\ufffe" })],
    ["InvalidMessageContents", new SendMessageCommand({ QueueUrl, MessageBody: "\ud800" })],
    [
      "InvalidMessageContents",
      new SendMessageCommand({ QueueUrl, MessageBody: "1", MessageAttributes: { a: attribute("\u001b") } }),
    ],
    ["MissingParameter", new SendMessageCommand({ QueueUrl, MessageBody: "" })],
    [
      "InvalidParameterValue",
      new SendMessageCommand({ QueueUrl, MessageBody: "1", MessageAttributes: { a: attribute("") } }),
    ],
    ["InvalidParameterValue", new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 11 })],
    ["MessageNotInflight", new ChangeMessageVisibilityCommand({ QueueUrl, ReceiptHandle: "1", VisibilityTimeout: 0 })],
    ["InvalidAttributeName", new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ["Colour" as "All"] })],
    ["EmptyBatchRequest", new SendMessageBatchCommand({ QueueUrl, Entries: [] })],
    ["InvalidAction", new CreateQueueCommand({ QueueName: "other" })],
  ] as const;
  for (const [name, command] of refusals) {
    await assert.rejects(client.send<never, never>(command as never), (error: Error) => {
      assert.deepEqual([error.name, (error as Error & { $fault: string }).$fault], [name, "client"]);
      return true;
    });
  }
});

test("a waiting client gets a message as soon as it is sent, and one that disconnects takes none", async () => {
  const waiting = receive({ WaitTimeSeconds: 20 });
  await sendMessage(QueueUrl, "1");
  assert.deepEqual(
    (await waiting).map(({ Body }) => Body),
    ["1"],
  );
  const gone = new AbortController();
  const left = sqsActions.ReceiveMessage?.(queues.feed, { WaitTimeSeconds: 20 }, gone.signal);
  gone.abort();
  await sendMessage(QueueUrl, "2");
  assert.deepEqual(await left, {});
  assert.deepEqual(
    (await receive()).map(({ Body }) => Body),
    ["2"],
  );
});

test("a request that is not SQS's gets an error in SQS's form", async () => {
  const send = async (method: string, headers: Record<string, string>, body: string) => {
    const { promise, resolve } = Promise.withResolvers<string>();
    request(new URL(QueueUrl).origin, { method, headers }, (answer) => resolve(text(answer))).end(body);
    return JSON.parse(await promise).__type;
  };
  const target = { "X-Amz-Target": "AmazonSQS.SendMessage" };
  assert.equal(await send("GET", target, ""), "com.amazon.coral.service#UnknownOperationException");
  assert.equal(await send("POST", {}, "{}"), "com.amazon.coral.service#UnknownOperationException");
  const inherited = { "X-Amz-Target": "AmazonSQS.constructor" };
  assert.equal(await send("POST", inherited, "{}"), "com.amazon.coral.service#UnknownOperationException");
  assert.equal(await send("POST", target, "{"), "com.amazon.coral.service#SerializationException");
  assert.equal(await send("POST", target, "[]"), "com.amazonaws.sqs#QueueDoesNotExist");
});
