import assert from "node:assert/strict";
import { beforeAll, beforeEach, jest, test } from "@jest/globals";
import { acceptance } from "../../../functions/records/acceptance.ts";
import { balanceRepository, maximumRetryMs, uniqueInteger } from "../../../functions/records/balanceRepository.ts";
import { noTurn, waitForTurn } from "../../../functions/records/balanceTurn.ts";
import { repositoryOf } from "../../../functions/records/resourceRepository.ts";
import { balancePayments } from "../../../functions/resources/balancePayment.ts";
import { clockOf, TableClock } from "../../../functions/table/clock.ts";
import { keys } from "../../../functions/table/keys.ts";
import { getItem } from "../../../functions/table/reads.ts";
import { openTable } from "../../../functions/table/table.ts";
import { updateItem } from "../../../functions/table/writes.ts";
import { type Fault, type FaultyProxy, startFaultyProxy } from "../../support/data/faultyProxy.ts";
import { eventRecord } from "../../support/data/records.ts";
import { dumpTable, putRecords } from "../../support/data/table.ts";
import { useTestTable } from "../../support/data/testTable.ts";

let proxy: FaultyProxy;
beforeAll(async () => {
  proxy = await startFaultyProxy(String(process.env.TEST_DYNAMODB_ENDPOINT));
  process.env.TEST_DYNAMODB_ENDPOINT = proxy.url;
});
beforeEach(async () => {
  proxy.faultOf = () => undefined;
  await useTestTable();
  await putRecords([eventRecord(1, 7), eventRecord(1, 8)]);
});

const payment = (amount: number) => ({ type: "payment" as const, amount });
const refund = (amount: number) => ({ type: "refund" as const, amount });
const recorder = (idempotencyKey?: string, keyId = "key") => ({ keyId, keyPrefix: "tsk_12345678", idempotencyKey });

function record(body: ReturnType<typeof payment | typeof refund>, idempotencyKey?: string, keyId?: string) {
  return balanceRepository(1, openTable()).record(7, body, recorder(idempotencyKey, keyId));
}

/** Records a payment or refund that must not be refused. */
async function made(...request: Parameters<typeof record>) {
  const { outcome } = await record(...request);
  assert.ok("recorded" in outcome);
  return outcome.recorded;
}

async function recorded(eventId = 7) {
  const page = { per_page: 200, cursor: undefined };
  return (await repositoryOf(balancePayments)(1, openTable()).ofEvent(eventId, page)).data;
}

test("each record adds to or subtracts from the event's balance, and is never changed", async () => {
  const first = await made(payment(500));
  const second = await made(refund(200));
  const third = await made(payment(50));
  const ledger = await recorded();
  assert.deepEqual(ledger, [third, second, first]);
  assert.deepEqual(
    ledger.map(({ balance_after }) => balance_after),
    [350, 300, 500],
  );
  assert.deepEqual(await recorded(8), []);
});

test("a refund that exceeds the recorded balance is refused and changes nothing", async () => {
  await record(payment(500));
  await record(refund(400));
  const before = await dumpTable();
  for (const amount of [101, Number.MAX_SAFE_INTEGER]) {
    const refused = "The refund exceeds the recorded balance of 100.";
    assert.deepEqual(await record(refund(amount)), { outcome: { refused }, isReplayed: false });
  }
  assert.deepEqual(await dumpTable(), before);
});

test("a request refused under an Idempotency-Key stays refused after later records", async () => {
  const { outcome: refusal } = await record(refund(1), "once");
  assert.ok("refused" in refusal);
  await record(payment(500));
  assert.deepEqual(await record(refund(1), "once"), { outcome: refusal, isReplayed: true });
  assert.equal((await recorded()).length, 1);
});

