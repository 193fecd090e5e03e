import assert from "node:assert/strict";
import { afterAll, beforeAll, beforeEach, test } from "@jest/globals";
import type { SQSRecord } from "aws-lambda";
import { handler } from "../../../functions/feed/bulkImport.ts";
import { batchSize } from "../../../functions/feed/importLimits.ts";
import type { ImportObject } from "../../../functions/feed/importObject.ts";
import { MemoryQueue } from "../../../packages/local-aws/queue/memoryQueue.ts";
import { startSqsServer } from "../../../packages/local-aws/queue/sqsServer.ts";
import { type ObjectStore, useObjectStore } from "../../support/aws/objectStore.ts";
import { eventRecord } from "../../support/data/records.ts";

const feed = new MemoryQueue("feed", { visibilityTimeoutMs: 60_000 });
const imports = new MemoryQueue("imports", { visibilityTimeoutMs: 60_000 });
const queues = await startSqsServer(
  new Map([
    ["/feed", feed],
    ["/imports", imports],
  ]),
);

let store: ObjectStore;
beforeAll(async () => {
  store = await useObjectStore();
});
afterAll(async () => {
  await store.close();
  await queues.stop();
});
beforeEach(() => {
  feed.purge();
  imports.purge();
  store.requests.length = 0;
  store.faultOf = () => undefined;
  Object.assign(process.env, { FEED_QUEUE_URL: `${queues.url}/feed`, IMPORT_QUEUE_URL: `${queues.url}/imports` });
});

const enoughTime = 15 * 60_000;
const littleTime = 60_000;

/** EventBridge's message about a new object, including the parts that the function does not use. */
function eventOf({ bucket, key, etag, sizeBytes }: ImportObject): string {
  const object = { key, size: sizeBytes, etag, sequencer: "617f08299329d189" };
  const detail = { version: "0", bucket: { name: bucket }, object, reason: "PutObject" };
  return JSON.stringify({ version: "0", "detail-type": "Object Created", source: "aws.s3", detail });
}

function run(body: string, remainingMs = enoughTime): Promise<void> {
  const message = { messageId: "m", body, attributes: { ApproximateReceiveCount: "1" } };
  return handler({ Records: [message as SQSRecord] }, { getRemainingTimeInMillis: () => remainingMs });
}

const records = Array.from({ length: 200 }, (_, index) => eventRecord(1, index + 1));
const lines = records.map((record) => `${JSON.stringify(record)}\n`).join("");
const sentRecords = () => feed.receive(Infinity).flatMap(({ body }) => JSON.parse(body));
const reportOf = (key: string) => JSON.parse(store.get(key) ?? "");

test("an object with any name is sent to the feed, and gets a report", async () => {
  for (const name of ["a", "2026/Große Oper + 50 %20 (1)"]) {
    await run(eventOf(store.put(`imports/${name}.ndjson`, `${lines}{}\n`)));
    assert.deepEqual(sentRecords(), records);
    const { object, state, accepted, rejected } = reportOf(`reports/${name}.ndjson.json`);
    assert.deepEqual(
      { object, state, accepted, rejected },
      { object: `imports/${name}.ndjson`, state: "done", accepted: 200, rejected: 1 },
    );
    feed.purge();
  }
});

test("if the time is too short, the function sends the same message again until all is done", async () => {
  const event = eventOf(store.put("imports/long.ndjson", lines));
  imports.send(event);
  let runs = 0;
  for (let [message] = imports.receive(batchSize); message; [message] = imports.receive(batchSize)) {
    assert.equal(message.body, event);
    await run(message.body, runs < 3 ? littleTime : enoughTime);
    imports.delete(message.receiptHandle);
    runs += 1;
  }
  assert.equal(runs, 4);
  assert.deepEqual(sentRecords(), records);
  assert.equal(reportOf("reports/long.ndjson.json").accepted, 200);
});

test("an object that is not an import is not read", async () => {
  for (const key of [
    "imports/a.csv",
    "imports/a.ndjson.zip",
    "imports/a.ndjson/",
    "reports/a.ndjson.json",
    "a.ndjson",
  ]) {
    await run(eventOf(store.put(key, lines)));
  }
  assert.deepEqual(store.requests, []);
});

test("an object that has since been deleted or replaced is ignored", async () => {
  const event = eventOf(store.put("imports/gone.ndjson", lines));
  store.put("imports/gone.ndjson", "newer");
  await run(event);
  store.delete("imports/gone.ndjson");
  await run(event);
  assert.deepEqual(sentRecords(), []);
  assert.equal(store.get("reports/gone.ndjson.json"), undefined);
});

test("a failure of S3 or the feed fails the run, and the redelivered message completes it", async () => {
  const event = eventOf(store.put("imports/failing.ndjson.gz", lines));
  for (const [method, prefix] of [
    ["GET", "imports/"],
    ["GET", "reports/"],
    ["PUT", "reports/"],
  ] as const) {
    store.faultOf = (request) =>
      request.method === method && request.key.startsWith(prefix) ? { status: 503 } : undefined;
    await assert.rejects(run(event));
  }
  store.faultOf = () => undefined;
  process.env.FEED_QUEUE_URL = `${queues.url}/nowhere`;
  await assert.rejects(run(event), { name: "QueueDoesNotExist" });
  assert.equal(store.get("reports/failing.ndjson.gz.json"), undefined);

  feed.purge();
  process.env.FEED_QUEUE_URL = `${queues.url}/feed`;
  await run(event);
  assert.deepEqual(sentRecords(), records);
  assert.equal(reportOf("reports/failing.ndjson.gz.json").state, "done");
});

test("a run that cannot send its own message fails, and the redelivered message continues it", async () => {
  const event = eventOf(store.put("imports/stuck.ndjson", lines));
  process.env.IMPORT_QUEUE_URL = `${queues.url}/nowhere`;
  await assert.rejects(run(event, littleTime), { name: "QueueDoesNotExist" });
  assert.equal(reportOf("reports/stuck.ndjson.json").state, "running");
  await run(event);
  assert.deepEqual(sentRecords(), records);
});

test("a message that is not an object's event fails, and so reaches the dead-letter queue", async () => {
  for (const body of ["", "{}", '{"detail":{"bucket":{"name":"b"},"object":{"key":"imports/a.ndjson"}}}']) {
    await assert.rejects(run(body));
  }
});
