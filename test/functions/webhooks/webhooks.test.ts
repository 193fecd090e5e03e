import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { SQSClient } from "@aws-sdk/client-sqs";
import { afterAll, afterEach, beforeAll, beforeEach, jest, test } from "@jest/globals";
import type { SQSRecord } from "aws-lambda";
import * as z from "zod";
import { changingTypes } from "../../../functions/changes/change.ts";
import { horizonMs } from "../../../functions/changes/changeRepository.ts";
import { logger } from "../../../functions/log/logger.ts";
import { acceptance } from "../../../functions/records/acceptance.ts";
import { recordItem } from "../../../functions/records/recordItem.ts";
import { upsertRecord } from "../../../functions/records/upsertRecord.ts";
import { consumeRecords } from "../../../functions/stream/tableStream.ts";
import { clockOf } from "../../../functions/table/clock.ts";
import { keys } from "../../../functions/table/keys.ts";
import { dueWebhookKey, lists, webhookShards } from "../../../functions/table/lists.ts";
import { maximumLimit } from "../../../functions/table/pace.ts";
import { openTable } from "../../../functions/table/table.ts";
import { putItem, updateItem, updateOf } from "../../../functions/table/writes.ts";
import { readWebhook, sender } from "../../../functions/webhooks/storedWebhook.ts";
import { wakeDue, wakeFollowers, wakeSoon } from "../../../functions/webhooks/wakeUp.ts";
import { webhookRepository } from "../../../functions/webhooks/webhookRepository.ts";
import { deliverBatch, handler } from "../../../functions/webhooks/webhooks.ts";
import { startLocalQueues, useLocalQueues } from "../../../local/queues.ts";
import { portOf } from "../../../packages/local-aws/gateway/server.ts";
import { interceptCalls } from "../../support/data/interceptCalls.ts";
import { eventRecord } from "../../support/data/records.ts";
import { useTestTable } from "../../support/data/testTable.ts";

const actor = { name: "Ada", subject: "1" };
/** Stamps changes long enough ago to be shown. */
const earlier = openTable(
  undefined,
  clockOf(() => Date.now() - horizonMs - 5_000),
);
let queues: Awaited<ReturnType<typeof startLocalQueues>>;
/** By path, what receivers got. */
const received: { path: string; body: string }[] = [];
const receiver = createServer(async (incoming, outgoing) => {
  received.push({ path: incoming.url ?? "", body: await text(incoming) });
  outgoing.writeHead(incoming.url === "/failing" ? 500 : 204).end();
});

beforeAll(async () => {
  await once(receiver.listen(0, "127.0.0.1"), "listening");
  queues = await startLocalQueues();
  Object.assign(process.env, { WEBHOOK_LOCAL_KEY: "test", WEBHOOKS_ALLOW_LOOPBACK: "yes" });
  process.env.BASE_URL = "http://localhost:1";
});
afterAll(async () => {
  await queues.stop();
  receiver.close();
  receiver.closeAllConnections();
});
beforeEach(async () => {
  await useTestTable();
  useLocalQueues(queues);
  received.length = 0;
});
afterEach(() => {
  jest.restoreAllMocks();
  queues.webhooks.purge();
});

/** A webhook that began before the changes of {@link earlier}, and that the sweep has looked at. */
async function create(organisationId: number, path: string, types: ["order"] | null = null): Promise<string> {
  const url = `http://127.0.0.1:${portOf(receiver)}${path}`;
  const { webhook } = await webhookRepository(organisationId, openTable()).create({ url, types }, actor);
  const { id } = webhook;
  await webhookRepository(organisationId, openTable()).replay(id, new Date(Date.now() - 60_000).toISOString(), actor);
  await set(organisationId, id, { next_attempt: null });
  queues.webhooks.purge();
  return id;
}
const set = (organisationId: number, id: string, attributes: Record<string, unknown>) =>
  updateItem(openTable(), keys.webhook(organisationId, id), updateOf({ set: attributes }));
