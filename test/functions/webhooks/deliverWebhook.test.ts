import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { beforeAll, beforeEach, test } from "@jest/globals";
import { Webhook } from "standardwebhooks";
import { changingTypes } from "../../../functions/changes/change.ts";
import { horizonMs } from "../../../functions/changes/changeRepository.ts";
import { recordItem, tombstone } from "../../../functions/records/recordItem.ts";
import { upsertRecord } from "../../../functions/records/upsertRecord.ts";
import { clockOf } from "../../../functions/table/clock.ts";
import { keys } from "../../../functions/table/keys.ts";
import { getItem } from "../../../functions/table/reads.ts";
import { openTable } from "../../../functions/table/table.ts";
import { updateItem, updateOf } from "../../../functions/table/writes.ts";
import { deliverWebhook, disabledAfterMs, retryMs } from "../../../functions/webhooks/deliverWebhook.ts";
import type { Answered } from "../../../functions/webhooks/receiver.ts";
import { type Mac, signingSecret } from "../../../functions/webhooks/signature.ts";
import { earlierSecretMs, readWebhook, type Sender } from "../../../functions/webhooks/storedWebhook.ts";
import { webhookListRepository } from "../../../functions/webhooks/webhookListRepository.ts";
import { webhookRepository } from "../../../functions/webhooks/webhookRepository.ts";
import { anyRecord, eventRecord, orderRecord } from "../../support/data/records.ts";
import { useTestTable } from "../../support/data/testTable.ts";

const mac: Mac = async (text) => createHmac("sha256", "a key of this test").update(text).digest();
const actor = { name: "Ada", subject: "1" };
const url = "https://203.0.114.7/hook?token=7";
const dayMs = 24 * 60 * 60 * 1_000;

let organisationId = 0;
let nowMs = 0;
const table = openTable(
  undefined,
  clockOf(() => nowMs),
);
/** What the receiver answers to the next messages; 200 by default. Called before it answers. */
let answers: (number | null | (() => Promise<number>))[] = [];
interface Received {
  headers: Readonly<Record<string, string>>;
  body: string;
}
let received: Received[] = [];

const sender: Sender = {
  mac,
  async post(_url, headers, body): Promise<Answered> {
    received.push({ headers, body });
    const next = answers.length > 0 ? answers.shift() : 200;
    const status = (typeof next === "function" ? await next() : next) ?? null;
    return {
      status,
      durationMs: 3,
      error: status === null ? "No response within 10 seconds." : null,
      response: "secret",
    };
  },
};
const repository = () => ({
  ...webhookRepository(organisationId, table, sender),
  ...webhookListRepository(organisationId, table),
});
const never = new AbortController().signal;
const deliver = (id: string, aheadMs = 0) =>
  deliverWebhook(table, { organisation_id: organisationId, id }, { signal: never, sender, now: () => nowMs + aheadMs });

beforeAll(async () => {
  await useTestTable();
});
beforeEach(() => {
  organisationId += 1;
  nowMs = Math.max(nowMs, Date.now()) + dayMs;
  answers = [];
  received = [];
});

const create = async (types: ("order" | "event" | "ticket_category")[] | null = null) =>
  (await repository().create({ url, types }, actor)).webhook;
const change = (id: number, name: string) => upsertRecord(table, recordItem(eventRecord(organisationId, id, { name })));
/** Lets the changes so far be shown, and messages be far enough apart. */
const show = () => {
  nowMs += horizonMs + 2_000;
};
const bodies = () => received.map(({ body }) => JSON.parse(body));
const ids = () => received.map(({ headers }) => headers["webhook-id"]);

