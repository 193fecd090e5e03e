import assert from "node:assert/strict";
import { ReceiveMessageCommand } from "@aws-sdk/client-sqs";
import { afterAll, beforeEach, test } from "@jest/globals";
import { messagePacker, type PackedMessage, sendPacked } from "../../../functions/feed/messagePacker.ts";
import { maximumMessageBytes, queueClient } from "../../../functions/queue.ts";
import { useLocalCredentials } from "../../../local/localService.ts";
import { startLocalQueues } from "../../../local/queues.ts";

useLocalCredentials();
const queues = await startLocalQueues();
afterAll(() => queues.stop());

const sent: PackedMessage[] = [];
const packer = () =>
  messagePacker(async (message) => {
    sent.push(message);
  });

beforeEach(() => {
  sent.length = 0;
});

/** A record's text of 1,000 bytes. */
const record = (id: number) => JSON.stringify({ id, filler: "" }).replace('""', `"${"x".repeat(1000 - 20)}"`);
const idsIn = ({ body }: PackedMessage): number[] => JSON.parse(body).map(({ id }: { id: number }) => id);

test("each message has the records of one organisation, in their order", async () => {
  const { add, finish } = packer();
  for (let id = 1; id <= 9; id++) await add(id % 3, record(id));
  await finish();
  assert.deepEqual(
    sent.map((message) => [message.organisationId, message.records, idsIn(message)]),
    [
      [1, 3, [1, 4, 7]],
      [2, 3, [2, 5, 8]],
      [0, 3, [3, 6, 9]],
    ],
  );
});

test("a message is sent when it is full, or when too many others are being filled, and nothing is lost", async () => {
  const { add, finish } = packer();
  for (let id = 1; id <= 600; id++) await add(7, record(id));
  assert.equal(sent.length, 2);
  for (let id = 601; id <= 700; id++) await add(id, record(id));
  // 16 are still being filled.
  assert.equal(sent.length, 2 + 1 + 100 - 16);
  await finish();
  const ids = sent.flatMap(idsIn).toSorted((one, other) => one - other);
  assert.deepEqual(
    ids,
    Array.from({ length: 700 }, (_, index) => index + 1),
  );
});

test("a message is in its organisation's group, so that SQS can treat organisations fairly", async () => {
  await sendPacked(queues.queueUrl, { body: "[]", records: 0, organisationId: 1842 });
  const { Messages: [message] = [] } = await queueClient(queues.queueUrl).send(
    new ReceiveMessageCommand({ QueueUrl: queues.queueUrl, MessageSystemAttributeNames: ["MessageGroupId"] }),
  );
  assert.equal(message?.Attributes?.MessageGroupId, "1842");
});

test("a message never exceeds SQS's limit, and a record that exactly fills one is sent", async () => {
  const { add, finish } = packer();
  const ofBytes = (bytes: number) => `"${"é".repeat(Math.floor(bytes / 2) - 1)}${bytes % 2 ? "x" : ""}"`;
  assert.equal(await add(1, ofBytes(maximumMessageBytes - 2)), undefined);
  assert.match(String(await add(1, ofBytes(maximumMessageBytes - 1))), /^Longer than the 1024 KiB limit/);
  await finish();
  assert.deepEqual(
    sent.map(({ body }) => Buffer.byteLength(body)),
    [maximumMessageBytes],
  );
});

test("a message of several records has at most 256 KiB", async () => {
  const { add, finish } = packer();
  // Each takes a byte more, for a comma or the brackets.
  for (let id = 0; id < 512; id++) await add(1, `"${"x".repeat(1024 - 3)}"`);
  await finish();
  assert.deepEqual(
    sent.map(({ records, body }) => [records, Buffer.byteLength(body)]),
    [
      [256, 256 * 1024 + 1],
      [256, 256 * 1024 + 1],
    ],
  );
});
