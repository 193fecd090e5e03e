import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { handler } from "../../functions/consumers/feed.ts";
import { recordItem } from "../../functions/data/records/recordItem.ts";
import { messagePacker } from "../../functions/ingest/messagePacker.ts";
import { sendMessage } from "../../functions/ingest/queue.ts";
import { logger } from "../../functions/log/logger.ts";
import { startDelivery } from "../../local/queue/delivery.ts";
import { startLocalQueues } from "../../local/queue/localQueues.ts";
import { startFaultyWrites, type WriteFault, writeFaultNames } from "../cli/support/writeFaults.ts";
import { dumpTable } from "../support/dumpTable.ts";
import type { FaultyProxy } from "../support/faultyProxy.ts";
import { poisonKinds, secretValue } from "../support/poison.ts";
import { eventRecord, orderRecord, ticketRecord } from "../support/records.ts";
import { useTestTable } from "../support/testTable.ts";

/*
 * The feed under a load: it takes minutes, so it is not among the tests of every change.
 */

const pollMs = 50;

let proxy: FaultyProxy;
let queues: Awaited<ReturnType<typeof startLocalQueues>>;
let nextFault: () => WriteFault | undefined = () => undefined;

before(async () => {
  logger.setLogLevel("SILENT");
  proxy = await startFaultyWrites(String(process.env.TEST_DYNAMODB_ENDPOINT), () => nextFault());
  process.env.TEST_DYNAMODB_ENDPOINT = proxy.url;
});
after(() => proxy.close());
beforeEach(async () => {
  nextFault = () => undefined;
  await useTestTable();
  queues = await startLocalQueues();
  process.env.DEAD_LETTER_QUEUE_URL = queues.deadLetterQueueUrl;
});

/** Lets the consumer have what is in the queue until nothing is left. */
async function consumeAll(): Promise<void> {
  const delivery = startDelivery(queues.feed, handler, { retryMs: 100 });
  const left = () => queues.feed.counts().visible + queues.feed.counts().received;
  while (left() > 0) await new Promise((settle) => setTimeout(settle, pollMs));
  await delivery.stop();
  await queues.stop();
}

test("of 100,000 good records and 1,000 of fifty wrong kinds, the good ones are stored, and the others given up with a reason", {
  timeout: 600_000,
}, async () => {
  const good = 100_000;
  const ofKind = 20;
  const alone: { body: string; reason: RegExp }[] = [];
  const packer = messagePacker((body) => sendMessage(queues.queueUrl, body));
  const expected: RegExp[] = [];
  for (let id = 1; id <= good; id++) {
    await packer.add(JSON.stringify(eventRecord(1, id)));
    if (id % (good / (ofKind * poisonKinds.length)) !== 0) continue;
    const kind = poisonKinds[expected.length % poisonKinds.length];
    assert.ok(kind);
    const record = kind.make(id);
    expected.push(kind.reason);
    // What is no JSON would make all of its message none, so it comes alone, as half of the others do.
    const isAlone = /^\^Not JSON/.test(kind.reason.source) || id % 2 === 0;
    if (!isAlone) await packer.add(record);
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
    const told = reasons.filter((reason) => expectedReason.test(reason));
    assert.ok(told.length >= ofKind, `kind ${index}: ${expectedReason} told ${told.length} times`);
  }
  for (const reason of reasons) assert.ok(reason.length < 500 && !reason.includes("Byron"), reason);
  assert.ok(secretValue.includes("Byron"));
});

test("where a fifth of the writes is throttled, fails, or is done without an answer, everything arrives and nothing is given up", {
  timeout: 600_000,
}, async () => {
  const count = 4_000;
  const records = Array.from({ length: count }, (_, index) => [
    eventRecord(1, index + 1),
    { ...ticketRecord(1, index + 1), version: 3 },
    ...(index % 4 === 0 ? [{ ...orderRecord(1, index + 1), version: 2 }] : []),
  ]).flat();
  let faultsGiven = 0;
  let writes = 0;
  nextFault = () => {
    writes += 1;
    if (Math.random() >= 0.2) return undefined;
    faultsGiven += 1;
    return writeFaultNames[faultsGiven % writeFaultNames.length];
  };
  const packer = messagePacker((body) => sendMessage(queues.queueUrl, body));
  for (const record of records) await packer.add(JSON.stringify(record));
  await packer.finish();
  await consumeAll();
  console.log(`${faultsGiven} of ${writes} writes went wrong.`);

  assert.ok(faultsGiven > writes / 8);
  assert.deepEqual(queues.deadLetters.counts(), { visible: 0, received: 0 });
  const withoutStamp = ({ GSI2SK: _, revision: _revision, ...item }: Record<string, unknown>) => item;
  const byKey = (one: Record<string, unknown>, other: Record<string, unknown>) =>
    String(one.PK) < String(other.PK) ? -1 : 1;
  const expected = records.map((record) => JSON.parse(JSON.stringify(recordItem(record))));
  assert.deepEqual((await dumpTable()).map(withoutStamp).sort(byKey), expected.map(withoutStamp).sort(byKey));
});