test("changes and deletions arrive once, in order, without data, signed by Standard Webhooks", async () => {
  // The library compares the time with its own clock.
  nowMs = Date.now() - 60_000;
  await change(1, "Before");
  show();
  const { id, secret } = await create();
  nowMs += 1_000;
  await change(2, "A");
  nowMs += 1_000;
  await upsertRecord(table, recordItem(anyRecord("ticket_category", organisationId, 7, "Stalls")));
  nowMs += 1_000;
  const deletion = { type: "event", organisation_id: organisationId, id: 2, deleted: true, version: 9 } as const;
  await upsertRecord(table, tombstone(deletion));
  assert.equal(await deliver(id), undefined);
  assert.deepEqual(received, []);
  show();
  assert.equal(await deliver(id), undefined);
  assert.equal(await deliver(id), undefined);
  const [{ headers, body } = { headers: {}, body: "" }, ...others] = received;
  assert.deepEqual(others, []);
  assert.deepEqual(new Webhook(secret).verify(body, { ...headers }), JSON.parse(body));
  const { changed_at: first } = JSON.parse(body).data.changes[0];
  assert.deepEqual(bodies(), [
    {
      type: "changes",
      timestamp: new Date(nowMs).toISOString(),
      data: {
        organisation_id: organisationId,
        has_more: false,
        changes: [
          { type: "ticket_category", id: 7, event_id: 1, change: "upserted", changed_at: first },
          { type: "event", id: 2, change: "deleted", changed_at: bodies()[0].data.changes[1].changed_at },
        ],
      },
    },
  ]);
  const { delivered_until, next_attempt, failing_since } = await repository().get(id);
  assert.deepEqual(
    [delivered_until, next_attempt, failing_since],
    [bodies()[0].data.changes[1].changed_at, null, null],
  );
});

test("more than a message holds is sent at once; other messages are five seconds apart", async () => {
  const { id } = await create(["event"]);
  for (let number = 1; number <= 230; number++) await change(number, "A");
  show();
  assert.equal(await deliver(id), 5_000);
  assert.deepEqual(
    bodies().map(({ data }) => [data.changes.length, data.has_more]),
    [
      [100, true],
      [100, true],
    ],
  );
  nowMs += 5_000;
  assert.equal(await deliver(id), undefined);
  const all = bodies().flatMap(({ data }) => data.changes.map((one: { id: number }) => one.id));
  assert.deepEqual(
    all,
    Array.from({ length: 230 }, (_, index) => index + 1),
  );
});

test("damaged items are left out, and what changed after a whole page of them is sent", async () => {
  const { id } = await create();
  for (let event = 1; event <= 101; event++) await change(event, "A");
  const damage = updateOf({ set: { name: 7 } });
  for (let event = 1; event <= 100; event++) await updateItem(table, keys.event(organisationId, event), damage, "NONE");
  show();
  assert.equal(await deliver(id), undefined);
  assert.deepEqual(
    bodies().map(({ data }) => data.changes.map((one: { id: number }) => one.id)),
    [[101]],
  );
});

test("a message from a consumer whose clock is ahead does not delay the next", async () => {
  const { id } = await create();
  await change(1, "A");
  show();
  assert.equal(await deliver(id, dayMs), undefined);
  await change(2, "B");
  show();
  assert.equal(await deliver(id), undefined);
  assert.equal(received.length, 2);
});

test("a webhook gets only its types, and another's changes never", async () => {
  const { id } = await create(["order"]);
  await change(1, "A");
  await upsertRecord(table, recordItem(orderRecord(organisationId, 5)));
  await upsertRecord(table, recordItem(orderRecord(organisationId + 1_000, 6)));
  show();
  await deliver(id);
  assert.deepEqual(
    bodies().flatMap(({ data }) => data.changes.map(({ type, id: of }: { type: string; id: number }) => [type, of])),
    [["order", 5]],
  );
});

