import assert from "node:assert/strict";
import {
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
import { maximumMessageBytes, messageText, queueClient, sendMessage } from "../../../../functions/queue.ts";
import { useLocalCredentials } from "../../../../local/localService.ts";
import { startLocalQueues } from "../../../../local/queues.ts";
import { sqsActions } from "../../queue/sqsServer.ts";

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
  const names = { MessageAttributeNames: ["rea"], MessageSystemAttributeNames: ["All"], VisibilityTimeout: 0 };
  const [message] = await receive(names);
  assert.deepEqual([message?.MessageId, message?.Body], [sent.MessageId, body]);
  assert.deepEqual(message?.MessageAttributes, undefined);
  assert.equal(message?.Attributes?.ApproximateReceiveCount, "1");
  const [again] = await receive({ ...names, MessageAttributeNames: ["All"] });
  assert.deepEqual(again?.MessageAttributes, MessageAttributes);
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
    QueueArn: "arn:aws:sqs:local:000000000000:feed",
    RedrivePolicy: JSON.stringify({
      deadLetterTargetArn: "arn:aws:sqs:local:000000000000:feed-dead-letters",
      maxReceiveCount: 5,
    }),
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

test("invalid commands get SQS's errors", async () => {
  const send = (MessageBody: string, queue = QueueUrl) => new SendMessageCommand({ QueueUrl: queue, MessageBody });
  const refusals = [
    ["QueueDoesNotExist", send("1", QueueUrl.replace("feed", "food"))],
    ["InvalidMessageContents", send("\ufffe")],
    ["InvalidParameterValue", send("")],
    ["InvalidParameterValue", new SendMessageBatchCommand({ QueueUrl, Entries: [] })],
    ["UnsupportedOperation", new CreateQueueCommand({ QueueName: "other" })],
  ] as const;
  for (const [name, command] of refusals) await assert.rejects(client.send<never, never>(command as never), { name });
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
