import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { afterAll, afterEach, beforeAll, beforeEach, test } from "@jest/globals";
import { horizonMs } from "../../../functions/changes/changeRepository.ts";
import { recordItem } from "../../../functions/records/recordItem.ts";
import { upsertRecord } from "../../../functions/records/upsertRecord.ts";
import { clockOf } from "../../../functions/table/clock.ts";
import { keys } from "../../../functions/table/keys.ts";
import { openTable } from "../../../functions/table/table.ts";
import { putItem } from "../../../functions/table/writes.ts";
import { readWebhook } from "../../../functions/webhooks/storedWebhook.ts";
import { wakeAll, wakeFollowers } from "../../../functions/webhooks/wakeUp.ts";
import { webhookListRepository } from "../../../functions/webhooks/webhookListRepository.ts";
import { webhookRepository } from "../../../functions/webhooks/webhookRepository.ts";
import { handler } from "../../../functions/webhooks/webhooks.ts";
import { maximumConcurrency } from "../../../functions/webhooks/webhooksDelivery.ts";
import { portOf } from "../../../local/gateway/server.ts";
import { startDelivery } from "../../../local/queue/delivery.ts";
import { MemoryQueue } from "../../../local/queue/memoryQueue.ts";
import { startLocalQueues, useLocalQueues } from "../../../local/queue/sqsServer.ts";
import { eventRecord } from "../../support/data/records.ts";
import { useTestTable } from "../../support/data/testTable.ts";
import { cases } from "../../support/jest/cases.ts";

const actor = { name: "Ada", subject: "1" };
const page = { per_page: 50 };
/** Stamps changes long enough ago to be shown. */
const earlier = openTable(
  undefined,
  clockOf(() => Date.now() - horizonMs - 5_000),
);
let queues: Awaited<ReturnType<typeof startLocalQueues>>;
/** By path, what receivers got; `/dead` never answers. */
const received: { path: string; body: string }[] = [];
const receiver = createServer(async (incoming, outgoing) => {
  received.push({ path: incoming.url ?? "", body: await text(incoming) });
  if (incoming.url !== "/dead") outgoing.writeHead(incoming.url === "/failing" ? 500 : 204).end();
});

beforeAll(async () => {
  await once(receiver.listen(0, "127.0.0.1"), "listening");
  queues = await startLocalQueues();
  useLocalQueues(queues);
  Object.assign(process.env, { WEBHOOK_LOCAL_KEY: "test", WEBHOOKS_ALLOW_LOOPBACK: "yes" });
});
afterAll(async () => {
  await queues.stop();
  receiver.close();
  receiver.closeAllConnections();
});
beforeEach(async () => {
  await useTestTable();
  received.length = 0;
});
afterEach(() => queues.webhooks.purge());

const url = (path: string) => `http://127.0.0.1:${portOf(receiver)}${path}`;

/** A webhook that began before the changes of {@link earlier}. */
async function create(organisationId: number, path: string, types: ["order"] | null = null): Promise<string> {
  const { id } = (await webhookRepository(organisationId, openTable()).create({ url: url(path), types }, actor))
    .webhook;
  await webhookRepository(organisationId, openTable()).replay(id, new Date(Date.now() - 60_000).toISOString(), actor);
  return id;
}
const change = (organisationId: number) => upsertRecord(earlier, recordItem(eventRecord(organisationId, 1)));
const record = (organisation_id: number, id: string, messageId = id) => ({
  ...{ messageId, receiptHandle: messageId, body: JSON.stringify({ organisation_id, id }) },
  ...{ md5OfBody: "", messageAttributes: {}, eventSource: "", eventSourceARN: "", awsRegion: "" },
  attributes: {} as never,
});
const sentIds = () => queues.webhooks.delayed().map(({ body }) => JSON.parse(body).id);

