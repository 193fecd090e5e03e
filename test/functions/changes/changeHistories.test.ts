import assert from "node:assert/strict";
import { setTimeout as wait } from "node:timers/promises";
import { beforeAll, test } from "@jest/globals";
import fc from "fast-check";
import { ChangesQuery } from "../../../functions/changes/change.ts";
import { changePositions, changeRepository } from "../../../functions/changes/changeRepository.ts";
import { Problem } from "../../../functions/problem.ts";
import { balanceRepository } from "../../../functions/records/balanceRepository.ts";
import { maximumWriteMs, visibilityDelayMs } from "../../../functions/records/changeTime.ts";
import { orderNoteRepository } from "../../../functions/records/orderNoteRepository.ts";
import { type RecordItem, recordItem, tombstone } from "../../../functions/records/recordItem.ts";
import { upsertRecord } from "../../../functions/records/upsertRecord.ts";
import { balancePayments } from "../../../functions/resources/balancePayment.ts";
import { type Clock, TableClock } from "../../../functions/table/clock.ts";
import { itemKeys } from "../../../functions/table/itemKeys.ts";
import { declaredList } from "../../../functions/table/lists.ts";
import { getItem, itemExists, listAllItems } from "../../../functions/table/reads.ts";
import { openTable, type Table } from "../../../functions/table/table.ts";
import { Unavailable } from "../../../functions/table/tableErrors.ts";
import { putItem } from "../../../functions/table/writes.ts";
import { timeOrderedId } from "../../../functions/values/timeOrderedId.ts";
import { deliverWebhook } from "../../../functions/webhooks/deliverWebhook.ts";
import { visibilityTimeoutMs } from "../../../functions/webhooks/deliveryLimits.ts";
import { itemOf, readWebhook } from "../../../functions/webhooks/storedWebhook.ts";
import { type FaultyProxy, faults, startFaultyProxy } from "../../support/data/faultyProxy.ts";
import { eventRecord, orderRecord } from "../../support/data/records.ts";
import { useTestTable } from "../../support/data/testTable.ts";
import { cases } from "../../support/jest/cases.ts";

/*
 * Plays random histories on a simulated clock: writers whose clocks are wrong by any amount, and are set in between, change, delete and restore
 * records, while their writes are delayed, refused or lose their responses, and some writers are killed. Readers with such clocks stop, lose pages
 * and continue at random, one from its cursor, one from the largest `changed_at` that it has stored. A webhook's receiver and the writes of its
 * position fail at random. At the end, each reader's copy must equal the table.
 */

/** A new one for each history. */
let organisationId = 0;
const ids = [1, 2, 3, 4];
const dayMs = 24 * 60 * 60 * 1_000;
/** The first error of each writer's clock, and then of each reader's. */
const clocksAhead = fc.array(
  fc.oneof(
    fc.constant(0),
    fc.integer({ min: -3_000, max: 3_000 }),
    fc.integer({ min: -400 * dayMs, max: 400 * dayMs }),
  ),
  { minLength: 5, maxLength: 5 },
);
const writers = 3;
let clocksAheadMs: number[] = [];
let tables: Table[] = [];

let nowMs = 0;
/** The faults of the coming writes, in order; none by default. */
let fates: Fate[] = [];
/** Writes that have not reached the table yet. */
let held: { dueMs: number; input: string; forward: () => void }[] = [];
/** The time that passes before and after DynamoDB answers the coming reads. */
let lags: (readonly [beforeMs: number, afterMs: number])[] = [];
let proxy: FaultyProxy;

