import assert from "node:assert/strict";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, beforeEach, describe, test } from "@jest/globals";
import { handler as feed } from "../../functions/feed/feed.ts";
import { consumerTimeoutMs } from "../../functions/feed/feedLimits.ts";
import { messagePacker, sendPacked } from "../../functions/feed/messagePacker.ts";
import { handler as usage } from "../../functions/keys/countUsage.ts";
import { recordItem } from "../../functions/records/recordItem.ts";
import type { Record as InputRecord } from "../../functions/resources/record.ts";
import { consumeRecords } from "../../functions/stream/tableStream.ts";
import { jobCallTimeoutMs } from "../../functions/table/callLimit.ts";
import { openTable } from "../../functions/table/table.ts";
import { putItem } from "../../functions/table/writes.ts";
import { startLocalQueues, useLocalQueues } from "../../local/queues.ts";
import { startDelivery } from "../../packages/local-aws/queue/delivery.ts";
import { delayedCalls, type FaultyProxy, limitedWrites, startFaultyProxy } from "../support/data/faultyProxy.ts";
import { eventRecord, orderRecord } from "../support/data/records.ts";
import { dumpTable, putRecords, streamRecord } from "../support/data/table.ts";
import { useTestTable } from "../support/data/testTable.ts";
import { cases } from "../support/jest/cases.ts";

/*
 * Jobs on a table that is slow but does not fail. They lose nothing, repeat little, and take about as long as the table needs.
 */

const writesPerSecond = 20;
const records = cases(600, 3_000);
/** In production, a deployed function's batch ends after this time. Here some do, although there are fewer records. */
const batchMs = cases(consumerTimeoutMs / 3, consumerTimeoutMs);

let proxy: FaultyProxy;
beforeAll(async () => {
  process.env.DYNAMODB_TIMEOUT_MS = String(jobCallTimeoutMs);
  proxy = await startFaultyProxy(String(process.env.TEST_DYNAMODB_ENDPOINT));
  process.env.TEST_DYNAMODB_ENDPOINT = proxy.url;
});
afterAll(() => proxy.close());
beforeEach(async () => {
  proxy.faultOf = () => undefined;
  await useTestTable();
  proxy.calls.length = 0;
});

const writes = () => proxy.calls.filter(({ action }) => /PutItem|UpdateItem|TransactWriteItems/.test(action)).length;

/** Runs a job, and checks that its writes are few and take no longer than the table needs. */
async function assertSteady(expectedWrites: number, isLimited: boolean, job: () => Promise<unknown>): Promise<void> {
  proxy.calls.length = 0;
  const startMs = performance.now();
  await job();
  const ratio = writes() / expectedWrites;
  const seconds = (performance.now() - startMs) / 1_000;
  console.log(`${expectedWrites} records: ${ratio.toFixed(2)} writes each, ${seconds.toFixed(0)} s.`);
  assert.ok(ratio <= 1.2, `${ratio} writes a record`);
  // The table itself needs a third of this time. A busy machine adds some seconds.
  if (isLimited) assert.ok(seconds <= (3 * expectedWrites) / writesPerSecond, `${seconds} s`);
}

async function feedAll(sent: InputRecord[], maximumConcurrency: number): Promise<void> {
  const queues = await startLocalQueues();
  useLocalQueues(queues);
  const packer = messagePacker((message) => sendPacked(queues.queueUrl, message));
  for (const record of sent) await packer.add(record.organisation_id, JSON.stringify(record));
  await packer.finish();
  const delivery = startDelivery(queues.feed, feed, { timeoutMs: batchMs, maximumConcurrency });
  const left = () => queues.feed.counts().visible + queues.feed.counts().received;
  while (left() > 0) await new Promise((settle) => setTimeout(settle, 50));
  await delivery.stop();
  await queues.stop();
  assert.deepEqual(queues.deadLetters.counts(), { visible: 0, received: 0 });
}

const slowTables = {
  "takes 20 writes a second": { isLimited: true, faultOf: () => limitedWrites(writesPerSecond) },
  "delays every call by 500 ms and a tenth by 2 s": { isLimited: false, faultOf: () => delayedCalls(500, 2_000) },
};

for (const [name, { isLimited, faultOf }] of Object.entries(slowTables)) {
  describe(`on a table that ${name}`, () => {
    test("the feed stores every record, and no message becomes a dead letter", async () => {
      const sent = Array.from({ length: records }, (_, index) => eventRecord(1 + (index % 5), index + 1));
      proxy.faultOf = faultOf();
      await assertSteady(records, isLimited, () => feedAll(sent, 4));
      proxy.faultOf = () => undefined;
      assert.equal((await dumpTable()).length, records);
    });

    test("an import stores every record", async () => {
      const sent = Array.from({ length: records / 3 }, (_, index) => eventRecord(1, index + 1));
      proxy.faultOf = faultOf();
      await assertSteady(sent.length, isLimited, () => putRecords(sent));
      proxy.faultOf = () => undefined;
      assert.equal((await dumpTable()).length, sent.length);
    });

    test("the usage of every key is counted", async () => {
      const keys = records / 3;
      const logEvents = Array.from({ length: keys }, (_, index) => {
        const line = { message: "request", organisation_id: 1, key_id: `key${index}`, operation_id: "listEvents" };
        const message = JSON.stringify({ ...line, status: 200, request_id: `r${index}` });
        return { id: `${index}`, timestamp: Date.now(), message };
      });
      const text = JSON.stringify({ messageType: "DATA_MESSAGE", logEvents });
      const data = gzipSync(text).toString("base64");
      proxy.faultOf = faultOf();
      await assertSteady(keys, isLimited, () => usage({ awslogs: { data } }));
      proxy.faultOf = () => undefined;
      const days = (await dumpTable()).filter(({ requests }) => requests === 1);
      assert.equal(days.length, keys);
    });

    test("the summaries count every item", async () => {
      const items = Array.from({ length: 100 }, (_, index) =>
        recordItem(orderRecord(1, index + 1, { status: "paid", event_id: index + 1, date_id: index + 1 })),
      );
      for (const item of items) await putItem(openTable(), item);
      const Records = items.map((item) => streamRecord(item));
      proxy.faultOf = faultOf();
      await assertSteady(items.length, isLimited, async () =>
        assert.deepEqual(await consumeRecords({ Records }, openTable()), { batchItemFailures: [] }),
      );
      proxy.faultOf = () => undefined;
      const summaries = (await dumpTable()).filter(({ SK }) => String(SK).startsWith("EVENTSUMMARY#"));
      assert.equal(summaries.length, items.length);
    });
  });
}
