import assert from "node:assert/strict";
import { SQSClient } from "@aws-sdk/client-sqs";
import { afterEach, jest, test } from "@jest/globals";
import type { SQSRecord } from "aws-lambda";
import * as z from "zod";
import { useLocalQueues } from "../../../local/queues.ts";
import { interceptCalls } from "../../support/data/interceptCalls.ts";
import { useTestTable } from "../../support/data/testTable.ts";

// The modules read this when they are loaded, as in Lambda.
process.env.POWERTOOLS_METRICS_NAMESPACE = "ticketing-test";
process.env.BASE_URL = "https://api.example";
const { visibilityDelayMs } = await import("../../../functions/records/changeTime.ts");
const { logger } = await import("../../../functions/log/logger.ts");
const { changeTimeAttribute } = await import("../../../functions/records/changeTime.ts");
const { consumeRecords } = await import("../../../functions/stream/tableStream.ts");
const { itemKeys } = await import("../../../functions/table/itemKeys.ts");
const { dueWebhookKey, partitions, webhookShards } = await import("../../../functions/table/lists.ts");
const { putItem } = await import("../../../functions/table/writes.ts");
const { itemOf, wakeDelayMs } = await import("../../../functions/webhooks/storedWebhook.ts");
const { wakeDue, wakeFollowers } = await import("../../../functions/webhooks/wakeUp.ts");
const { deliverBatch, handler } = await import("../../../functions/webhooks/webhooks.ts");
const { actor } = await import("../../support/webhooks/repositories.ts");
const {
  bodies,
  change,
  create,
  dayMs,
  deliver,
  iso,
  queues,
  repository,
  sender,
  setWebhook,
  show,
  state,
  stored,
  table,
  useDeliveries,
} = await import("../../support/webhooks/deliveries.ts");

useDeliveries();
afterEach(() => {
  delete process.env.WEBHOOK_LOCAL_KEY;
});

/** Creates a webhook that waits for a change, without its wake-up. */
async function createIdle(types?: Parameters<typeof create>[0]): Promise<string> {
  const { id } = await create(types);
  queues.webhooks.purge();
  return id;
}
const breakQueue = () => Object.assign(process.env, { WEBHOOK_QUEUE_URL: "http://127.0.0.1:9/none" });
const record = (body: string, messageId = "1") => ({ messageId, body }) as SQSRecord;
const refOf = (id: string, until?: string) => ({ organisation_id: state.organisationId, id, ...(until && { until }) });
const wakeUp = (id: string, until?: string) => record(JSON.stringify(refOf(id, until)), id);
const run = (...Records: SQSRecord[]) => deliverBatch({ Records }, table, sender);
const waiting = () => queues.webhooks.delayed().map(({ body }) => JSON.parse(body));
const changed = (...items: { PK: string; SK: string }[]) => items.map((key) => ({ key, accepted: iso(0) }));
const event = (id: number) => itemKeys.event(state.organisationId, id);

test("a change wakes the active webhooks of its organisation that follow its type", async () => {
  const all = await createIdle();
  await createIdle(["order"]);
  await repository().update(await createIdle(), { status: "paused" }, actor);
  const damaged = await createIdle();
  await putItem(table, { ...itemKeys.webhook(state.organisationId, damaged), status: "active" });
  const later = { key: event(3), accepted: iso(1_000) };
  const removed = { key: event(4), accepted: undefined };
  await wakeFollowers(table, [...changed(event(1)), later, ...changed(event(2), itemKeys.lastCounted("x")), removed]);
  assert.deepEqual(waiting(), [refOf(all, later.accepted)]);
});

const SentBatch = z.object({ Entries: z.array(z.object({ MessageBody: z.string(), MessageGroupId: z.string() })) });

test("wake-ups of each organisation are a group of their own, so that a busy one delays only itself", async () => {
  const one = [await createIdle(), event(1)] as const;
  state.organisationId += 1;
  const two = [await createIdle(), event(1)] as const;
  const send = jest.spyOn(SQSClient.prototype, "send");
  await wakeFollowers(table, changed(one[1], two[1]));
  const entries = Array.from(send.mock.calls, ([{ input }]) => SentBatch.parse(input).Entries).flat();
  assert.deepEqual(
    Object.fromEntries(entries.map(({ MessageBody, MessageGroupId }) => [JSON.parse(MessageBody).id, MessageGroupId])),
    { [one[0]]: String(state.organisationId - 1), [two[0]]: String(state.organisationId) },
  );
});

