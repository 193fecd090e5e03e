import { randomInt } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import * as z from "zod";
import { notFound, serviceUnavailable } from "../problem.ts";
import { BalancePayment, type BalancePaymentInput, balancePayments } from "../resources/balancePayment.ts";
import { Event } from "../resources/event.ts";
import { storedForm } from "../resources/resource.ts";
import { ConditionFailed, isTransactionConflict } from "../table/errors.ts";
import { type IdempotencyKey, idempotencyEntry, idempotencyKeyOf, replayOf } from "../table/idempotency.ts";
import { type ItemKey, itemKeys } from "../table/itemKeys.ts";
import { changeKey, placeOf } from "../table/lists.ts";
import { getItems } from "../table/reads.ts";
import type { Table } from "../table/table.ts";
import { type TransactWrite, transactWrite } from "../table/writes.ts";
import { renewChangeTime, renewedIfSlow } from "./changeTime.ts";

const PaidEvent = storedForm(Event.pick({ id: true, currency_symbol: true, currency: true }));

/** The running total of what was recorded against an event's balance. Each change increases the revision, to detect concurrent ones. */
const Balance = z.object({ balance: z.int(), revision: z.int() });
type Balance = z.infer<typeof Balance>;
const emptyBalance: Balance = { balance: 0, revision: 0 };

/** Concurrent requests for one event succeed one after another. Each keeps trying for this time. */
export const maximumRetryMs = 20_000;
/**
 * The longest random pause before another try, as a multiple of the number of tries times the last try's duration. With 16 concurrent payments,
 * this kept half of one writer's rate; exponential pauses kept less.
 */
const pausePerTry = 2;
const longestPauseMs = 500;

/** The outcome of a request: the record, or the reason for the refusal. It is also stored under an Idempotency-Key. */
const Outcome = z.union([z.object({ recorded: storedForm(BalancePayment) }), z.object({ refused: z.string() })]);
type Outcome = z.infer<typeof Outcome>;

interface Recorder {
  keyId: string;
  keyPrefix: string;
  idempotencyKey: string | undefined;
}

export function balanceRepository(organisationId: number, table: Table, retryMs = maximumRetryMs) {
  /**
   * Records a payment, or a refund up to the recorded balance. One transaction writes the record, the running balance and the idempotency entry,
   * on condition that the balance has not changed since it was read; otherwise it tries again after a random pause. A refusal is also stored
   * under its Idempotency-Key, so that a delayed duplicate of a refused request is refused too.
   * @throws Problem `not_found`, `idempotency_mismatch`, `service_unavailable` if other requests keep changing the balance until the deadline.
   */
  async function record(eventId: number, body: BalancePaymentInput, recorder: Recorder) {
    // Null means the same as a missing member.
    const given = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null));
    const key = idempotencyKeyOf(recorder.keyId, recorder.idempotencyKey, ["recordBalancePayment", eventId, given]);
    const deadlineMs = Date.now() + retryMs;
    for (let tries = 1; ; tries++) {
      const startMs = performance.now();
      const { event, balance, replay } = await readEvent(table, organisationId, eventId, key);
      if (replay) {
        // The write of an earlier try may have succeeded late, under an old change time.
        if ("recorded" in replay)
          await renewChangeTime(table, itemKeys.balance_payment(organisationId, replay.recorded.id));
        return { outcome: replay, isReplayed: true };
      }
      // A slow response leaves the time unknown, and a record with a wrong change time would be missed by readers of the changes.
      if (table.clock.isSet()) {
        const now = new Date(table.clock.nowMs());
        const outcome = decide(event, balance, body, { keyPrefix: recorder.keyPrefix, now });
        const entry = key ? [idempotencyEntry(organisationId, key, outcome, table.clock)] : [];
        if (await write(balance, outcome, entry)) return { outcome, isReplayed: false };
      }
      // Not Unavailable, after which something may have been recorded.
      if (Date.now() >= deadlineMs)
        throw serviceUnavailable(new Error("Other requests kept recording for this event."));
      const tryMs = performance.now() - startMs;
      await wait(Math.random() * Math.min(longestPauseMs, pausePerTry * tries * tryMs));
    }
  }

  /** @returns false if a concurrent request has changed the balance or used the Idempotency-Key. */
  async function write(balance: Balance, outcome: Outcome, entry: TransactWrite[]): Promise<boolean> {
    try {
      if ("refused" in outcome) {
        if (entry.length > 0) await transactWrite(table, entry, 0);
        return true;
      }
      const { recorded } = outcome;
      const place = placeOf(balancePayments, organisationId, recorded);
      const item = { ...place, ...recorded, ...changeKey(place, Date.parse(recorded.date_created)) };
      const isNew = { condition: "attribute_not_exists(PK)" };
      const balanceKey = itemKeys.balance(organisationId, recorded.event_id);
      const writes = [{ put: item, condition: isNew }, balanceWrite(balanceKey, balance, recorded.balance_after)];
      await renewedIfSlow(table, place, () => transactWrite(table, [...writes, ...entry], 0));
      return true;
    } catch (error) {
      if (error instanceof ConditionFailed || isTransactionConflict(error)) return false;
      throw error;
    }
  }

  return { record };
}