test("of two concurrent tries under one Idempotency-Key, the later one's refusal applies to both", async () => {
  await record(payment(10));
  const underWay = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  proxy.faultOf = ({ action }) => (action === "TransactWriteItems" ? hold : undefined);
  const hold: Fault = (_, forward) => {
    proxy.faultOf = () => undefined;
    underWay.resolve();
    void released.promise.then(forward);
  };
  const earlier = record(refund(10), "once");
  await underWay.promise;
  await record(refund(10));
  const later = await record(refund(10), "once");
  assert.ok("refused" in later.outcome);
  await record(payment(10));
  released.resolve();
  assert.deepEqual(await earlier, { outcome: later.outcome, isReplayed: true });
});

test("a balance above the largest safe integer is refused", async () => {
  await record(payment(Number.MAX_SAFE_INTEGER));
  assert.deepEqual((await record(payment(1))).outcome, { refused: "The balance would be too large." });
});

test("concurrent refunds never exceed the balance", async () => {
  await record(payment(300));
  const refunds = await Promise.all(Array.from({ length: 12 }, () => record(refund(100))));
  assert.equal(refunds.filter(({ outcome }) => "recorded" in outcome).length, 3);
  assert.equal((await recorded())[0]?.balance_after, 0);
});

test("the same request under one Idempotency-Key records once, even concurrently", async () => {
  const answers = await Promise.all(Array.from({ length: 8 }, () => record(payment(500), "once")));
  assert.equal(answers.filter(({ isReplayed }) => !isReplayed).length, 1);
  for (const { outcome } of answers) assert.deepEqual(outcome, answers[0]?.outcome);
  assert.equal((await recorded()).length, 1);
});

test("a different request under a used Idempotency-Key is refused, and each API key has its own Idempotency-Keys", async () => {
  await record(payment(500), "once");
  await assert.rejects(record(payment(501), "once"), { code: "idempotency_mismatch" });
  await assert.rejects(record(refund(500), "once"), { code: "idempotency_mismatch" });
  const ofOtherEvent = balanceRepository(1, openTable()).record(8, payment(500), recorder("once"));
  await assert.rejects(ofOtherEvent, { code: "idempotency_mismatch" });
  assert.equal((await record(payment(500), "once", "another key")).isReplayed, false);
  assert.equal((await recorded()).length, 2);
});

test("an Idempotency-Key can be used again after a day, even if DynamoDB has not yet removed its entry", async () => {
  await record(payment(500), "once");
  const [entry] = (await dumpTable()).filter(({ SK }) => SK === "IDEMPOTENCY");
  const nowSeconds = Math.floor(Date.now() / 1000);
  assert.ok(Math.abs(Number(entry?.expires_at) - nowSeconds - 24 * 60 * 60) < 60);
  const key = { PK: String(entry?.PK), SK: "IDEMPOTENCY" };
  await updateItem(openTable(), key, { update: "SET expires_at = :past", values: { ":past": nowSeconds } });
  assert.equal((await record(payment(501), "once")).isReplayed, false);
  assert.equal((await record(payment(501), "once")).isReplayed, true);
});

test("an Idempotency-Key lasts a day of the table's time, whatever the clocks of the processes", async () => {
  const localMs = Date.now;
  const recordOn = (days: number, key: string) => {
    jest.spyOn(Date, "now").mockImplementation(() => localMs() + days * 24 * 60 * 60 * 1_000);
    return balanceRepository(1, openTable(undefined, new TableClock())).record(7, payment(500), recorder(key));
  };
  for (const [first, second] of [
    [0, 2],
    [-2, 0],
  ] as const) {
    const { outcome } = await recordOn(first, `${first}`);
    assert.deepEqual(await recordOn(second, `${first}`), { outcome, isReplayed: true });
  }
});

test("a record has the table's time, unless its sender gives another", async () => {
  const nowMs = Date.UTC(2027, 0, 1);
  const now = new Date(nowMs).toISOString();
  const clock = clockOf(() => nowMs);
  const balances = balanceRepository(1, openTable(undefined, clock));
  for (const [sent, date] of [
    [{}, now],
    [{ date: "2026-12-24" }, "2026-12-24"],
  ] as const) {
    const { outcome } = await balances.record(7, { ...payment(500), ...sent }, recorder());
    const { date_created, ...recorded } = Object("recorded" in outcome && outcome.recorded);
    assert.deepEqual([date_created, recorded.date], [now, date]);
  }
});

