import assert from "node:assert/strict";
import { once } from "node:events";
import { afterAll, beforeAll, beforeEach, test } from "@jest/globals";
import type { SQSEvent } from "aws-lambda";
import { sendMessage } from "../../../../functions/queue.ts";
import { useLocalCredentials } from "../../../../local/localService.ts";
import { startLocalQueues } from "../../../../local/queues.ts";
import { logTo } from "../../log.ts";
import { type Consumer, startDelivery } from "../../queue/delivery.ts";

let queues: Awaited<ReturnType<typeof startLocalQueues>>;
let ended = new AbortController();

beforeAll(async () => {
  // The tests provoke failures.
  logTo({ warn() {}, error() {} });
  useLocalCredentials();
  queues = await startLocalQueues();
});
afterAll(() => queues.stop());
beforeEach(() => {
  ended = new AbortController();
  queues.feed.purge();
});

const ok = { batchItemFailures: [] };
const bodiesOf = ({ Records }: SQSEvent) => Records.map(({ body }) => body);
const failing = ({ Records }: SQSEvent, fails: (body: string) => boolean) => ({
  batchItemFailures: Records.filter(({ body }) => fails(body)).map(({ messageId }) => ({ itemIdentifier: messageId })),
});

/** Delivers to a consumer until it calls `ended.abort()`; remaining messages stay in the queues. */
async function deliver(consumer: Consumer, options = {}): Promise<void> {
  const delivery = startDelivery(queues.feed, consumer, { retryMs: 0, ...options });
  if (!ended.signal.aborted) await once(ended.signal, "abort");
  await delivery.stop();
}

test("messages come in batches of ten in Lambda's form, and are deleted when the consumer succeeds", async () => {
  for (let number = 0; number < 11; number++) queues.feed.send(`${number}`, { attributes: { colour: "red" } });
  const events: SQSEvent[] = [];
  await deliver(
    async (event, context) => {
      if (events.push(event) === 2) ended.abort();
      assert.ok(Number.isInteger(context.getRemainingTimeInMillis()));
      return ok;
    },
    { maximumConcurrency: 1 },
  );
  assert.deepEqual(events.map(bodiesOf), [Array.from({ length: 10 }, (_, number) => `${number}`), ["10"]]);
  const [record] = events[0]?.Records ?? [];
  assert.equal(record?.attributes.ApproximateReceiveCount, "1");
  assert.deepEqual(record?.messageAttributes, { colour: { dataType: "String", stringValue: "red" } });
  assert.equal(record?.eventSourceARN, queues.feed.arn);
  assert.deepEqual(queues.feed.counts(), { visible: 0, received: 0 });
});

test("only messages that the consumer reports as failed are redelivered, and their tries are counted", async () => {
  queues.feed.send("good");
  queues.feed.send("bad");
  const tries: string[][] = [];
  await deliver(async (event) => {
    tries.push(event.Records.map(({ body, attributes }) => `${body} ${attributes.ApproximateReceiveCount}`));
    if (tries.length === 3) ended.abort();
    return failing(event, (body) => body === "bad" && tries.length < 3);
  });
  assert.deepEqual(tries, [["good 1", "bad 1"], ["bad 2"], ["bad 3"]]);
  assert.deepEqual(queues.feed.counts(), { visible: 0, received: 0 });
});

for (const [what, confused] of [
  ["throws", () => Promise.reject(new Error("The consumer was killed."))],
  ["reports a message that it did not get", async () => ({ batchItemFailures: [{ itemIdentifier: "other" }] })],
] as [string, Consumer][]) {
  test(`if the consumer ${what}, its whole batch is redelivered`, async () => {
    queues.feed.send("one");
    queues.feed.send("two");
    const seen: string[][] = [];
    await deliver(async (event, context) => {
      if (seen.push(bodiesOf(event)) === 1) return confused(event, context);
      ended.abort();
      return ok;
    });
    assert.deepEqual(seen, [
      ["one", "two"],
      ["one", "two"],
    ]);
  });
}

test("a message that always fails goes to the dead-letter queue after five tries, and the others arrive", async () => {
  queues.feed.send("poison");
  queues.feed.send("good");
  const tried: string[] = [];
  const delivered = deliver(
    async (event) => {
      tried.push(...bodiesOf(event));
      return failing(event, (body) => body === "poison");
    },
    { maximumConcurrency: 1 },
  );
  await queues.deadLetters.untilVisible(ended.signal);
  ended.abort();
  await delivered;
  assert.deepEqual(tried, ["poison", "good", "poison", "poison", "poison", "poison"]);
  const [dead] = queues.deadLetters.receive(10);
  assert.deepEqual([dead?.body, dead?.deadLetterSourceArn], ["poison", queues.feed.arn]);
});

test("a message to an idle queue is delivered at once, up to the maximum of concurrent consumers", async () => {
  const consuming = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const together = Promise.all(consuming.map(({ promise }) => promise));
  let calls = 0;
  const delivered = deliver(async () => {
    consuming[calls]?.resolve();
    calls += 1;
    // Each waits for the other.
    await together;
    ended.abort();
    return ok;
  });
  await sendMessage(queues.queueUrl, "one");
  await consuming[0]?.promise;
  await sendMessage(queues.queueUrl, "two");
  await delivered;
  assert.equal(calls, 2);
});

test("stopping waits for the work in progress and takes no more messages", async () => {
  const consuming = Promise.withResolvers<void>();
  const going = Promise.withResolvers<void>();
  const done: string[] = [];
  const delivery = startDelivery(queues.feed, async (event) => {
    consuming.resolve();
    await going.promise;
    done.push(...bodiesOf(event));
    return ok;
  });
  queues.feed.send("one");
  await consuming.promise;
  const stopped = delivery.stop();
  queues.feed.send("two");
  going.resolve();
  await stopped;
  assert.deepEqual(done, ["one"]);
  assert.deepEqual(queues.feed.counts(), { visible: 1, received: 0 });
  queues.feed.purge();
});