/** Reads an event, its balance, and the outcome of an earlier request under the same Idempotency-Key. */
async function readEvent(table: Table, organisationId: number, eventId: number, key: IdempotencyKey | undefined) {
  const eventKey = itemKeys.event(organisationId, eventId);
  const balanceKey = itemKeys.balance(organisationId, eventId);
  const entryKey = key && itemKeys.idempotency(organisationId, key.hash);
  const items = await getItems(table, [eventKey, balanceKey, ...(entryKey ? [entryKey] : [])]);
  const find = (sought: ItemKey | undefined) => items.find(({ PK }) => PK === sought?.PK);
  const event = find(eventKey);
  if (!event) throw notFound("event");
  return {
    event: PaidEvent.parse(event),
    balance: Balance.parse(find(balanceKey) ?? emptyBalance),
    replay: key && replayOf(find(entryKey), key, Outcome, table.clock),
  };
}

function decide(
  event: z.infer<typeof PaidEvent>,
  { balance }: Balance,
  body: BalancePaymentInput,
  { keyPrefix, now }: Pick<Recorder, "keyPrefix"> & { now: Date },
): Outcome {
  const balance_after = balance + (body.type === "refund" ? -body.amount : body.amount);
  if (balance_after < 0) {
    return { refused: `The refund exceeds the recorded balance of ${balance}.` };
  }
  if (!Number.isSafeInteger(balance_after)) return { refused: "The balance would be too large." };
  const recorded = {
    id: uniqueInteger(now.getTime()),
    event_id: event.id,
    type: body.type,
    amount: body.amount,
    date: body.date ?? now.toISOString(),
    method: body.method ?? null,
    external_reference: body.external_reference ?? null,
    note: body.note ?? null,
    balance_after,
    currency_symbol: event.currency_symbol,
    currency: event.currency,
    date_created: now.toISOString(),
    api_key_prefix: keyPrefix,
  };
  return { recorded };
}

function balanceWrite(key: ItemKey, { revision }: Balance, balance: number): TransactWrite {
  const condition = "attribute_not_exists(PK) OR revision = :revision";
  const next = { ...key, balance, revision: revision + 1 };
  return { put: next, condition: { condition, values: { ":revision": revision } } };
}

const epochMs = Date.UTC(2025, 0, 1);
/** With 41 bits of milliseconds before them, ids fit into 53 bits until the year 2094. */
const randomBits = 12;

/** The time in milliseconds, then random bits. Later ids are greater; two of one millisecond can be equal, so the write must check for them. */
export function uniqueInteger(nowMs: number): number {
  return (nowMs - epochMs) * 2 ** randomBits + randomInt(2 ** randomBits);
}