const stored = (organisationId: number, id: string) => readWebhook(openTable(), organisationId, id);
const change = (organisationId: number) => upsertRecord(earlier, recordItem(eventRecord(organisationId, 1)));
const record = (body: object | string, messageId: string, receives = 1): SQSRecord => ({
  ...{ messageId, receiptHandle: messageId, body: typeof body === "string" ? body : JSON.stringify(body) },
  ...{ md5OfBody: "", messageAttributes: {}, eventSource: "", eventSourceARN: "", awsRegion: "" },
  attributes: { ApproximateReceiveCount: String(receives) } as SQSRecord["attributes"],
});
const woken = (organisation_id: number, id: string, messageId = id) => record({ organisation_id, id }, messageId);
const waiting = () => queues.webhooks.delayed().map(({ body }) => JSON.parse(body));
const sentIds = () => waiting().map(({ id }) => id);
const accepted = "2026-11-26T10:00:00.000Z";
const changed = (...items: { PK: string; SK: string }[]) => items.map((key) => ({ key, accepted }));

test("a change wakes the active webhooks of its organisation that follow its type, after one query", async () => {
  const all = await create(1, "/a");
  await create(1, "/orders", ["order"]);
  await create(2, "/other");
  const paused = await create(1, "/paused");
  await webhookRepository(1, openTable()).update(paused, { status: "paused" }, actor);
  queues.webhooks.purge();
  const table = openTable();
  const later = { key: keys.event(1, 3), accepted: "2026-11-26T10:00:01.000Z" };
  const others = [keys.lastCounted("x"), keys.eventSummary(2, 1)];
  const removed = { key: keys.event(2, 1), accepted: undefined };
  await wakeFollowers(table, [...changed(keys.event(1, 1)), later, ...changed(keys.event(1, 2), ...others), removed]);
  assert.deepEqual(waiting(), [{ organisation_id: 1, id: all, until: later.accepted }]);
  assert.deepEqual(table.usage.calls, { Query: 1 });
});

const SentBatch = z.object({ Entries: z.array(z.object({ MessageBody: z.string(), MessageGroupId: z.string() })) });

test("wake-ups of each organisation are a group of their own, so that a busy one delays only itself", async () => {
  const ids = [await create(1, "/a"), await create(2, "/b")];
  const send = jest.spyOn(SQSClient.prototype, "send");
  await wakeFollowers(openTable(), changed(keys.event(1, 1), keys.event(2, 1)));
  const [[{ input }] = assert.fail()] = send.mock.calls;
  const { Entries } = SentBatch.parse(input);
  assert.deepEqual(
    Entries.map(({ MessageBody, MessageGroupId }) => [JSON.parse(MessageBody).id, MessageGroupId]),
    ids.map((id, index) => [id, String(index + 1)]),
  );
});

const inStream = (sequenceNumber: string, key: { PK: string; SK: string }) => ({
  ...{ eventID: "1", eventName: "MODIFY" as const },
  dynamodb: {
    SequenceNumber: sequenceNumber,
    Keys: { PK: { S: key.PK }, SK: { S: key.SK } },
    NewImage: { [acceptance]: { S: `${accepted}#1` } },
  },
});

test("the table's stream wakes webhooks, also by items without a count, and comes again if they can be neither woken nor marked", async () => {
  const id = await create(1, "/a");
  const Records = [inStream("1", keys.event(1, 1)), inStream("2", keys.event(1, 2))];
  assert.deepEqual(await consumeRecords({ Records }, openTable()), { batchItemFailures: [] });
  assert.deepEqual(waiting(), [{ organisation_id: 1, id, until: accepted }]);
  process.env.WEBHOOK_QUEUE_URL = "http://127.0.0.1:9/none";
  interceptCalls(async ({ name }, send) => {
    if (name === "PutCommand") throw new Error("down");
    return await send();
  });
  const failed = { batchItemFailures: [{ itemIdentifier: "1" }] };
  assert.deepEqual(await consumeRecords({ Records }, openTable(), () => Promise.reject(new Error("no time"))), failed);
});

test("webhooks are spread over all lists that the sweep reads", () => {
  const used = Array.from({ length: 500 }, (_, index) => dueWebhookKey(1, String(index), accepted).GSI4PK);
  const read = webhookShards.map((shard) => lists.dueWebhooks(shard).partition);
  assert.deepEqual([...new Set(used)].toSorted(), read);
});

test("of failing webhooks, a change wakes only those that are due before it is shown", async () => {
  const [soon, late] = [await create(1, "/a"), await create(1, "/b")];
  await set(1, soon, { next_attempt: new Date(Date.now() + 9_000).toISOString() });
  await set(1, late, { next_attempt: new Date(Date.now() + 16_000).toISOString() });
  await wakeFollowers(openTable(), changed(keys.event(1, 1)));
  assert.deepEqual(sentIds(), [soon]);
});

