import assert from "node:assert/strict";
import { jest, test } from "@jest/globals";
import { Webhook } from "standardwebhooks";
import { balanceRepository } from "../../../functions/records/balanceRepository.ts";
import { visibilityDelayMs } from "../../../functions/records/changeTime.ts";
import { recordItem, tombstone } from "../../../functions/records/recordItem.ts";
import { upsertRecord } from "../../../functions/records/upsertRecord.ts";
import { itemKeys } from "../../../functions/table/itemKeys.ts";
import { partitions } from "../../../functions/table/lists.ts";
import { getItem, listAllItems } from "../../../functions/table/reads.ts";
import { putItem, updateItem, updateOf } from "../../../functions/table/writes.ts";
import { disabledAfterMs, retryMs } from "../../../functions/webhooks/attemptOutcome.ts";
import { productVersion } from "../../../functions/webhooks/sendMessage.ts";
import { schedule, wakeDelayMs } from "../../../functions/webhooks/storedWebhook.ts";
import packageJson from "../../../package.json" with { type: "json" };
import { interceptCalls } from "../../support/data/interceptCalls.ts";
import { anyRecord, orderRecord } from "../../support/data/records.ts";
import {
  bodies,
  change,
  create,
  dayMs,
  deliver,
  ids,
  iso,
  poll,
  repository,
  setWebhook,
  show,
  state,
  stored,
  table,
  useDeliveries,
} from "../../support/webhooks/deliveries.ts";
import { actor } from "../../support/webhooks/repositories.ts";

useDeliveries();

const hourMs = 60 * 60 * 1_000;
const coalescingMs = 5_000;
/** The ids that each message names. */
const idsIn = () => bodies().map(({ data }) => data.changes.map(({ id }: { id: number }) => id));

/** A webhook with a change to send. */
async function createWithChange(name = "A"): Promise<string> {
  const { id } = await create(["event"]);
  await change(1, name);
  show();
  return id;
}

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
  assert.equal(await deliver(id), coalescingMs);
  const timestamp = iso(0);
  show();
  assert.equal(await deliver(id), undefined);
  const [{ headers, body } = { headers: {}, body: "" }, ...others] = state.received;
  assert.deepEqual(others, []);
  assert.deepEqual(new Webhook(secret).verify(body, { ...headers }), JSON.parse(body));
  const [first, last] = JSON.parse(body).data.changes.map(({ changed_at }: { changed_at: string }) => changed_at);
  const changes = [
    {
      type: "ticket_category",
      id: 7,
      event_id: 1,
      change: "upserted",
      changed_at: first,
      key: `ticket_category-7-${first}`,
    },
    { type: "event", id: 2, change: "deleted", changed_at: last, key: `event-2-${last}` },
  ];
  const data = { organisation_id: state.organisationId, has_more: false, changes };
  assert.deepEqual(bodies(), [{ type: "changes", timestamp, data }]);
  const { delivered_until, next_attempt, failing_since } = await repository().get(id);
  assert.deepEqual([delivered_until, next_attempt, failing_since], [last, null, null]);
  const { accept, "user-agent": agent } = Object(headers);
  const product = `Ticketing-Webhooks/${packageJson.version} (+https://api.example/docs/webhooks.md)`;
  assert.deepEqual([accept, agent, productVersion], ["*/*", product, packageJson.version]);
});

test("a webhook gets only its types and its organisation's changes, and a balance payment with its event", async () => {
  await change(1, "Gala");
  const { id } = await create(["order", "balance_payment"]);
  await change(2, "A");
  await upsertRecord(table, recordItem(orderRecord(state.organisationId, 5)));
  await upsertRecord(table, recordItem(orderRecord(state.organisationId + 1_000, 6)));
  state.nowMs += 1_000;
  const recorder = { keyId: "key", keyPrefix: "tsk_12345678", idempotencyKey: undefined };
  await balanceRepository(state.organisationId, table).record(1, { type: "payment", amount: 5 }, recorder);
  show();
  await deliver(id);
  const changes = bodies()[0].data.changes.map(({ type, event_id }: Record<string, unknown>) => [type, event_id]);
  assert.deepEqual(changes, [
    ["order", undefined],
    ["balance_payment", 1],
  ]);
});