test("a failed message is retried with the same id after each documented time, and moves nothing until it is taken", async () => {
  const { id } = await create();
  await change(1, "A");
  show();
  answers = [500, null, 302, 404, 500, 500, 500, 500, 500];
  const started = nowMs;
  const waits: number[] = [];
  for (const [index, ms] of [...retryMs, 12 * 60 * 60 * 1_000].entries()) {
    assert.equal(await deliver(id), ms);
    const { failing_since, next_attempt, delivered_until } = await repository().get(id);
    assert.deepEqual(
      [failing_since, next_attempt, delivered_until],
      [new Date(started).toISOString(), new Date(nowMs + ms).toISOString(), null],
    );
    // Too early.
    nowMs += ms - 1;
    assert.equal(await deliver(id), 1);
    assert.equal(received.length, index + 1);
    nowMs += 1;
    waits.push(ms);
  }
  assert.deepEqual(
    waits.map((ms) => ms / 1_000),
    [5, 30, 120, 600, 3_600, 10_800, 21_600, 43_200, 43_200],
  );
  assert.equal(await deliver(id), undefined);
  assert.equal(new Set(ids()).size, 1);
  assert.equal(received.length, 10);
  const { failing_since, next_attempt, delivered_until } = await repository().get(id);
  assert.deepEqual([failing_since, next_attempt, delivered_until === null], [null, null, false]);
  const { data } = await repository().listDeliveries(id, { per_page: 3 });
  assert.deepEqual(
    data.map(({ attempt, status, error, changes, message_id }) => [attempt, status, error, changes, message_id]),
    [10, 9, 8].map((attempt) => [attempt, attempt === 10 ? 200 : 500, null, 1, ids()[0]]),
  );
  assert.ok(!JSON.stringify(await repository().listDeliveries(id, { per_page: 50 })).includes("secret"));
});

test("410 disables at once and five days of failures later; then nothing is sent until it is active again", async () => {
  for (const gone of [true, false]) {
    const { id } = await create();
    await change(1, gone ? "A" : "B");
    show();
    received = [];
    answers = gone ? [410] : Array.from({ length: 40 }, () => 500);
    const started = nowMs;
    while ((await repository().get(id)).status === "active") nowMs += (await deliver(id)) ?? 0;
    if (!gone) assert.ok(nowMs - started >= disabledAfterMs && nowMs - started < disabledAfterMs + dayMs);
    answers = [];
    const before = received.length;
    nowMs += dayMs;
    assert.equal(await deliver(id), undefined);
    assert.equal(received.length, before);
    assert.ok((await getItem(table, keys.webhook(organisationId, id)))?.webhook_disabled);
    await repository().update(id, { status: "active" }, actor);
    assert.equal(await deliver(id), undefined);
    assert.equal(ids().at(-1), ids()[0]);
    assert.equal((await getItem(table, keys.webhook(organisationId, id)))?.webhook_disabled, undefined);
    await repository().delete(id, actor);
  }
});

test("a webhook that continues after more than 30 days begins anew with a restart", async () => {
  const { id } = await create();
  await change(1, "A");
  await repository().update(id, { status: "paused" }, actor);
  nowMs += 31 * dayMs;
  await change(2, "B");
  show();
  await repository().update(id, { status: "active" }, actor);
  answers = [500];
  assert.equal(await deliver(id), 5_000);
  nowMs += 5_000;
  await deliver(id);
  assert.deepEqual(
    bodies().map(({ type, data }) => [type, data]),
    [
      ["restart", { organisation_id: organisationId }],
      ["restart", { organisation_id: organisationId }],
    ],
  );
  assert.equal(new Set(ids()).size, 1);
  await change(3, "C");
  show();
  await deliver(id);
  assert.deepEqual(
    bodies()
      .at(-1)
      .data.changes.map((one: { id: number }) => one.id),
    [3],
  );
});

test("an idle webhook never grows too old, and costs no write but one an hour", async () => {
  const { id } = await create();
  const revisions = new Set<number>();
  for (let hours = 0; hours < 40 * 24; hours += 20) {
    nowMs += 20 * 60 * 60 * 1_000;
    await deliver(id);
    await deliver(id);
    revisions.add((await readWebhook(table, organisationId, id))?.revision ?? 0);
  }
  assert.equal(revisions.size, 48);
  assert.equal(Math.max(...revisions), 49);
  await change(1, "A");
  show();
  await deliver(id);
  assert.deepEqual(
    bodies().map(({ type }) => type),
    ["changes"],
  );
});