test("a change wakes the active webhooks of its organisation that follow its type, once a second at most", async () => {
  const all = await create(1, "/a");
  await create(1, "/orders", ["order"]);
  await create(2, "/other");
  const paused = await create(1, "/paused");
  await webhookRepository(1, openTable()).update(paused, { status: "paused" }, actor);
  const table = openTable();
  await wakeFollowers(table, [keys.event(1, 1), keys.event(1, 2), keys.contribution("x"), keys.eventSummary(2, 1)]);
  assert.deepEqual(sentIds(), [all]);
  assert.deepEqual(table.usage.calls, { Query: 1 });
  process.env.WEBHOOK_QUEUE_URL = "http://127.0.0.1:9/none";
  await wakeFollowers(openTable(), [keys.event(1, 1)]);
  useLocalQueues(queues);
});

test("the sweep wakes every active webhook that is due, of all organisations", async () => {
  const [one, two] = [await create(1, "/a"), await create(2, "/b")];
  const late = await create(2, "/late");
  const stored = await readWebhook(openTable(), 2, late);
  assert.ok(stored);
  const next_attempt = new Date(Date.now() + 60_000).toISOString();
  const { GSI4PK, GSI4SK } = { GSI4PK: "ACTIVEWEBHOOKS", GSI4SK: `2#${late}` };
  const failing_since = "2026-11-20T10:00:00.000Z";
  await putItem(openTable(), { ...keys.webhook(2, late), ...stored, next_attempt, failing_since, GSI4PK, GSI4SK });
  await webhookRepository(1, openTable()).update(await create(1, "/paused"), { status: "paused" }, actor);
  assert.deepEqual(await handler({ source: "aws.events" }), { batchItemFailures: [] });
  assert.deepEqual(sentIds().toSorted(), [one, two].toSorted());
  assert.equal((await wakeAll(openTable())).failingSince, failing_since);
});

test("a batch delivers each webhook once, and holds only those that are due again soon", async () => {
  const [taken, failing] = [await create(1, "/a"), await create(1, "/failing")];
  await change(1);
  const records = [record(1, taken), record(1, taken, "again"), record(1, failing), record(1, "0".repeat(21))];
  const { batchItemFailures } = await handler({ Records: records });
  assert.deepEqual(batchItemFailures, [{ itemIdentifier: failing }]);
  assert.deepEqual(received.map(({ path }) => path).toSorted(), ["/a", "/failing"]);
});

test("a damaged webhook fails alone, and a message that names none is dropped", async () => {
  const [damaged, good] = [await create(1, "/a"), await create(1, "/b")];
  await change(1);
  const inSweep = { GSI4PK: "ACTIVEWEBHOOKS", GSI4SK: `1#${damaged}` };
  await putItem(openTable(), { ...keys.webhook(1, damaged), status: "active", ...inSweep });
  const records = [record(1, damaged), record(1, good), { ...record(1, good, "x"), body: "{" }];
  assert.deepEqual(await handler({ Records: records }), { batchItemFailures: [] });
  assert.deepEqual(
    received.map(({ path }) => path),
    ["/b"],
  );
  assert.equal((await wakeAll(openTable())).woken, 1);
  assert.deepEqual(sentIds(), [good]);
});

test("the half of many webhooks whose receivers never answer delays none of the others", async () => {
  const pairs = cases(30, 100);
  const ids = await Promise.all(
    Array.from({ length: 2 * pairs }, (_, index) => create(index + 1, index % 2 === 0 ? "/dead" : "/a")),
  );
  await Promise.all(ids.map((_, index) => change(index + 1)));
  const queue = new MemoryQueue("webhooks.fifo", { visibilityTimeoutMs: 45_000, isFifo: true });
  for (const [index, id] of ids.entries())
    queue.send(JSON.stringify({ organisation_id: index + 1, id }), { groupId: id, deduplicationId: id });
  const delivery = startDelivery(queue, handler, { maximumConcurrency, retryMs: null });
  while (received.filter(({ path }) => path === "/a").length < pairs) await new Promise((done) => setTimeout(done, 20));
  receiver.closeAllConnections();
  await delivery.stop();
  const { data } = await webhookListRepository(1, openTable()).listDeliveries(ids[0] ?? "", page);
  const [{ status, error } = { status: 0, error: null }] = data;
  assert.equal(status, null);
  // On a busy machine, some may have timed out already.
  assert.match(String(error), /^The connection failed \(ECONNRESET\)\.$|^No response within 10 seconds\.$/);
});