beforeAll(async () => {
  proxy = await startFaultyProxy(String(process.env.TEST_DYNAMODB_ENDPOINT));
  process.env.TEST_DYNAMODB_ENDPOINT = proxy.url;
  await useTestTable();
  proxy.nowMs = () => nowMs;
  proxy.faultOf = ({ action, input }) => {
    if (["BatchGetItem", "GetItem", "Query"].includes(action)) return faultOfRead();
    if (!["PutItem", "TransactWriteItems", "UpdateItem"].includes(action)) return undefined;
    if (input.includes("#WEBHOOK")) return faultOfWebhook();
    const { delayMs, outcome } = fates.shift() ?? { delayMs: 0, outcome: "answered" };
    if (outcome === "refused") return faults["failing with 500"];
    return (outgoing, forward) => {
      const land = () => {
        forward();
        if (outcome === "unanswered") outgoing.destroy();
      };
      if (outcome === "abandoned") outgoing.destroy();
      if (delayMs === 0) land();
      else held.push({ dueMs: nowMs + delayMs, input, forward: land });
    };
  };
});

function faultOfRead(): ReturnType<FaultyProxy["faultOf"]> {
  const [beforeMs, afterMs] = lags.shift() ?? [0, 0];
  return (_outgoing, forward) => {
    nowMs += beforeMs;
    void forward().then(() => {
      nowMs += afterMs;
    });
  };
}

/** Random numbers from 0 to 99, each of which decides on a fault of the webhook's next call. */
let mishaps: number[] = [];
const mishap = () => mishaps.shift() ?? 99;

function faultOfWebhook(): ReturnType<FaultyProxy["faultOf"]> {
  const chance = mishap();
  if (chance < 10) return faults["failing with 500"];
  if (chance > 20) return undefined;
  return (outgoing, forward) => {
    forward();
    outgoing.destroy();
  };
}

/** An abandoned write reaches the table after its writer has repeated it. */
const outcomes = ["answered", "answered", "unanswered", "abandoned", "refused"] as const;
const fate = fc.record({
  // Some writes are slower than the visibility delay.
  delayMs: fc.oneof(
    { weight: 3, arbitrary: fc.constant(0) },
    { weight: 2, arbitrary: fc.integer({ min: 100, max: 4_000 }) },
    { weight: 1, arbitrary: fc.integer({ min: 4_000, max: 30_000 }) },
  ),
  outcome: fc.constantFrom(...outcomes),
});
type Fate = typeof fate extends fc.Arbitrary<infer Value> ? Value : never;

const lagMs = fc.oneof(fc.constant(0), fc.nat(500), fc.nat(2_000));

const read = fc.record({
  kind: fc.constant("read"),
  reader: fc.nat(2),
  perPage: fc.constantFrom(1, 2, 50, 1_000),
  isLost: fc.boolean(),
});
const step = fc.oneof(
  fc.record({
    kind: fc.constant("write"),
    writer: fc.nat(writers - 1),
    type: fc.constantFrom("event", "order"),
    id: fc.constantFrom(...ids),
    change: fc.constantFrom("upsert", "upsert", "delete", "note", "payment"),
    version: fc.option(fc.integer({ min: 0, max: 9 }), { nil: undefined }),
    text: fc.constantFrom("A", "B", "C"),
    killedAfterCalls: fc.option(fc.nat(2), { nil: undefined, freq: 3 }),
  }),
  read,
  fc.record({ kind: fc.constant("set"), clock: fc.nat(4), aheadMs: fc.integer({ min: -dayMs, max: dayMs }) }),
  fc.record({ kind: fc.constant("pass"), ms: fc.oneof(fc.nat(1_500), fc.nat(1_500), fc.nat(12_000)) }),
  read,
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

test("after any history, the copies of all readers equal the table", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 30, maxLength: 120, size: "max" }),
      fc.array(fate, { minLength: 20, maxLength: 60, size: "max" }),
      clocksAhead,
      fc.array(fc.integer({ min: 0, max: 99 }), { minLength: 40, maxLength: 80, size: "max" }),
      fc.array(fc.tuple(lagMs, lagMs), { minLength: 40, maxLength: 80, size: "max" }),
      async (steps, toCome, aheadMs, chances, delays) => {
        mishaps = [...chances];
        lags = [...delays];
        nowMs = Date.UTC(2026, 0, 1);
        organisationId += 1;
        held = [];
        fates = [...toCome];
        clocksAheadMs = [...aheadMs];
        tables = aheadMs.map((_, index) => {
          const localMs = () => nowMs + (clocksAheadMs[index] ?? 0);
          const clock = new TableClock(localMs, () => nowMs);
          return openTable(undefined, index < writers ? clock : aheadOfIndex(clock));
        });
        await play(steps);
      },
    ),
    // The order of writes varies, so a failure cannot be shrunk.
    { numRuns: cases(2, 50), endOnFailure: true },
  );
});