test("a retry under the same Idempotency-Key after a lost response records nothing again, and makes it the latest change", async () => {
  const landUnanswered: Fault = (outgoing, forward) => {
    forward();
    outgoing.destroy();
  };
  proxy.faultOf = ({ action }) => (action === "TransactWriteItems" ? landUnanswered : undefined);
  await assert.rejects(record(payment(500), "once"), { name: "Unavailable" });
  proxy.faultOf = () => undefined;
  while ((await recorded()).length === 0);
  const [{ id } = { id: 0 }] = await recorded();
  const stamp = async () => String((await getItem(openTable(), keys.balance_payment(1, id)))?.[acceptance]);
  const before = await stamp();
  assert.equal((await record(payment(500), "once")).isReplayed, true);
  assert.ok((await stamp()) > before);
  assert.equal((await recorded()).length, 1);
});

test("an event of another organisation and one that does not exist are not found", async () => {
  for (const [organisationId, eventId] of [
    [2, 7],
    [1, 9],
  ] as const) {
    const recording = balanceRepository(organisationId, openTable()).record(eventId, payment(1), recorder("x"));
    await assert.rejects(recording, { code: "not_found" });
  }
});

test("a record costs one read and one write", async () => {
  const table = openTable();
  await balanceRepository(1, table).record(7, payment(1), recorder("x"));
  assert.deepEqual(table.usage.calls, { BatchGetItem: 1, TransactWriteItems: 1 });
});

test("of concurrent requests for one event each succeeds, in few tries", async () => {
  await putRecords([eventRecord(1, 77)]);
  // A busy machine may take longer than a request may.
  const now = Date.now();
  jest.spyOn(Date, "now").mockImplementation(() => now);
  const table = openTable();
  // Time passes with each try: pauses of a busy machine would look like requests that have ended without their turns.
  jest.spyOn(performance, "now").mockImplementation(() => table.usage.calls.TransactWriteItems ?? 0);
  const outcomes: Awaited<ReturnType<typeof record>>["outcome"][] = [];
  const sendThree = async () => {
    for (let sent = 0; sent < 3; sent++) {
      outcomes.push((await balanceRepository(1, table).record(77, payment(1), recorder())).outcome);
    }
  };
  await Promise.all(Array.from({ length: 20 }, sendThree));
  const balances = outcomes.map((outcome) => "recorded" in outcome && outcome.recorded.balance_after);
  assert.deepEqual(
    balances.toSorted((one, other) => Number(one) - Number(other)),
    Array.from({ length: 60 }, (_, index) => index + 1),
  );
  // The first twenty try at once, and then each in its turn.
  assert.ok(Number(table.usage.calls.TransactWriteItems) <= 120, JSON.stringify(table.usage.calls));
});

/** Cancels the next transactions because of other requests' transactions. */
function conflict(times: number): void {
  const __type = "com.amazonaws.dynamodb.v20120810#TransactionCanceledException";
  const cancelled = JSON.stringify({
    __type,
    CancellationReasons: [{ Code: "TransactionConflict" }, { Code: "None" }],
  });
  let left = times;
  proxy.faultOf = ({ action }) =>
    action === "TransactWriteItems" && left-- > 0 ? (outgoing) => outgoing.writeHead(400).end(cancelled) : undefined;
}

/** Gives an event's next turns to requests that end without using them. */
async function endTurns(eventId: number, next_turn: number): Promise<void> {
  const change = { update: "SET next_turn = :next", values: { ":next": next_turn } };
  await updateItem(openTable(), keys.balanceTurns(1, eventId), change);
}