test("what the queue refuses, wholly or in part, is marked in the table; more than ten webhooks are woken", async () => {
  const ids: string[] = [];
  for (let number = 0; number < 12; number++) ids.push(await create(1, `/${number}`));
  await wakeFollowers(openTable(), changed(keys.event(1, 1)));
  assert.deepEqual(sentIds().toSorted(), ids);
  // It is in the second message to the queue, as the newest webhooks are woken first.
  const refused = ids[0] ?? "";
  jest.spyOn(SQSClient.prototype, "send").mockImplementation((async ({
    input,
  }: {
    input: { Entries: { Id: string; MessageBody: string }[] };
  }) => ({
    Failed: input.Entries.filter(({ MessageBody }) => JSON.parse(MessageBody).id === refused),
  })) as never);
  await wakeFollowers(openTable(), changed(keys.event(1, 1)));
  const marked = async () =>
    (await Promise.all(ids.map((id) => stored(1, id)))).flatMap((one) => (one?.next_attempt ? one.id : []));
  assert.deepEqual(await marked(), [refused]);
  jest.spyOn(SQSClient.prototype, "send").mockRejectedValue(new Error("down") as never);
  await wakeFollowers(openTable(), changed(keys.event(1, 1)));
  assert.deepEqual(await marked(), ids);
  jest.restoreAllMocks();
  assert.equal((await wakeDue(openTable(), Date.now() + 13_000)).woken, 12);
});

test("a batch delivers each webhook once, and those that are due again soon get another message", async () => {
  const [taken, failing] = [await create(1, "/a"), await create(1, "/failing")];
  await change(1);
  const records = [woken(1, taken), woken(1, taken, "again"), woken(1, failing), woken(1, "0".repeat(21))];
  assert.deepEqual(await handler({ Records: records }), { batchItemFailures: [] });
  assert.deepEqual(received.map(({ path }) => path).toSorted(), ["/a", "/failing"]);
  assert.deepEqual(sentIds(), [failing]);
  // The next retry, in 30 seconds, is sent, too; the one in two minutes is the sweep's.
  for (const expected of [[failing], []]) {
    queues.webhooks.purge();
    await set(1, failing, { next_attempt: null, last_sent: null });
    await handler({ Records: [woken(1, failing)] });
    assert.deepEqual(sentIds(), expected);
  }
});

test("a run starts messages for five seconds at most, and none when its time ends", async () => {
  const timeout = jest.spyOn(AbortSignal, "timeout");
  for (const leftMs of [30_000, 17_000, 4_000])
    await handler({ Records: [] }, { getRemainingTimeInMillis: () => leftMs });
  assert.deepEqual(
    Array.from(timeout.mock.calls, ([ms]) => ms),
    [5_000, 2_000, 0],
  );
});

test("the wake-up for a change by a clock that is an hour ahead stays in the queue", async () => {
  const ref = { organisation_id: 1, id: await create(1, "/a"), until: new Date(Date.now() + 3_600_000).toISOString() };
  assert.deepEqual(await handler({ Records: [record(ref, "1")] }), { batchItemFailures: [] });
  assert.deepEqual(waiting(), [ref]);
});

test("the latest of several wake-ups of a webhook decides how long it waits for its change", async () => {
  const id = await create(1, "/a");
  const until = new Date(Date.now()).toISOString();
  const early = { organisation_id: 1, id, until: accepted };
  await handler({ Records: [record({ ...early, until }, "1"), record(early, "2"), woken(1, id, "3")] });
  assert.deepEqual(waiting(), [{ organisation_id: 1, id, until }]);
});

test("a webhook that fails because of us fails alone, and is marked for the sweep", async () => {
  const [broken, good] = [await create(1, "/a"), await create(2, "/b")];
  await change(1);
  await change(2);
  const own = {
    ...sender,
    mac: async (content: string) =>
      content.includes(broken) ? Promise.reject(new Error("KMS is down")) : sender.mac(content),
  };
  const records = [woken(1, broken), woken(2, good), record("{", "damaged")];
  assert.deepEqual(await deliverBatch({ Records: records }, openTable(), own), { batchItemFailures: [] });
  assert.deepEqual(
    received.map(({ path }) => path),
    ["/b"],
  );
  assert.deepEqual(
    [(await stored(1, broken))?.next_attempt === null, (await stored(2, good))?.next_attempt],
    [false, null],
  );
});

test("a person's change of a webhook does not wait for a queue that never answers", async () => {
  const id = await create(1, "/a");
  jest.spyOn(SQSClient.prototype, "send").mockReturnValue(new Promise(() => undefined) as never);
  const { next_attempt } = await webhookRepository(1, openTable()).update(id, { status: "active" }, actor);
  assert.ok(next_attempt);
});