test("a webhook of all types without changes costs at most 250,000 read units a month, with a sweep each minute", async () => {
  const { id } = await create();
  nowMs += 60 * 60 * 1_000;
  await deliver(id);
  const calls = { ...table.usage.calls };
  await deliver(id);
  const { GetItem = 0, Query = 0 } = table.usage.calls;
  const [reads, queries] = [GetItem - (calls.GetItem ?? 0), Query - (calls.Query ?? 0)];
  assert.deepEqual([reads, queries, table.usage.calls.PutItem], [1, changingTypes.length, calls.PutItem]);
  // An empty query of an index costs half a unit, a consistent read of up to 4 KB one.
  const bytes = Buffer.byteLength(JSON.stringify(await getItem(table, keys.webhook(organisationId, id))));
  assert.ok(bytes < 1_024);
  const unitsOfSweep = bytes / 4_096 / 2;
  assert.ok((reads + queries / 2 + unitsOfSweep) * 31 * 24 * 60 <= 250_000);
});

test("after a rotation both secrets verify for a day, and then only the new one", async () => {
  const { id, secret } = await create();
  const rotated = await repository().rotateSecret(id, actor);
  assert.notEqual(rotated.secret, secret);
  assert.equal(rotated.secret, await signingSecret(mac, { organisationId, webhookId: id, version: 2 }));
  await change(1, "A");
  // The rotation used this process's clock.
  nowMs = Date.now() + earlierSecretMs - 60_000;
  await deliver(id);
  nowMs += 120_000;
  await change(1, "B");
  show();
  await deliver(id);
  assert.deepEqual(
    received.map(({ headers }) => headers["webhook-signature"]?.split(" ").length),
    [2, 1],
  );
});

test("a replay sends again what was delivered, and cannot skip anything", async () => {
  const { id } = await create();
  const from = new Date(nowMs).toISOString();
  await change(1, "A");
  nowMs += 60_000;
  await change(2, "B");
  show();
  await deliver(id);
  const invalid = { code: "invalid_request" };
  const days = (number: number) => new Date(nowMs + number * dayMs).toISOString();
  await assert.rejects(repository().replay(id, days(1), actor), invalid);
  await assert.rejects(repository().replay(id, days(-31), actor), invalid);
  nowMs += 5_000;
  await repository().replay(id, from, actor);
  await deliver(id);
  assert.deepEqual(
    bodies().map(({ data }) => data.changes),
    [bodies()[0].data.changes, bodies()[0].data.changes],
  );
});

test("what people do while a message is on its way is kept", async () => {
  const during = async (act: (id: string) => Promise<unknown>, status: number) => {
    const { id } = await create();
    await change(1, `${status} ${act}`);
    show();
    answers = [async () => Object(await act(id)) && status];
    await deliver(id);
    return id;
  };
  const paused = await during((id) => repository().update(id, { status: "paused" }, actor), 500);
  assert.deepEqual(
    [(await repository().get(paused)).status, (await repository().get(paused)).next_attempt],
    ["paused", null],
  );
  const moved = await during((id) => repository().update(id, { url: "https://203.0.114.8/" }, actor), 500);
  assert.deepEqual([(await repository().get(moved)).next_attempt, ids().length], [null, 3]);
  const named = await during((id) => repository().update(id, { description: "CRM" }, actor), 200);
  const { description, delivered_until } = await repository().get(named);
  assert.deepEqual([description, delivered_until === null], ["CRM", false]);
  const deleted = await during(
    async (id) =>
      repository()
        .delete(id, actor)
        .then(() => ({})),
    200,
  );
  await assert.rejects(repository().get(deleted), { code: "not_found" });
  const replayed = await during((id) => repository().replay(id, new Date(nowMs - 60_000).toISOString(), actor), 200);
  assert.ok(ids().length >= 6, replayed);
});
