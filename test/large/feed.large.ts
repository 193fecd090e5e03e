import assert from "node:assert/strict";
import { afterAll, beforeAll, beforeEach, test } from "@jest/globals";
import { handler } from "../../functions/feed/feed.ts";
import { consumerTimeoutMs } from "../../functions/feed/feedLimits.ts";
import { messagePacker, sendPacked } from "../../functions/feed/messagePacker.ts";
import { sendMessage } from "../../functions/queue.ts";
import { startLocalQueues, useLocalQueues } from "../../local/queues.ts";
import { startDelivery } from "../../packages/local-aws/queue/delivery.ts";
import { startFaultyWrites, type WriteFault } from "../cli/support/writeFaults.ts";
import type { FaultyProxy } from "../support/data/faultyProxy.ts";
import { poisonKinds, secretValue } from "../support/data/poison.ts";
import { eventRecord } from "../support/data/records.ts";
import { dumpTable } from "../support/data/table.ts";
import { useTestTable } from "../support/data/testTable.ts";
import { cases } from "../support/jest/cases.ts";

/*
 * The feed under load. It takes minutes, so it is not part of `npm test`.
 */

const pollMs = 50;
/** Five times a deployed function's, because a busy machine is many times slower. */
const timeoutMs = 5 * consumerTimeoutMs;

let proxy: FaultyProxy;
let queues: Awaited<ReturnType<typeof startLocalQueues>>;
let nextFault: () => WriteFault | undefined = () => undefined;

beforeAll(async () => {
  proxy = await startFaultyWrites(String(process.env.TEST_DYNAMODB_ENDPOINT), () => nextFault());
  process.env.TEST_DYNAMODB_ENDPOINT = proxy.url;
});
afterAll(() => proxy.close());
beforeEach(async () => {
  nextFault = () => undefined;
  await useTestTable();
  queues = await startLocalQueues();
  useLocalQueues(queues);
});

/** Runs the consumer until the queue is empty. */
async function consumeAll(): Promise<void> {
  const delivery = startDelivery(queues.feed, handler, { timeoutMs, retryMs: 100 });
  const left = () => queues.feed.counts().visible + queues.feed.counts().received;
  while (left() > 0) await new Promise((settle) => setTimeout(settle, pollMs));
  await delivery.stop();
  await queues.stop();
}

test("each of 1,000 invalid records of fifty kinds gets a reason, and all valid ones are stored", async () => {
  const good = cases(2_000, 100_000);
  const ofKind = 20;
  const alone: { body: string; reason: RegExp }[] = [];
  const packer = messagePacker((message) => sendPacked(queues.queueUrl, message));
  const expected: RegExp[] = [];
  for (let id = 1; id <= good; id++) {
    await packer.add(1, JSON.stringify(eventRecord(1, id)));
    if (id % (good / (ofKind * poisonKinds.length)) !== 0) continue;
    const kind = poisonKinds[expected.length % poisonKinds.length];
    assert.ok(kind);
    const record = kind.make(id);
    expected.push(kind.reason);
    // A line that is not JSON would spoil its whole message, so it comes alone, as do half of the others.
    const isAlone = /^\^Not JSON/.test(kind.reason.source) || expected.length % 2 === 0;
    if (!isAlone) await packer.add(1, record);
    else alone.push({ body: record, reason: kind.reason });
  }
  await packer.finish();
  // SQS itself refuses an empty message.
  for (const { body } of alone) await sendMessage(queues.queueUrl, body === "" ? " " : body);
  await consumeAll();

  const stored = await dumpTable();
  assert.equal(stored.length, good);
  const ids = new Set(stored.map(({ PK }) => PK));
  for (let id = 1; id <= good; id++) assert.ok(ids.has(`ORG#1#EVENT#${id}`));
  const reasons = queues.deadLetters.receive(Infinity).map(({ attributes }) => String(attributes.reason));
  assert.equal(reasons.length, ofKind * poisonKinds.length);
  for (const [index, expectedReason] of poisonKinds.map(({ reason }) => reason).entries()) {
    const matching = reasons.filter((reason) => expectedReason.test(reason));
    assert.ok(matching.length >= ofKind, `kind ${index}: ${expectedReason} found ${matching.length} times`);
  }
  for (const reason of reasons) assert.ok(reason.length < 500 && !reason.includes("Byron"), reason);
  assert.ok(secretValue.includes("Byron"));
});