test("a batch of many webhooks opens few connections to the table at the same time", async () => {
  const records: SQSRecord[] = [];
  for (let organisationId = 1; organisationId <= 40; organisationId++)
    records.push(woken(organisationId, await create(organisationId, "/a")));
  let [underWay, most] = [0, 0];
  interceptCalls(async (_call, send) => {
    underWay += 1;
    most = Math.max(most, underWay);
    return await send().finally(() => {
      underWay -= 1;
    });
  });
  await handler({ Records: records });
  assert.ok(most > 20 && most <= maximumLimit * changingTypes.length, `${most}`);
});

test("if the table is down, the message comes again, later each time", async () => {
  const id = await create(1, "/a");
  interceptCalls(() => Promise.reject(new Error("down")));
  const visibility = jest.spyOn(queues.webhooks, "changeVisibility");
  for (const [receives, seconds] of [
    [1, 60],
    [2, 120],
    [9, 900],
  ] as const) {
    const response = await handler({ Records: [record({ organisation_id: 1, id }, "failed", receives)] });
    assert.deepEqual(response, { batchItemFailures: [{ itemIdentifier: "failed" }] });
    assert.deepEqual([...(visibility.mock.calls.at(-1) ?? [])], ["failed", seconds * 1_000]);
  }
});

test("a wake-up comes again in whole seconds, and not before its change is shown", async () => {
  const id = await create(1, "/a");
  const nowMs = Date.now();
  const records = [record({ organisation_id: 1, id, until: new Date(nowMs).toISOString() }, "early")];
  const table = openTable(
    undefined,
    clockOf(() => nowMs),
  );
  const send = jest.spyOn(SQSClient.prototype, "send");
  await deliverBatch({ Records: records }, table, sender);
  const [[{ input }] = assert.fail()] = send.mock.calls;
  assert.equal(Object(input).Entries[0].DelaySeconds, Math.ceil((horizonMs + 1_500) / 1_000));
});

test("when a queue is unavailable, the batches that would wait for it, too, are not tried", async () => {
  const error = jest.spyOn(logger, "error");
  delete process.env.WEBHOOK_QUEUE_URL;
  await wakeSoon(Array.from({ length: 1_000 }, (_, index) => ({ organisation_id: 1, id: String(index) })));
  const failed = error.mock.calls.filter(([message]) => message === "The queue of wake-ups is unavailable.");
  // As many calls as are made at the same time.
  assert.ok(failed.length > 0 && failed.length <= 20);
});

test("a wake-up that the queue refuses to send again leaves its webhook marked", async () => {
  const id = await create(1, "/a");
  process.env.WEBHOOK_QUEUE_URL = "http://127.0.0.1:9/none";
  const until = new Date().toISOString();
  const response = await handler({ Records: [record({ organisation_id: 1, id, until }, "early")] });
  assert.deepEqual(response, { batchItemFailures: [] });
  assert.notEqual((await stored(1, id))?.next_attempt, null);
});

test("the sweep wakes what is due at once, leaves out a damaged webhook, and finds the rest again if the queue is down", async () => {
  const [one, two, damaged] = [await create(1, "/a"), await create(2, "/b"), await create(3, "/c")];
  for (const [organisationId, id] of [
    [1, one],
    [2, two],
    [3, damaged],
  ] as const)
    await webhookRepository(organisationId, openTable()).update(id, { status: "active" }, actor);
  queues.webhooks.purge();
  await set(3, damaged, { url: 7 });
  const nowMs = Date.now() + 13_000;
  process.env.WEBHOOK_QUEUE_URL = "http://127.0.0.1:9/none";
  assert.equal((await wakeDue(openTable(), nowMs)).woken, 0);
  useLocalQueues(queues);
  assert.equal((await wakeDue(openTable(), nowMs)).woken, 2);
  assert.equal(queues.webhooks.counts().visible, 2);
  assert.deepEqual(await handler({ source: "aws.events" }), { batchItemFailures: [] });
});

test("a damaged webhook is left out of the wake-ups of its organisation", async () => {
  const [damaged, good] = [await create(1, "/a"), await create(1, "/b")];
  await putItem(openTable(), { ...keys.webhook(1, damaged), status: "active" });
  await wakeFollowers(openTable(), changed(keys.event(1, 1)));
  assert.deepEqual(sentIds(), [good]);
});
