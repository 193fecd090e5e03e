import assert from "node:assert/strict";
import { test } from "@jest/globals";
import { Webhook } from "standardwebhooks";
import { changingTypes } from "../../../functions/changes/change.ts";
import { balanceRepository } from "../../../functions/records/balanceRepository.ts";
import { recordItem, tombstone } from "../../../functions/records/recordItem.ts";
import { upsertRecord } from "../../../functions/records/upsertRecord.ts";
import { keys } from "../../../functions/table/keys.ts";
import { lists } from "../../../functions/table/lists.ts";
import { getItem, listAllItems } from "../../../functions/table/reads.ts";
import { updateItem, updateOf } from "../../../functions/table/writes.ts";
import { disabledAfterMs, retryMs } from "../../../functions/webhooks/attempt.ts";
import type { WebhookChange } from "../../../functions/webhooks/message.ts";
import { readWebhook } from "../../../functions/webhooks/storedWebhook.ts";
import { anyRecord, orderRecord } from "../../support/data/records.ts";
import {
  actor,
  bodies,
  change,
  create,
  dayMs,
  deliver,
  ids,
  repository,
  setWebhook,
  show,
  state,
  table,
  useDeliveries,
} from "../../support/webhooks/deliveries.ts";

useDeliveries();

test("changes and deletions arrive once, in order, without data, signed by Standard Webhooks", async () => {
  // The library compares the time with its own clock.
  state.nowMs = Date.now() - 60_000;
  await change(1, "Before");
  show();
  const { id, secret } = await create();
  state.nowMs += 1_000;
  await change(2, "A");
  state.nowMs += 1_000;
  await upsertRecord(table, recordItem(anyRecord("ticket_category", state.organisationId, 7, "Stalls")));
  state.nowMs += 1_000;
  const deletion = { type: "event", organisation_id: state.organisationId, id: 2, deleted: true, version: 9 } as const;
  await upsertRecord(table, tombstone(deletion));
  assert.equal(await deliver(id), undefined);
  assert.deepEqual(state.received, []);
  show();
  assert.equal(await deliver(id), undefined);
  assert.equal(await deliver(id), undefined);
  const [{ headers, body } = { headers: {}, body: "" }, ...others] = state.received;
  assert.deepEqual(others, []);
  assert.deepEqual(new Webhook(secret).verify(body, { ...headers }), JSON.parse(body));
  const { changed_at: first } = JSON.parse(body).data.changes[0];
  assert.deepEqual(bodies(), [
    {
      type: "changes",
      timestamp: new Date(state.nowMs).toISOString(),
      data: {
        organisation_id: state.organisationId,
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

test("a balance payment comes with its event, because no path leads to it by its id", async () => {
  await change(1, "Gala");
  const { id } = await create(["balance_payment"]);
  const recorder = { keyId: "key", keyPrefix: "tsk_12345678", idempotencyKey: undefined };
  await balanceRepository(state.organisationId, table).record(1, { type: "payment", amount: 5 }, recorder);
  show();
  await deliver(id);
  const [{ changes }] = bodies().map(({ data }) => data);
  assert.deepEqual(
    changes.map(({ type, event_id }: WebhookChange) => [type, event_id]),
    [["balance_payment", 1]],
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
  state.nowMs += 2_000;
  assert.equal(await deliver(id), 3_000);
  state.nowMs += 3_000;
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
  for (let event = 1; event <= 100; event++)
    await updateItem(table, keys.event(state.organisationId, event), damage, "NONE");
  show();
  assert.equal(await deliver(id), undefined);
  assert.deepEqual(
    bodies().map(({ data }) => data.changes.map((one: { id: number }) => one.id)),
    [[101]],
  );
});

test("a webhook gets only its types, and another's changes never", async () => {
  const { id } = await create(["order"]);
  await change(1, "A");
  await upsertRecord(table, recordItem(orderRecord(state.organisationId, 5)));
  await upsertRecord(table, recordItem(orderRecord(state.organisationId + 1_000, 6)));
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
  state.answers = [500, null, 302, 404, 500, 500, 500, 500, 500];
  const started = state.nowMs;
  const waits: number[] = [];
  for (const [index, ms] of [...retryMs, 12 * 60 * 60 * 1_000].entries()) {
    assert.equal(await deliver(id), ms);
    const { failing_since, next_attempt, delivered_until } = await repository().get(id);
    assert.deepEqual(
      [failing_since, next_attempt, delivered_until],
      [new Date(started).toISOString(), new Date(state.nowMs + ms).toISOString(), null],
    );
    // Too early, and nearly in time.
    state.nowMs += ms - 2_001;
    assert.equal(await deliver(id), undefined);
    state.nowMs += 2_000;
    assert.equal(await deliver(id), 1);
    assert.equal(state.received.length, index + 1);
    state.nowMs += 1;
    waits.push(ms);
  }
  assert.deepEqual(
    waits.map((ms) => ms / 1_000),
    [5, 30, 120, 600, 3_600, 10_800, 21_600, 43_200, 43_200],
  );
  assert.equal(await deliver(id), undefined);
  assert.equal(new Set(ids()).size, 1);
  assert.equal(state.received.length, 10);
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
    state.received = [];
    state.answers = gone ? [410] : Array.from({ length: 40 }, () => 500);
    const started = state.nowMs;
    while ((await repository().get(id)).status === "active") state.nowMs += (await deliver(id)) ?? 0;
    if (!gone) assert.ok(state.nowMs - started >= disabledAfterMs && state.nowMs - started < disabledAfterMs + dayMs);
    state.answers = [];
    const before = state.received.length;
    state.nowMs += dayMs;
    assert.equal(await deliver(id), undefined);
    assert.equal(state.received.length, before);
    assert.ok((await getItem(table, keys.webhook(state.organisationId, id)))?.webhook_disabled);
    await repository().update(id, { status: "active" }, actor);
    show();
    assert.equal(await deliver(id), undefined);
    assert.equal(ids().at(-1), ids()[0]);
    assert.equal((await getItem(table, keys.webhook(state.organisationId, id)))?.webhook_disabled, undefined);
    await repository().delete(id, actor);
  }
});

test("a webhook between two attempts is tried within seconds once it is set to active, as a first attempt", async () => {
  const { id } = await create();
  await change(1, "A");
  show();
  state.answers = [500, 500, 500, 500];
  for (let attempt = 1; attempt <= 4; attempt++) state.nowMs += (await deliver(id)) ?? 0;
  const { next_attempt } = await repository().update(id, { status: "active" }, actor);
  assert.ok(Date.parse(String(next_attempt)) - state.nowMs < 15_000, String(next_attempt));
  state.nowMs += 15_000;
  await deliver(id);
  const { data } = await repository().listDeliveries(id, { per_page: 50 });
  assert.deepEqual(
    data.map(({ attempt, status }) => [attempt, status]),
    [[1, 200], ...[4, 3, 2, 1].map((number) => [number, 500])],
  );
});

test("a webhook that continues after more than 30 days begins anew with a restart", async () => {
  const { id } = await create();
  await change(1, "A");
  await repository().update(id, { status: "paused" }, actor);
  state.nowMs += 31 * dayMs;
  await change(2, "B");
  await repository().update(id, { status: "active" }, actor);
  show();
  state.answers = [500];
  assert.equal(await deliver(id), 5_000);
  state.nowMs += 5_000;
  await deliver(id);
  assert.deepEqual(
    bodies().map(({ type, data }) => [type, data]),
    [
      ["restart", { organisation_id: state.organisationId }],
      ["restart", { organisation_id: state.organisationId }],
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

test("an idle webhook never grows too old, and its looks write once an hour at most", async () => {
  const { id } = await create();
  const revisions = new Set<number>();
  for (let hours = 0; hours < 40 * 24; hours += 20) {
    state.nowMs += 20 * 60 * 60 * 1_000;
    await deliver(id);
    await deliver(id);
    revisions.add((await readWebhook(table, state.organisationId, id))?.revision ?? 0);
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

test("a look at a webhook of all types without changes costs one consistent read, a query for each type, and no write", async () => {
  const { id } = await create();
  const hourMs = 60 * 60 * 1_000;
  // A position changes every hour.
  state.nowMs = Math.ceil(state.nowMs / hourMs + 1) * hourMs - 120_000;
  await deliver(id);
  state.nowMs += 60_000;
  const before: Record<string, number> = { ...table.usage.calls };
  await deliver(id);
  const added = Object.entries(table.usage.calls).map(([name, count = 0]) => [name, count - (before[name] ?? 0)]);
  assert.deepEqual(
    added.filter(([, count]) => count !== 0),
    [
      ["GetItem", 1],
      ["Query", changingTypes.length],
    ],
  );
});

test("a message costs three writes: the claim, the outcome and the attempt", async () => {
  const { id } = await create();
  await change(1, "A");
  show();
  const before = { ...table.usage.calls };
  await deliver(id);
  const { GetItem = 0, Query = 0, PutItem = 0 } = table.usage.calls;
  const added = [GetItem - (before.GetItem ?? 0), Query - (before.Query ?? 0), PutItem - (before.PutItem ?? 0)];
  // Both looks read the webhook, and the first one whether the organisation is suspended.
  assert.deepEqual(added, [3, 2 * changingTypes.length, 3]);
});

test("a replay sends again what was delivered, and cannot skip anything", async () => {
  const { id } = await create();
  const from = new Date(state.nowMs).toISOString();
  await change(1, "A");
  state.nowMs += 60_000;
  await change(2, "B");
  show();
  await deliver(id);
  const invalid = { code: "invalid_request" };
  const days = (number: number) => new Date(state.nowMs + number * dayMs).toISOString();
  for (const later of [0, 1]) await assert.rejects(repository().replay(id, days(later), actor), invalid);
  await assert.rejects(repository().replay(id, days(-31), actor), invalid);
  await repository().replay((await create()).id, days(-30), actor);
  state.nowMs += 5_000;
  await repository().replay(id, from, actor);
  show();
  await deliver(id);
  assert.deepEqual(
    bodies().map(({ data }) => data.changes),
    [bodies()[0].data.changes, bodies()[0].data.changes],
  );
});

test("attempts that a replay causes are marked, also after a second replay, and later ones are not", async () => {
  const { id } = await create();
  const from = new Date(state.nowMs).toISOString();
  state.nowMs += 1_000;
  await change(1, "A");
  state.nowMs += 60_000;
  await change(2, "B");
  show();
  await deliver(id);
  state.nowMs += 5_000;
  await repository().replay(id, from, actor);
  await repository().replay(id, from, actor);
  show();
  state.answers = [500];
  await deliver(id);
  state.nowMs += 5_000;
  await deliver(id);
  const last = new Date(state.nowMs).toISOString();
  await change(3, "C");
  show();
  await deliver(id);
  await repository().replay(id, last, actor);
  show();
  await deliver(id);
  const { data } = await repository().listDeliveries(id, { per_page: 9 });
  assert.deepEqual(
    data.map(({ status, changes, replay }) => [status, changes, replay]),
    [
      [200, 1, true],
      [200, 1, false],
      [200, 2, true],
      [500, 2, true],
      [200, 2, false],
    ],
  );
  const [{ id: attempt = "" } = {}] = data;
  const asBefore = updateOf({ set: { changes: 1 }, remove: ["replay"] });
  await updateItem(table, keys.webhookDelivery(state.organisationId, id, attempt), asBefore, "NONE");
  assert.equal((await repository().listDeliveries(id, { per_page: 1 })).data[0]?.replay, null);
});

test("what people do while a message is on its way is kept", async () => {
  const during = async (act: (id: string) => Promise<unknown>, status: number) => {
    const { id } = await create();
    await change(1, `${status} ${act}`);
    show();
    state.answers = [() => act(id).then(() => status)];
    await deliver(id);
    return id;
  };
  const paused = await during((id) => repository().update(id, { status: "paused" }, actor), 500);
  assert.deepEqual(
    [(await repository().get(paused)).status, (await repository().get(paused)).next_attempt],
    ["paused", null],
  );
  const moved = await during((id) => repository().update(id, { url: "https://203.0.114.8/" }, actor), 500);
  assert.deepEqual([(await repository().get(moved)).failing_since, ids().length], [null, 2]);
  show();
  await deliver(moved);
  assert.equal(ids()[2], ids()[1]);
  const named = await during((id) => repository().update(id, { description: "CRM" }, actor), 200);
  const { description, delivered_until } = await repository().get(named);
  assert.deepEqual([description, delivered_until === null], ["CRM", false]);
  const deleted = await during((id) => repository().delete(id, actor), 200);
  await assert.rejects(repository().get(deleted), { code: "not_found" });
  assert.deepEqual(await listAllItems(table, lists.webhookDeliveries(state.organisationId, deleted)), []);
  const from = new Date(state.nowMs - 60_000).toISOString();
  const replayed = await during((id) => repository().replay(id, from, actor), 200);
  const sent = ids().length;
  show();
  await deliver(replayed);
  assert.equal(ids().length, sent + 1);
});

test("a run that a replay overtakes leaves another run's claim", async () => {
  const { id } = await create();
  const from = new Date(state.nowMs).toISOString();
  for (const name of ["A", "B"]) {
    if (name === "B") await deliver(id);
    await change(1, name);
    show();
  }
  const claimed_until = new Date(state.nowMs + 10_000).toISOString();
  state.answers = [
    async () => {
      await repository().replay(id, from, actor);
      await setWebhook(id, { claimed_until });
      return 200;
    },
  ];
  await deliver(id);
  assert.equal((await readWebhook(table, state.organisationId, id))?.claimed_until, claimed_until);
});