test("the latest possible change is not missed, even with the largest errors of the clocks", async () => {
  [nowMs, held, fates, lags] = [Date.UTC(2026, 0, 1), [], [], []];
  organisationId += 1;
  const clockOf = (aheadMs: number) =>
    new TableClock(
      () => nowMs + aheadMs,
      () => nowMs,
    );
  const [late, exact] = [clockOf(-dayMs), clockOf(0)].map((clock) => openTable(undefined, clock));
  const { copy, readPage } = reader(openTable(undefined, aheadOfIndex(clockOf(dayMs))), "changed_since");
  // A response at the end of a second leaves the writer's clock slow; one at the start leaves the reader's fast.
  nowMs += 999;
  for (const table of [late, exact]) await itemExists(table ?? openTable(), itemKeys.clock());
  nowMs += 1;
  await readPage(50);
  nowMs += 1_000;
  const upsert = (table: Table | undefined, id: number) =>
    upsertRecord(table ?? openTable(), recordItem(eventRecord(organisationId, id, { name: "A" })));
  await upsert(exact, 2);
  nowMs += 998;
  fates = [{ delayMs: maximumWriteMs, outcome: "answered" }];
  const writing = upsert(late, 1);
  while (held.length === 0) await wait(2);
  nowMs += maximumWriteMs - 1;
  await readPage(50);
  nowMs += 1;
  await landDue();
  await writing;
  nowMs += visibilityDelayMs;
  await readPage(50);
  assert.deepEqual([...copy.keys()], ["event 1", "event 2"]);
});

/** The index follows its table at once here. For a reader whose clock is a second ahead, that is the same as an index a second behind. */
function aheadOfIndex(clock: TableClock): Clock {
  const { uptimeMs } = clock;
  const observe: Clock["observe"] = (date, sentMs) => clock.observe(date, sentMs);
  return { nowMs: () => clock.nowMs() + 1_000, isSet: () => clock.isSet(), uptimeMs, observe };
}

async function play(steps: Step[]): Promise<void> {
  const [first = openTable(), second = openTable()] = tables.slice(writers);
  const readers = [reader(first, "cursor"), reader(second, "changed_since"), await webhookReader(first)];
  const writing = new Set<Promise<void>>();
  for (const [index, one] of steps.entries()) {
    if (one.kind === "pass") nowMs += one.ms;
    else if (one.kind === "set") clocksAheadMs[one.clock] = one.aheadMs;
    else if (one.kind === "read") await readers[one.reader]?.readPage(one.perPage, one.isLost);
    else {
      const written = write(one, index + 1).finally(() => writing.delete(written));
      writing.add(written);
    }
    await landDue();
  }
  while (writing.size > 0 || held.length > 0) {
    nowMs += 2_000;
    await landDue();
    for (const each of readers) await each.readPage(7);
  }
  nowMs += visibilityDelayMs + 3_000;
  const truth = await storedContents();
  for (const { copy, readPage } of readers) {
    while (await readPage(50));
    assert.deepEqual(Object.fromEntries(copy), truth);
  }
}

async function storedContents(): Promise<Record<string, string>> {
  const contents: Record<string, string> = {};
  for (const id of ids) {
    const event = await getItem(openTable(), itemKeys.event(organisationId, id));
    const order = await getItem(openTable(), itemKeys.order(organisationId, id));
    if (event) contents[`event ${id}`] = contentOf(event);
    if (order) contents[`order ${id}`] = contentOf(order);
    const payments = await listAllItems(openTable(), declaredList(balancePayments, "ofEvent", organisationId, id));
    for (const payment of payments) contents[`balance_payment ${payment.id}`] = contentOf(payment);
  }
  return contents;
}