test("a full message is followed at once, and changes of five seconds are merged into one message", async () => {
  const { id } = await create(["event"]);
  for (let number = 1; number <= 230; number++) await change(number, "A");
  show();
  assert.deepEqual([await deliver(id), await deliver(id), await deliver(id)], [0, 0, coalescingMs]);
  assert.deepEqual(
    bodies().map(({ data }) => [data.changes.length, data.has_more]),
    [
      [100, true],
      [100, true],
      [30, false],
    ],
  );
  assert.deepEqual(
    idsIn().flat(),
    Array.from({ length: 230 }, (_, index) => index + 1),
  );
  // Shown during the pause.
  await change(1, "B");
  state.nowMs += coalescingMs - 2_001;
  assert.equal(await deliver(id), undefined);
  state.nowMs += 2_000;
  assert.equal(await deliver(id), 1);
  state.nowMs += visibilityDelayMs;
  assert.equal(await deliver(id), coalescingMs);
  assert.deepEqual(idsIn().at(-1), [1]);
});

test("damaged items are left out, and what changed after a whole page of them is sent", async () => {
  const { id } = await create();
  for (let event = 1; event <= 101; event++) await change(event, "A");
  const damage = updateOf({ set: { name: 7 } });
  for (let event = 1; event <= 100; event++)
    await updateItem(table, itemKeys.event(state.organisationId, event), damage, "NONE");
  show();
  await deliver(id);
  assert.deepEqual(idsIn(), [[101]]);
});

test("a failed message is retried with the same id after each documented delay", async () => {
  const id = await createWithChange();
  const failures = [500, null, 302, 404, 500, 500, 500, 500, 500];
  const started = iso(9_000);
  for (const [index, ms] of [...retryMs, 12 * hourMs].entries()) {
    const failSlowly = async () => {
      state.nowMs += 9_000;
      return failures[index] ?? null;
    };
    state.answers = [failSlowly];
    const wakeMs = await deliver(id);
    assert.equal(wakeMs, ms <= 30_000 ? ms : undefined);
    const { failing_since, next_attempt, delivered_until } = await repository().get(id);
    assert.deepEqual([failing_since, next_attempt, delivered_until], [started, iso(ms), null]);
    // Too early, and nearly in time.
    state.nowMs += ms - 2_001;
    assert.equal(await deliver(id), undefined);
    state.nowMs += 2_000;
    assert.equal(await deliver(id), 1);
    assert.equal(state.received.length, index + 1);
    state.nowMs += 1;
  }
  await deliver(id);
  assert.equal(new Set(ids()).size, 1);
  assert.equal(state.received.length, 10);
  const { failing_since, delivered_until } = await repository().get(id);
  assert.deepEqual([failing_since, delivered_until === null], [null, false]);
  const { data } = await repository().listDeliveries(id, { per_page: 50 });
  assert.deepEqual(
    data
      .slice(0, 3)
      .map(({ attempt, status, error, changes, message_id }) => [attempt, status, error, changes, message_id]),
    [10, 9, 8].map((attempt) => [attempt, attempt === 10 ? 200 : 500, null, 1, ids()[0]]),
  );
  assert.ok(!JSON.stringify(data).includes("secret"));
  const [attempt] = await listAllItems(table, partitions.webhookDeliveries(state.organisationId, id));
  assert.equal(attempt?.expires_at, Math.floor(Date.parse(String(attempt?.time)) / 1_000) + 7 * 24 * 60 * 60);
});

test("a receiver's Retry-After only makes the next attempt later", async () => {
  const id = await createWithChange();
  for (const [retryAfterMs, delayMs] of [
    [60_000, 60_000],
    [1_000, 30_000],
  ] as const) {
    state.answers = [{ status: 503, retryAfterMs }];
    assert.equal(await deliver(id), delayMs);
    state.nowMs += delayMs;
  }
});