/** Records a payment or a refund. @returns the calls that it took. */
async function callsOf(body: ReturnType<typeof payment | typeof refund>) {
  const table = openTable();
  await balanceRepository(1, table).record(7, body, recorder());
  return table.usage.calls;
}
const withoutTurn = { BatchGetItem: 1, TransactWriteItems: 1 };

test("after a request that waited, the next one takes a turn before it tries, until nobody waits", async () => {
  await endTurns(7, 3);
  conflict(1);
  assert.ok(Number((await callsOf(payment(1))).GetItem) > 1);
  assert.deepEqual(await callsOf(payment(1)), { BatchGetItem: 1, UpdateItem: 1, GetItem: 1, TransactWriteItems: 1 });
  assert.deepEqual(await callsOf(payment(1)), withoutTurn);
});

test("the turns of requests that have ended delay only one request", async () => {
  await endTurns(7, 1_000_000);
  conflict(1);
  const outcomes = await Promise.all([record(payment(1)), record(payment(1)), record(payment(1))]);
  assert.ok(outcomes.every(({ outcome }) => "recorded" in outcome));
  conflict(1);
  const calls = await callsOf(payment(1));
  assert.ok(Number(calls.GetItem) <= 2, JSON.stringify(calls));
});

test("turns begin again behind a balance that has moved on", async () => {
  for (let count = 0; count < 5; count++) await record(payment(1));
  await endTurns(7, 2);
  conflict(1);
  const calls = await callsOf(payment(1));
  assert.deepEqual(calls, { BatchGetItem: 2, UpdateItem: 2, GetItem: 1, TransactWriteItems: 2 });
});

test("a request keeps its turn when others' transactions conflict with its own", async () => {
  conflict(3);
  const { UpdateItem, TransactWriteItems } = await callsOf(payment(1));
  assert.deepEqual({ UpdateItem, TransactWriteItems }, { UpdateItem: 2, TransactWriteItems: 4 });
});

test("a request that tried before its turn keeps its turn", async () => {
  await endTurns(7, 3);
  conflict(9);
  assert.equal((await callsOf(payment(1))).UpdateItem, 1);
});

test("a refused request passes its turn on", async () => {
  conflict(1);
  assert.ok("refused" in (await record(refund(1), "once")).outcome);
  conflict(1);
  assert.equal((await callsOf(payment(1))).GetItem, 1);
});

test("a request that conflicts with others many times in a row still succeeds", async () => {
  conflict(9);
  assert.equal((await made(payment(5))).balance_after, 5);
});

test("a request whose turn does not come within 20 seconds is refused for now", async () => {
  await endTurns(7, 3);
  conflict(1);
  const start = Date.now();
  const later = jest.spyOn(Date, "now");
  const refused = assert.rejects(made(payment(1)), { name: "Unavailable" });
  later.mockImplementation(() => start + 30_000);
  await refused;
  assert.deepEqual(await recorded(), []);
});

test("ids are positive safe integers until 2090, and later ones are greater", () => {
  const years = [2026, 2027, 2050, 2090].map((year) => uniqueInteger(Date.UTC(year, 0, 1)));
  assert.ok(years.every((id) => Number.isSafeInteger(id) && id > 0));
  assert.deepEqual(
    [...years].sort((one, other) => one - other),
    years,
  );
});

test("ids of one millisecond are mostly different", () => {
  const now = Date.now();
  assert.ok(new Set(Array.from({ length: 50 }, () => uniqueInteger(now))).size > 40);
});

test("the counter of turns expires a day after its last use", async () => {
  const place = { organisationId: 1, eventId: 7, revision: 0 };
  await waitForTurn(openTable(), place, noTurn, Date.now() + maximumRetryMs);
  const { expires_at } = (await getItem(openTable(), keys.balanceTurns(1, 7))) ?? {};
  assert.ok(Math.abs(Number(expires_at) - Date.now() / 1_000 - 24 * 60 * 60) < 60);
});