async function landDue(): Promise<void> {
  const due = held.filter(({ dueMs }) => dueMs <= nowMs);
  held = held.filter((one) => !due.includes(one));
  for (const { forward } of due) forward();
  await wait(2);
}

class Killed extends Error {}

/** Writes as an import does: it repeats a write that failed, in another process if the first one was killed. */
async function write(step: Extract<Step, { kind: "write" }>, latest: number): Promise<void> {
  const { writer, killedAfterCalls } = step;
  const attempt = attemptOf(step, latest);
  if (killedAfterCalls !== undefined) {
    const table = tables[writer] ?? openTable();
    let calls = 0;
    const name = () => {
      calls += 1;
      if (calls > killedAfterCalls) throw new Killed();
      return table.name();
    };
    void attempt({ ...table, name }).catch((error: unknown) => {
      if (!(error instanceof Killed || error instanceof Unavailable)) throw error;
    });
    const redeliveredMs = nowMs + 3_000;
    while (nowMs < redeliveredMs) await wait(2);
  }
  const table = tables[killedAfterCalls === undefined ? writer : (writer + 1) % writers] ?? openTable();
  await untilTaken(() => attempt(table));
}

function attemptOf({ type, id, change, version, text }: Extract<Step, { kind: "write" }>, latest: number) {
  if (change === "note")
    return async (table: Table) => type === "order" && (await setNote(table, id, `${text} ${latest}`));
  if (change === "payment")
    return async (table: Table) => type === "event" && (await unlessMissing(recordPayment(table, id, latest)));
  const record =
    type === "event"
      ? eventRecord(organisationId, id, { name: text })
      : orderRecord(organisationId, id, { reference: text });
  const item: RecordItem =
    change === "delete"
      ? tombstone({ type: record.type, organisation_id: organisationId, id, deleted: true, version: version ?? latest })
      : recordItem({ ...record, version });
  let isRepeated = false;
  return (table: Table) => {
    const repeats = isRepeated;
    isRepeated = true;
    return upsertRecord(table, item, repeats);
  };
}

/** Records a payment under an Idempotency-Key, as integrators must. */
function recordPayment(table: Table, eventId: number, latest: number): Promise<unknown> {
  const recorder = { keyId: "key", keyPrefix: "tsk_12345678", idempotencyKey: String(latest) };
  return balanceRepository(organisationId, table).record(eventId, { type: "payment", amount: latest }, recorder);
}

async function setNote(table: Table, id: number, note: string): Promise<void> {
  if (await unlessMissing(orderNoteRepository(organisationId, table).set(id, note))) return;
  // docs/decisions/0015-changes.md makes no promise about a try that arrives after this response.
  held = held.filter(({ input }) => !input.includes(JSON.stringify(note)));
}

/** @returns false if the order or event to change does not exist. */
async function unlessMissing(change: Promise<unknown>): Promise<boolean> {
  return change.then(
    () => true,
    (error: unknown) => {
      if (error instanceof Problem && error.code === "not_found") return false;
      throw error;
    },
  );
}

async function untilTaken(attempt: () => Promise<unknown>): Promise<void> {
  for (;;) {
    try {
      await attempt();
      return;
    } catch (error) {
      if (!(error instanceof Unavailable)) throw error;
    }
  }
}