test("410 and five days of failures disable a webhook, which sends nothing until it is active again", async () => {
  for (const gone of [true, false]) {
    const id = await createWithChange(`${gone}`);
    state.received = [];
    state.answers = gone ? [410] : Array.from({ length: 40 }, () => 500);
    const started = state.nowMs;
    for (; (await stored(id)).status === "active"; await deliver(id))
      state.nowMs = Math.max(
        state.nowMs,
        Math.min(Date.parse((await stored(id)).next_poll ?? ""), state.nowMs + dayMs / 2),
      );
    if (!gone) assert.ok(state.nowMs - started >= disabledAfterMs && state.nowMs - started < disabledAfterMs + dayMs);
    state.answers = [];
    const before = state.received.length;
    state.nowMs += dayMs;
    assert.equal(await deliver(id), undefined);
    assert.equal(state.received.length, before);
    const item = () => getItem(table, itemKeys.webhook(state.organisationId, id));
    assert.ok((await item())?.webhook_disabled);
    await repository().update(id, { status: "active" }, actor);
    show();
    await deliver(id);
    assert.equal(ids().at(-1), ids()[0]);
    assert.equal((await item())?.webhook_disabled, undefined);
  }
});

test("fewer than eight failures do not disable a webhook, however long ago the first one was", async () => {
  for (const failures of [1, 6, 7]) {
    const id = await createWithChange(`${failures}`);
    const longAgo = iso(-disabledAfterMs - dayMs);
    await setWebhook(id, { failing_since: longAgo, failures, next_poll: iso(0) });
    state.answers = [500];
    await deliver(id);
    const { status, failing_since } = await stored(id);
    assert.deepEqual([status, failing_since], failures === 7 ? ["disabled", longAgo] : ["active", iso(0)]);
  }
});

test("a webhook that continues after more than 30 days sends `restart` and starts over", async () => {
  const { id } = await create();
  for (const round of [1, 2]) {
    await change(round, "A");
    await repository().update(id, { status: "paused" }, actor);
    state.nowMs += 31 * dayMs;
    await change(round, "B");
    await repository().update(id, { status: "active" }, actor);
    show();
    state.answers = [500];
    assert.equal(await deliver(id), retryMs[0]);
    state.nowMs += 5_000;
    await deliver(id);
  }
  assert.deepEqual(
    bodies().map(({ type, data }) => [type, data]),
    Array.from({ length: 4 }, () => ["restart", { organisation_id: state.organisationId }]),
  );
  // A retry is the same message, a restart from another position is not.
  assert.equal(new Set(ids()).size, 2);
  await change(3, "C");
  show();
  await deliver(id);
  assert.equal(bodies().at(-1).data.changes[0].id, 3);
});

test("the sweep polls an idle webhook before its position expires", async () => {
  const { id } = await create();
  for (let days = 0; days < 40; days++) {
    state.nowMs += dayMs;
    const { next_poll } = await stored(id);
    if (String(next_poll) <= iso(0)) await deliver(id);
  }
  await change(1, "A");
  show();
  await deliver(id);
  assert.deepEqual(
    bodies().map(({ type }) => type),
    ["changes"],
  );
});

test("a replay sends again what was delivered, marks its attempts, and cannot skip anything", async () => {
  const { id } = await create();
  const from = iso(0);
  await change(1, "A");
  state.nowMs += 60_000;
  await change(2, "B");
  show();
  await deliver(id);
  const invalid = { code: "invalid_request" };
  for (const time of [iso(0), iso(dayMs), iso(-31 * dayMs)])
    await assert.rejects(repository().replay(id, time, actor), invalid);
  await repository().replay((await create()).id, iso(-30 * dayMs), actor);
  state.nowMs += 5_000;
  for (const _ of [1, 2]) await repository().replay(id, from, actor);
  show();
  state.answers = [500];
  await deliver(id);
  state.nowMs += 5_000;
  await deliver(id);
  assert.deepEqual(idsIn(), [
    [1, 2],
    [1, 2],
    [1, 2],
  ]);
  const last = iso(0);
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
});

