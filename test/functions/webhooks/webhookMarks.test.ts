import assert from "node:assert/strict";
import { afterAll, beforeAll, beforeEach, test } from "@jest/globals";
import { lists, webhookShards } from "../../../functions/table/lists.ts";
import { listItems } from "../../../functions/table/reads.ts";
import { openTable } from "../../../functions/table/table.ts";
import { putItem } from "../../../functions/table/writes.ts";
import { itemOf, type StoredWebhook } from "../../../functions/webhooks/storedWebhook.ts";
import type { WebhookUpdate } from "../../../functions/webhooks/webhook.ts";
import { startLocalQueues, useLocalQueues } from "../../../local/queues.ts";
import { useTestTable } from "../../support/data/testTable.ts";
import { actor, atTime, now, storedOf } from "../../support/webhooks/repositories.ts";

const url = "https://93.184.215.14/hook";
const failing = { failing_since: "2031-05-05T09:00:00.000Z", failures: 5, next_attempt: "2031-05-05T11:00:00.000Z" };
const soon = { next_attempt: "2031-05-05T10:00:12.000Z", look_at: "2031-05-25T10:00:00.000Z" };
let queues: Awaited<ReturnType<typeof startLocalQueues>>;

beforeAll(async () => {
  queues = await startLocalQueues();
  useLocalQueues(queues);
});
afterAll(() => queues.stop());
beforeEach(async () => {
  await useTestTable();
  await queues.webhooks.purge();
});

/** Makes a webhook that was created before {@link now}, and is idle apart from these settings. */
async function stage(settings: Partial<StoredWebhook> = {}): Promise<StoredWebhook> {
  const { id } = (await atTime(now - 60_000).create({ url }, actor)).webhook;
  const stored = { ...(await storedOf(id)), next_attempt: null, ...settings };
  await putItem(openTable(), itemOf(stored));
  await queues.webhooks.purge();
  return stored;
}

const woken = () => queues.webhooks.delayed().map(({ body }) => JSON.parse(body).id);

async function assertSoon(id: string): Promise<void> {
  const { next_attempt, look_at } = await storedOf(id);
  assert.deepEqual([{ next_attempt, look_at }, woken()], [soon, [id]]);
}

test("a new webhook is due soon, and is woken", async () => {
  const { webhook } = await atTime(now).create({ url }, actor);
  assert.equal(webhook.next_attempt, soon.next_attempt);
  await assertSoon(webhook.id);
});

const updates: Record<string, WebhookUpdate> = {
  "another address": { url: `${url}2` },
  "other types": { types: ["order"] },
  "a continuation": { status: "active" },
};

for (const [what, update] of Object.entries(updates))
  test(`${what} makes a webhook due soon, and wakes it`, async () => {
    const { id } = await stage(update.status && { status: "paused" });
    assert.equal((await atTime(now).update(id, update, actor)).next_attempt, soon.next_attempt);
    await assertSoon(id);
  });

test("a replay makes a webhook due soon, and wakes it", async () => {
  const { id } = await stage();
  assert.equal((await atTime(now).replay(id, "2031-05-01", actor)).next_attempt, soon.next_attempt);
  await assertSoon(id);
});

test("another address, a continuation and a replay end the wait for a retry; only another address counts as not failing", async () => {
  const { failing_since: since } = failing;
  for (const [change, expected] of [
    [(id: string) => atTime(now).update(id, { url: `${url}2` }, actor), null],
    [(id: string) => atTime(now).update(id, { url: `${url}2`, status: "active" }, actor), null],
    [(id: string) => atTime(now).update(id, { status: "active" }, actor), since],
    [(id: string) => atTime(now).replay(id, "2031-05-01", actor), since],
  ] as const) {
    const { id } = await stage(failing);
    await change(id);
    const { failing_since, failures, next_attempt } = await storedOf(id);
    assert.deepEqual([failing_since, failures, next_attempt], [expected, 0, soon.next_attempt]);
  }
  const { id } = await stage(failing);
  await atTime(now).update(id, { types: ["order"] }, actor);
  assert.equal((await storedOf(id)).failures, 5);
});

test("a paused webhook is neither due nor woken, whatever else is changed", async () => {
  const { id } = await stage(failing);
  assert.equal((await atTime(now).update(id, { status: "paused" }, actor)).next_attempt, null);
  await atTime(now).update(id, { url: `${url}2`, types: ["order"] }, actor);
  await atTime(now).replay(id, "2031-05-01", actor);
  assert.deepEqual([(await storedOf(id)).next_attempt, woken()], [null, []]);
});

test("of each list of the sweep, the webhooks that have been due for longest are first", async () => {
  const stored = await stage();
  const at = (index: number) => new Date(now - ((index * 7) % 40)).toISOString();
  const items = Array.from({ length: 40 }, (_, id) => itemOf({ ...stored, id: String(id), next_attempt: at(id) }));
  await Promise.all(items.map((item) => putItem(openTable(), item)));
  for (const shard of webhookShards) {
    const due = (await listItems(openTable(), lists.dueWebhooks(shard), 50)).items.map(
      (item) => item.next_attempt ?? "~",
    );
    assert.deepEqual(due, due.toSorted());
  }
});

test("another description or secret leaves the attempts as they are planned", async () => {
  const { revision, ...before } = await stage(failing);
  await atTime(now).update(before.id, { description: "CRM" }, actor);
  await atTime(now).rotateSecret(before.id, actor);
  await atTime(now).update(before.id, { earlier_secret_until: null }, actor);
  const after = { ...before, description: "CRM", secret_version: 2, revision: revision + 3 };
  assert.deepEqual([await storedOf(before.id), woken()], [after, []]);
});