test("a change wakes a webhook when it is shown, or after a minute if its time is impossible", async () => {
  await createIdle();
  const send = jest.spyOn(SQSClient.prototype, "send");
  for (const ms of [0, -1_300, -visibilityDelayMs - 1, dayMs]) {
    await wakeFollowers(table, [{ key: event(1), accepted: iso(ms) }]);
  }
  const delays = Array.from(send.mock.calls, ([{ input }]) => Object(input).Entries[0].DelaySeconds);
  const shown = visibilityDelayMs / 1_000;
  assert.deepEqual(delays, [shown + 1, shown - 1, 0, 60]);
});

test("the table's stream repeats its records if webhooks can be neither woken nor scheduled", async () => {
  const id = await createIdle();
  const Records = [1, 2].map((number) => ({
    ...{ eventID: "1", eventName: "MODIFY" as const },
    dynamodb: {
      SequenceNumber: String(number),
      Keys: { PK: { S: event(number).PK }, SK: { S: event(number).SK } },
      NewImage: { [changeTimeAttribute]: { S: `${iso(0)}#1` } },
    },
  }));
  assert.deepEqual(await consumeRecords({ Records }, table), { batchItemFailures: [] });
  assert.deepEqual(waiting(), [refOf(id, iso(0))]);
  breakQueue();
  interceptCalls(async ({ name }, send) => {
    if (name === "PutCommand") throw new Error("down");
    return await send();
  });
  const failed = { batchItemFailures: [{ itemIdentifier: "1" }] };
  assert.deepEqual(await consumeRecords({ Records }, table, () => Promise.reject(new Error("no time"))), failed);
});

test("webhooks that the queue refuses to wake, all or some, are scheduled for the sweep", async () => {
  const ids: string[] = [];
  for (let number = 0; number < 12; number++) {
    state.nowMs += 1;
    ids.push(await createIdle());
  }
  await wakeFollowers(table, changed(event(1)));
  assert.deepEqual(
    waiting()
      .map(({ id }) => id)
      .toSorted(),
    ids,
  );
  // It is in the second message to the queue, as the newest webhooks are woken first.
  const [refused = ""] = ids;
  const scheduled = async () =>
    (await Promise.all(ids.map(stored))).flatMap(({ id, next_poll }) => (next_poll === iso(wakeDelayMs) ? id : []));
  const refuse = async ({ input }: { input: { Entries: { Id: string; MessageBody: string }[] } }) => ({
    Failed: input.Entries.filter(({ MessageBody }) => JSON.parse(MessageBody).id === refused),
  });
  const send = jest.spyOn(SQSClient.prototype, "send").mockImplementation(refuse as never);
  await wakeFollowers(table, changed(event(1)));
  assert.deepEqual(await scheduled(), [refused]);
  send.mockRejectedValue(new Error("down") as never);
  await wakeFollowers(table, changed(event(1)));
  assert.deepEqual(await scheduled(), ids);
});

test("a batch delivers its webhooks, and sends another message for those that are due again soon", async () => {
  const [accepted, failing] = [await createIdle(), await createIdle()];
  await change(1, "A");
  show();
  state.answers = [200];
  const damaged = record("{", "damaged");
  assert.deepEqual(await run(wakeUp(accepted), wakeUp(accepted), wakeUp("0".repeat(21)), damaged), {
    batchItemFailures: [],
  });
  assert.equal(bodies().length, 1);
  const send = jest.spyOn(SQSClient.prototype, "send");
  const delays = () => Array.from(send.mock.calls, ([{ input }]) => Object(input).Entries[0].DelaySeconds);
  state.answers = [500, 500, 500];
  // The retry in two minutes is the sweep's.
  for (const expected of [[5], [5, 30], [5, 30]]) {
    await run(wakeUp(failing));
    assert.deepEqual(delays(), expected);
    state.nowMs += 30_000;
  }
  assert.ok(waiting().every(({ id }) => [accepted, failing].includes(id)));
});

test("a wake-up whose change is not shown yet returns to the queue, in whole seconds", async () => {
  const id = await createIdle();
  const send = jest.spyOn(SQSClient.prototype, "send");
  await run(wakeUp(id, iso(0)));
  const [[{ input }] = assert.fail()] = send.mock.calls;
  assert.equal(Object(input).Entries[0].DelaySeconds, Math.ceil((visibilityDelayMs + 1) / 1_000));
  assert.deepEqual(waiting(), [refOf(id, iso(0))]);
});