test("a change that a user makes during an attempt is kept, and what it schedules is polled", async () => {
  const during = async (act: (id: string) => Promise<unknown>, status: number) => {
    const id = await createWithChange(`${status} ${act}`);
    state.received = [];
    state.answers = [() => act(id).then(() => status)];
    await deliver(id);
    return id;
  };
  const paused = await during((id) => repository().update(id, { status: "paused" }, actor), 500);
  assert.deepEqual([(await stored(paused)).status, (await stored(paused)).next_poll], ["paused", null]);

  const moved = await during((id) => repository().update(id, { url: "https://203.0.114.8/" }, actor), 500);
  assert.deepEqual([(await stored(moved)).failing_since, (await stored(moved)).failures], [null, 0]);
  show();
  await deliver(moved);
  assert.equal(ids()[1], ids()[0]);

  const named = await during((id) => repository().update(id, { description: "CRM" }, actor), 200);
  const { description, delivered_until } = await repository().get(named);
  assert.deepEqual([description, delivered_until === null], ["CRM", false]);

  const deleted = await during((id) => repository().delete(id, actor), 200);
  await assert.rejects(repository().get(deleted), { code: "not_found" });
  assert.deepEqual(await listAllItems(table, partitions.webhookDeliveries(state.organisationId, deleted)), []);

  const from = iso(-60_000);
  const replayed = await during((id) => repository().replay(id, from, actor), 200);
  show();
  await deliver(replayed);
  assert.equal(ids().length, 2);

  for (const status of [200, 500])
    for (const act of [
      (id: string) => repository().update(id, { types: ["event", "order"] }, actor),
      (id: string) => schedule(table, state.organisationId, id),
    ])
      assert.equal((await stored(await during(act, status))).next_poll, iso(wakeDelayMs));
});

test("two runs post a message once, and an overtaken run leaves the other's claim", async () => {
  const id = await createWithChange();
  let other: unknown = "none";
  state.answers = [
    async () => {
      await change(2, "B");
      show();
      other = await deliver(id);
      return 200;
    },
  ];
  assert.equal(await deliver(id), 0);
  assert.equal(other, undefined);
  await deliver(id);
  assert.deepEqual(idsIn(), [[1], [2]]);

  await change(3, "C");
  show();
  const claim = { claim_id: "other", claimed_until: iso(10_000), revision: 90 };
  state.answers = [() => setWebhook(id, claim).then(() => 200)];
  await deliver(id);
  const { claim_id, claimed_until, revision } = await stored(id);
  assert.deepEqual({ claim_id, claimed_until, revision }, claim);
});

test("concurrent changes do not prevent claiming, scheduling or idling", async () => {
  const id = await createWithChange();
  const updateBeforeWrite = (description: string) =>
    interceptCalls(async ({ name }, send) => {
      if (name !== "PutCommand") return send();
      jest.restoreAllMocks();
      await repository().update(id, { description }, actor);
      return send();
    });
  updateBeforeWrite("one");
  assert.equal(await deliver(id), 0);
  assert.equal(await deliver(id), coalescingMs);
  show();
  updateBeforeWrite("two");
  assert.equal(await deliver(id), undefined);
  updateBeforeWrite("three");
  await schedule(table, state.organisationId, id);
  const { description, next_poll } = await stored(id);
  assert.deepEqual([description, next_poll, state.received.length], ["three", iso(wakeDelayMs), 1]);
});

test("a suspended organisation's webhooks send nothing", async () => {
  const id = await createWithChange();
  const access = itemKeys.access(state.organisationId);
  await putItem(table, { ...access, suspended: iso(0) });
  await setWebhook(id, { next_poll: iso(0) });
  assert.equal(await deliver(id), undefined);
  assert.deepEqual([(await stored(id)).next_poll, state.received], [iso(20 * dayMs), []]);
  await updateItem(table, access, { update: "REMOVE suspended" });
  await deliver(id);
  assert.equal(state.received.length, 1);
});

test("lateness is only the delay that the service itself causes", async () => {
  const late = async (id: string) => (await poll(id)).report?.lateMs;
  const { id } = await create();
  await change(1, "A");
  state.nowMs += visibilityDelayMs + 2_000;
  state.answers = [500, 500];
  assert.equal(await late(id), 2_000);
  for (const ms of retryMs.slice(0, 2)) {
    state.nowMs += ms;
    assert.equal(await late(id), 0);
  }
  for (let number = 2; number <= 102; number++) await change(number, "A");
  state.nowMs += visibilityDelayMs + 6_000;
  const answerSlowly = async () => {
    state.nowMs += 9_000;
    return 200;
  };
  state.answers = [answerSlowly];
  assert.equal(await late(id), 6_000);
  assert.equal(await late(id), 0);
  await change(4, "B");
  state.nowMs += visibilityDelayMs + 400_000;
  assert.equal(await late(id), 400_000);
});