/** A copy that follows the documented recipe, or a tool that stores no cursor and starts each run at the largest `changed_at` of its rows. */
function reader(table: Table, resumption: "cursor" | "changed_since") {
  const copy = new Map<string, string>();
  let cursor: string | undefined;
  let largest: string | undefined;
  let start: string | undefined;
  async function readPage(perPage: number, isLost = false): Promise<boolean> {
    if (resumption === "changed_since" && cursor === undefined) start = largest;
    const position = { ...(cursor && { cursor }), ...(start && { changed_since: start }) };
    const query = ChangesQuery.parse({ types: "event,order,balance_payment", per_page: String(perPage), ...position });
    const { data, pagination } = await changeRepository(organisationId, table).list(query);
    if (isLost) {
      // The reader has lost the response, or was killed before it stored the page.
      if (resumption === "changed_since") cursor = undefined;
      return true;
    }
    for (const { type, id, data: row } of data) {
      const key = `${type} ${id}`;
      if (row === null) copy.delete(key);
      else copy.set(key, contentOf(row));
    }
    cursor = resumption === "cursor" ? pagination.resume_cursor : (pagination.next_cursor ?? undefined);
    // As written by tools that count nanoseconds.
    largest = data.at(-1)?.changed_at.replace("Z", "000000Z") ?? largest;
    return pagination.has_more;
  }
  return { copy, readPage };
}

/** A webhook's receiver, which reads what messages name. Each message may fail at the receiver, or its outcome in the table. */
async function webhookReader(table: Table) {
  const copy = new Map<string, string>();
  const [id, created] = [timeOrderedId(new Date(nowMs).toISOString()), new Date(nowMs).toISOString()];
  const types = ["event", "order", "balance_payment"] as const;
  const item = itemOf({
    ...{ id, organisation_id: organisationId, url: "https://203.0.114.7/", description: null, types: [...types] },
    ...{ status: "active", created, created_by: "Ada", delivered_until: null, claim_id: null, revision: 1 },
    ...{ failing_since: null, next_poll: created, failures: 0, secret_version: 1, earlier_secret_until: null },
    claimed_until: null,
    position: changePositions(organisationId).at([...types], created),
  });
  await untilTaken(() => putItem(openTable(), item));
  const post = async (_url: string, _headers: object, body: string) => {
    const chance = mishap();
    // The receiver has it, but its response is lost.
    if (chance > 15) await receive(JSON.parse(body).data.changes);
    const status = chance < 30 ? null : 204;
    return { status, durationMs: 1, error: null, isSent: true, response: "", retryAfterMs: null };
  };
  async function receive(changes: { type: (typeof types)[number]; id: number; change: string }[]): Promise<void> {
    for (const change of changes) {
      const item = await getItem(openTable(), itemKeys[change.type](organisationId, change.id));
      if (change.change === "deleted" || !item) copy.delete(`${change.type} ${change.id}`);
      else copy.set(`${change.type} ${change.id}`, contentOf(item));
    }
  }
  const sender = { mac: async () => Buffer.alloc(32), post };
  const run = { sender, baseUrl: "" };
  const ref = { organisation_id: organisationId, id };
  /** True if SQS has to redeliver the message of a failed run. */
  let isFailed = false;
  async function readPage(perPage: number): Promise<boolean> {
    let wakeMs: number | undefined;
    try {
      ({ wakeMs } = await deliverWebhook(table, ref, run));
    } catch (error) {
      if (!(error instanceof Unavailable)) throw error;
      isFailed = true;
    }
    if (perPage !== 50) return wakeMs !== undefined;
    // At the end of a history, time passes until nothing is left: other messages, the failed one, and the sweep.
    const { next_poll } = (await readWebhook(openTable(), organisationId, id)) ?? {};
    const isDue = Date.parse(next_poll ?? "") < nowMs + 24 * 60 * 60 * 1_000;
    if (wakeMs === undefined && !isFailed && !isDue) return false;
    nowMs += wakeMs ?? visibilityTimeoutMs;
    isFailed = isFailed && wakeMs !== undefined;
    return true;
  }
  return { copy, readPage };
}

/** The parts that change in these histories. */
function contentOf({ name, reference, admin_note, api_note, balance_after }: Record<string, unknown>): string {
  const note = typeof api_note === "object" && api_note && "admin_note" in api_note ? api_note.admin_note : admin_note;
  return JSON.stringify([name ?? reference ?? balance_after, note ?? null]);
}
