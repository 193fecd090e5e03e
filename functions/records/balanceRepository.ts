import { randomInt } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import * as z from "zod";
import { dateInFuture, notFound, serviceUnavailable } from "../problem.ts";
import { BalancePayment, type BalancePaymentInput, balancePayments } from "../resources/balancePayment.ts";
import { Event } from "../resources/event.ts";
import { storedForm } from "../resources/resource.ts";
import { type ItemKey, itemKeys } from "../table/itemKeys.ts";
import { placeOf } from "../table/lists.ts";
import { getItems } from "../table/reads.ts";
import type { Table } from "../table/table.ts";
import { type TransactWrite, transactWrite } from "../table/writes.ts";
import { instantMs } from "../values/instant.ts";
import { acceptChange } from "./acceptChange.ts";
import { acceptanceMs } from "./changeTime.ts";
import { type IdempotencyKey, idempotencyEntry, idempotencyKeyOf, replayOf } from "./idempotency.ts";

const PaidEvent = storedForm(Event.pick({ id: true, currency_symbol: true, currency: true }));

/** The running total of what was recorded against an event's balance. Each change increases the revision, to detect concurrent ones. */
const Balance = z.object({ balance: z.int(), revision: z.int() });
type Balance = z.infer<typeof Balance>;
const emptyBalance: Balance = { balance: 0, revision: 0 };

/** Concurrent requests for one event succeed one after another. Each keeps trying for this time. */
export const maximumRetryMs = 20_000;
/**
 * A retry pauses for up to `pausePerTry × tries × the last try's duration`. With 16 writers, throughput stayed at half of a single writer's;
 * with exponential pauses, it was less.
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
   * @throws Problem `not_found`, `idempotency_mismatch`, `date_in_future`, `service_unavailable` if other requests keep changing the balance until the deadline.
   */
  function record(eventId: number, body: BalancePaymentInput, recorder: Recorder) {
    // Null means the same as a missing member.
    const given = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null));
    const key = idempotencyKeyOf(recorder.keyId, recorder.idempotencyKey, ["recordBalancePayment", eventId, given]);
    const pause = pauseBetweenTries(retryMs);
    return acceptChange(table, async (refusal) => {
      if (refusal) await pause();
      const { event, balance, replay } = await readEvent(table, organisationId, eventId, key);
      if (replay) {
        const stored = "recorded" in replay && itemKeys.balance_payment(organisationId, replay.recorded.id);
        return { result: { outcome: replay, isReplayed: true }, ...(stored && { stored, isRepeated: true }) };
      }
      const acceptedMs = await acceptanceMs(table, itemKeys.event(organisationId, eventId));
      assertNotAhead(body.date, acceptedMs);
      const outcome = outcomeOf(event, balance, body, { keyPrefix: recorder.keyPrefix, now: new Date(acceptedMs) });
      const entry = key ? [idempotencyEntry(organisationId, key, outcome, table.clock)] : [];
      const result = { outcome, isReplayed: false };
      if ("refused" in outcome) {
        if (entry.length > 0) await transactWrite(table, entry, 0);
        return { result };
      }
      const place = placeOf(balancePayments, organisationId, outcome.recorded);
      return {
        key: place,
        acceptedMs,
        async write({ attributes }) {
          const put = { ...place, ...outcome.recorded, ...attributes };
          const writes = [{ put, condition: isNew }, balanceWrite(organisationId, balance, outcome.recorded)];
          await transactWrite(table, [...writes, ...entry], 0);
          return result;
        },
      };
    });
  }

  return { record };
}

const isNew = { condition: "attribute_not_exists(PK)" };

/** Waits before another try. It throws after the deadline, and not Unavailable, after which something may have been recorded. */
function pauseBetweenTries(retryMs: number): () => Promise<void> {
  const deadlineMs = performance.now() + retryMs;
  let tries = 0;
  let begunMs = performance.now();
  return async () => {
    if (performance.now() >= deadlineMs)
      throw serviceUnavailable(new Error("Other requests kept recording for this event."));
    tries += 1;
    await wait(Math.random() * Math.min(longestPauseMs, pausePerTry * tries * (performance.now() - begunMs)));
    begunMs = performance.now();
  };
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

const dayMs = 24 * 60 * 60 * 1_000;

/** A day covers a local time without an offset, in any zone, and a client whose clock is ahead. */
function assertNotAhead(date: string | null | undefined, nowMs: number): void {
  if (date && instantMs(date) > nowMs + dayMs) throw dateInFuture();
}

function outcomeOf(
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

function balanceWrite(
  organisationId: number,
  { revision }: Balance,
  { event_id, balance_after: balance }: BalancePayment,
): TransactWrite {
  const put = { ...itemKeys.balance(organisationId, event_id), balance, revision: revision + 1 };
  const condition = "attribute_not_exists(PK) OR revision = :revision";
  return { put, condition: { condition, values: { ":revision": revision } } };
}

const epochMs = Date.UTC(2025, 0, 1);
/** With 41 bits of milliseconds before them, ids fit into 53 bits until the year 2094. */
const randomBits = 12;

/** The time in milliseconds, then random bits. Later ids are greater; two of one millisecond can be equal, so the write must check for them. */
export function uniqueInteger(nowMs: number): number {
  return (nowMs - epochMs) * 2 ** randomBits + randomInt(2 ** randomBits);
}