test("a webhook that fails on our side fails alone, and is scheduled or redelivered", async () => {
  const [broken, good] = [await createIdle(), await createIdle()];
  await change(1, "A");
  show();
  const mac = (content: string) =>
    content.includes(broken) ? Promise.reject(new Error("KMS is down")) : sender.mac(content);
  const Records = [wakeUp(broken), wakeUp(good)];
  assert.deepEqual(await deliverBatch({ Records }, table, { ...sender, mac }), { batchItemFailures: [] });
  assert.equal(bodies().length, 1);
  assert.equal((await stored(broken)).next_poll, iso(wakeDelayMs));
  breakQueue();
  state.nowMs += dayMs;
  await run(wakeUp(good, iso(0)));
  assert.equal((await stored(good)).next_poll, iso(wakeDelayMs));
  interceptCalls(() => Promise.reject(new Error("down")));
  assert.deepEqual(await run(wakeUp(good)), { batchItemFailures: [{ itemIdentifier: good }] });
});

test("the sweep reads every list over which webhooks are spread", () => {
  const used = Array.from({ length: 500 }, (_, index) => dueWebhookKey(1, String(index), iso(0)).GSI4PK);
  const read = webhookShards.map((shard) => partitions.dueWebhooks(shard).partition);
  assert.deepEqual([...new Set(used)].toSorted(), read);
});

test("the sweep wakes every undamaged webhook that is due by the table's clock", async () => {
  await useTestTable();
  const { id } = (await repository().create({ url: "https://203.0.114.9/" }, actor)).webhook;
  const damaged = (await repository().create({ url: "https://203.0.114.9/" }, actor)).webhook;
  await setWebhook(damaged.id, { url: 7 });
  const woken = async () => (await wakeDue(table, state.nowMs)).woken;
  assert.equal(await woken(), 0);
  show();
  breakQueue();
  assert.equal(await woken(), 0);
  useLocalQueues(queues);
  queues.webhooks.purge();
  assert.deepEqual(await wakeDue(table, state.nowMs), { woken: 1, lateMs: 1 });
  assert.equal(queues.webhooks.counts().visible, 1);
  await deliver(id);
  assert.equal(await woken(), 0);
  state.nowMs += 20 * dayMs + 1;
  assert.equal(await woken(), 1);
  await repository().update(id, { status: "paused" }, actor);
  assert.equal(await woken(), 0);
});

const names = ["webhook_late_seconds", "webhook_messages", "webhook_receiver_failures", "webhook_errors"];

/** The metrics in the line that some work logs. */
async function measured(work: () => Promise<unknown>): Promise<Record<string, unknown>> {
  const info = jest.spyOn(logger, "info");
  info.mockClear();
  await work();
  return Object(info.mock.calls.at(-1)?.[1]);
}

test("a batch measures its messages, receivers' failures, our failures and delays", async () => {
  const withoutKey = { ...sender, mac: () => Promise.reject(new Error("KMS is down")) };
  const outcomes = [];
  for (const [status, own] of [
    [200, sender],
    [500, sender],
    [200, withoutKey],
  ] as const) {
    const [first, second] = [await createIdle(["event"]), await createIdle(["order"])];
    await change(1, String(outcomes.length));
    state.nowMs += visibilityDelayMs + 90_000;
    state.answers = [status];
    const line = await measured(() => deliverBatch({ Records: [wakeUp(first), wakeUp(second)] }, table, own));
    outcomes.push(names.map((name) => line[name]));
  }
  assert.deepEqual(outcomes, [
    [90, 1, undefined, undefined],
    [90, undefined, 1, undefined],
    [0, undefined, undefined, 1],
  ]);
});

test("a sweep measures its delay and whether the key is usable, and always wakes webhooks", async () => {
  await useTestTable();
  const template = await stored(await createIdle());
  const sweep = async (dueMs: number) => {
    await putItem(table, itemOf({ ...template, next_poll: new Date(dueMs).toISOString() }));
    const line = await measured(() => handler({ source: "aws.events" }));
    const late = Number(line.webhook_late_seconds);
    return [line.woken, late >= 100 && late < 1_000, line.webhook_key_failures];
  };
  const nowMs = Date.now();
  assert.deepEqual(await sweep(nowMs - 100_000), [1, true, 1]);
  process.env.WEBHOOK_LOCAL_KEY = "test";
  // This process's clock is an hour ahead.
  jest.spyOn(Date, "now").mockImplementation(() => nowMs + 3_600_000);
  assert.deepEqual(await sweep(nowMs + 600_000), [0, false, 0]);
});
