import assert from "node:assert/strict";
import { beforeEach, test } from "@jest/globals";
import { balanceRepository, uniqueInteger } from "../../../functions/records/balanceRepository.ts";
import { changeTimeAttribute } from "../../../functions/records/changeTime.ts";
import { balancePayments } from "../../../functions/resources/balancePayment.ts";
import { TableClock } from "../../../functions/table/clock.ts";
import { itemKeys } from "../../../functions/table/itemKeys.ts";
import { getItem } from "../../../functions/table/reads.ts";
import { openTable } from "../../../functions/table/table.ts";
import { updateItem } from "../../../functions/table/writes.ts";
import { conflict, type Fault, failing, unanswered, useFaultyProxy } from "../../support/data/faultyProxy.ts";
import { eventRecord } from "../../support/data/records.ts";
import { repositoryOf } from "../../support/data/repositoryOf.ts";
import { dumpTable, putRecords, tableAt } from "../../support/data/table.ts";
import { useTestTable } from "../../support/data/testTable.ts";

const proxy = await useFaultyProxy();
beforeEach(async () => {
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

const changeTimeOf = async (id: number) =>
  String((await getItem(openTable(), itemKeys.balance_payment(1, id)))?.[changeTimeAttribute]);

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

/** Sends a request and holds its transaction back. @returns its outcome, and the function that lets it go on. */
async function heldBack(...request: Parameters<typeof record>) {
  const underWay = Promise.withResolvers<() => void>();
  proxy.faultOf = ({ action }) => (action === "TransactWriteItems" ? hold : undefined);
  const hold: Fault = (_, forward) => {
    proxy.faultOf = () => undefined;
    underWay.resolve(() => void forward());
  };
  const outcome = record(...request);
  return { outcome, release: await underWay.promise };
}

test("two concurrent tries under one Idempotency-Key both get the outcome that was stored first", async () => {
  await record(payment(10));
  const recording = await heldBack(refund(10), "recorded too late");
  await record(refund(10));
  const refused = await record(refund(10), "recorded too late");
  assert.ok("refused" in refused.outcome);
  const refusal = await heldBack(refund(10), "refused too late");
  await record(payment(10));
  const { outcome } = await record(refund(10), "refused too late");
  assert.ok("recorded" in outcome);
  await record(payment(10));
  recording.release();
  refusal.release();
  assert.deepEqual(await recording.outcome, { outcome: refused.outcome, isReplayed: true });
  assert.deepEqual(await refusal.outcome, { outcome, isReplayed: true });
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

test("a different request of the same API key under a used Idempotency-Key is refused", async () => {
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
  const recordOn = (days: number, key: string) => {
    const clock = new TableClock(() => Date.now() + days * 24 * 60 * 60 * 1_000);
    return balanceRepository(1, openTable(undefined, clock)).record(7, payment(500), recorder(key));
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
  const balances = balanceRepository(
    1,
    tableAt(() => nowMs),
  );
  for (const [sent, date] of [
    [{}, now],
    [{ date: "2026-12-24" }, "2026-12-24"],
  ] as const) {
    const { outcome } = await balances.record(7, { ...payment(500), ...sent }, recorder());
    const { date_created, ...recorded } = Object("recorded" in outcome && outcome.recorded);
    assert.deepEqual([date_created, recorded.date], [now, date]);
  }
});

test("a record is accepted at the time that it shows", async () => {
  let nowMs = Date.UTC(2027, 0, 1);
  const passing = tableAt(() => nowMs++);
  const { outcome } = await balanceRepository(1, passing).record(7, payment(500), recorder());
  assert.ok("recorded" in outcome);
  const { id, date_created } = outcome.recorded;
  const item = await getItem(passing, itemKeys.balance_payment(1, id));
  assert.equal(String(item?.[changeTimeAttribute]).split("#")[0], date_created);
});

test("a date is refused if it is more than a day ahead, and a repetition of an earlier request is not", async () => {
  let nowMs = Date.UTC(2026, 10, 30, 12);
  const balances = balanceRepository(
    1,
    tableAt(() => nowMs),
  );
  const send = (date: string, key?: string) => balances.record(7, { ...payment(500), date }, recorder(key));
  const before = await dumpTable();
  for (const date of ["2026-12-01T12:00:00.000001Z", "2026-12-01T12:00:01", "2026-12-02", "9999-12-31"])
    await assert.rejects(send(date, "ahead"), { code: "date_in_future" });
  assert.deepEqual(await dumpTable(), before);
  for (const date of [
    "2026-12-01T12:00:00Z",
    "2026-12-01",
    "2026-12-01T12:00:00",
    "2026-12-02T01:00:00+13:00",
    "0001-01-01",
  ])
    assert.ok("recorded" in (await send(date)).outcome, date);
  const first = await send("2026-12-01T12:00:00Z", "once");
  nowMs -= 60_000;
  assert.deepEqual(await send("2026-12-01T12:00:00Z", "once"), { ...first, isReplayed: true });
});

test("a retry after a lost response records nothing again, but becomes the latest change", async () => {
  proxy.faultOf = failing("TransactWriteItems", Infinity, unanswered);
  await assert.rejects(record(payment(500), "once"), { name: "Unavailable" });
  proxy.faultOf = () => undefined;
  const [{ id } = { id: 0 }] = await recorded();
  const before = await changeTimeOf(id);
  assert.equal((await record(payment(500), "once")).isReplayed, true);
  assert.ok((await changeTimeOf(id)) > before);
  assert.equal((await recorded()).length, 1);
});

test("a request that conflicts with others many times in a row still succeeds", async () => {
  proxy.faultOf = failing("TransactWriteItems", 9, conflict);
  assert.equal((await made(payment(5))).balance_after, 5);
});

test("a request that conflicts with others until its deadline records nothing and is refused for now", async () => {
  proxy.faultOf = failing("TransactWriteItems", 1, conflict);
  const recording = balanceRepository(1, openTable(), 0).record(7, payment(1), recorder());
  await assert.rejects(recording, { code: "service_unavailable" });
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
