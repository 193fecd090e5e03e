import { randomInt } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import * as z from "zod";
import { notFound, serviceUnavailable } from "../problem.ts";
import { BalancePayment, balancePayments, type NewBalancePayment } from "../resources/balancePayment.ts";
import { Event } from "../resources/event.ts";
import { storedForm } from "../resources/resource.ts";
import { ConditionFailed, isTransactionConflict } from "../table/errors.ts";
import { type IdempotencyKey, idempotencyEntry, idempotencyKeyOf, replayOf } from "../table/idempotency.ts";
import type { Item } from "../table/item.ts";
import { type ItemKey, keys, placeOf } from "../table/keys.ts";
import { getItems } from "../table/reads.ts";
import type { Table } from "../table/table.ts";
import { type Expression, type TransactWrite, transactWrite, updateItem } from "../table/writes.ts";
import { renewStamp, writeAccepted } from "./acceptance.ts";

const PaidEvent = storedForm(Event.pick({ id: true, currency_symbol: true, currency: true }));

/** The running total of what was recorded against an event's balance. The revision counts the records, to detect concurrent ones. */
const Balance = z.object({ balance: z.int(), revision: z.int() });
type Balance = z.infer<typeof Balance>;

/** Concurrent requests for one event succeed one after another. Each keeps trying for this time. */
const maximumRetryMs = 6_000;

/** The outcome of a request: the record, or the reason for the refusal. It is also stored under an Idempotency-Key. */
const Outcome = z.union([z.object({ recorded: storedForm(BalancePayment) }), z.object({ refused: z.string() })]);
type Outcome = z.infer<typeof Outcome>;

/** The API key that records, and the Idempotency-Key of its request. */
interface Recorder {
  keyId: string;
  keyPrefix: string;
  idempotencyKey: string | undefined;
}

/** Payments and refunds that one organisation recorded through the API against the balances of its events. */
export function balanceRepository(organisationId: number, table: Table) {
  /**
   * Records a payment, or a refund up to the recorded balance. One transaction writes the record, the running balance and the idempotency entry,
   * on condition that the balance has not changed since it was read. A refusal is also stored under its Idempotency-Key, so that a delayed
   * duplicate of a refused request is refused too.
   */
  async function record(eventId: number, body: NewBalancePayment, recorder: Recorder) {
    // Null means the same as a missing member.
    const given = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null));
    const key = idempotencyKeyOf(recorder.keyId, recorder.idempotencyKey, ["recordBalancePayment", eventId, given]);
    let turn: Turn | undefined;
    for (const deadlineMs = Date.now() + maximumRetryMs; Date.now() < deadlineMs; ) {
      const { event, balance, replay } = await read(eventId, key);
      if (replay) {
        // The write of an earlier try may have succeeded late, under an old stamp.
        if ("recorded" in replay) await renewStamp(table, keyOf(replay.recorded));
        return { outcome: replay, isReplayed: true };
      }
      if (turn && !turn.isDue(balance.revision)) {
        await turn.pause(balance.revision);
        continue;
      }
      const outcome = decide(event, balance, body, recorder.keyPrefix);
      const entry = key ? [idempotencyEntry(organisationId, key, outcome)] : [];
      try {
        if ("recorded" in outcome) await write(outcome.recorded, balance, entry);
        else if (entry.length > 0) await transactWrite(table, entry);
        return { outcome, isReplayed: false };
      } catch (error) {
        if (!(error instanceof ConditionFailed) && !isTransactionConflict(error)) throw error;
        const place = { organisationId, eventId, revision: balance.revision + 1 };
        turn ??= await takeTurn(table, place);
      }
    }
    throw serviceUnavailable(new Error("Other requests kept recording against this event."));
  }

  const keyOf = ({ id }: BalancePayment) => keys.balance_payment(organisationId, id);

  async function write(recorded: BalancePayment, balance: Balance, entry: TransactWrite[]): Promise<void> {
    await writeAccepted(table, keyOf(recorded), (stamp) =>
      transactWrite(table, [...recordWrites(organisationId, recorded, balance, stamp.attributes), ...entry], 0),
    );
  }

  async function read(eventId: number, key: IdempotencyKey | undefined) {
    const eventKey = keys.event(organisationId, eventId);
    const balanceKey = keys.balance(organisationId, eventId);
    const entryKey = key && keys.idempotency(organisationId, key.hash);
    const items = await getItems(table, [eventKey, balanceKey, ...(entryKey ? [entryKey] : [])]);
    const find = (sought: ItemKey | undefined) => items.find(({ PK }) => PK === sought?.PK);
    const event = find(eventKey);
    if (!event) throw notFound("event");
    return {
      event: PaidEvent.parse(event),
      balance: Balance.parse(find(balanceKey) ?? { balance: 0, revision: 0 }),
      replay: key && replayOf(find(entryKey), key, Outcome),
    };
  }

  return { record };
}

/** Refuses a request that the balance does not allow. */
function decide(
  event: z.infer<typeof PaidEvent>,
  { balance }: Balance,
  body: NewBalancePayment,
  keyPrefix: string,
): Outcome {
  const balance_after = balance + (body.type === "refund" ? -body.amount : body.amount);
  if (balance_after < 0) {
    return { refused: `The refund exceeds the recorded balance of ${balance}.` };
  }
  if (!Number.isSafeInteger(balance_after)) return { refused: "The balance would be too large." };
  const now = new Date();
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

function recordWrites(
  organisationId: number,
  balancePayment: BalancePayment,
  { revision }: Balance,
  stamp: Item,
): TransactWrite[] {
  const { event_id, balance_after } = balancePayment;
  const record: Item = { ...placeOf(balancePayments, organisationId, balancePayment), ...stamp, ...balancePayment };
  return [
    { put: record, condition: { condition: "attribute_not_exists(PK)" } },
    {
      put: { ...keys.balance(organisationId, event_id), balance: balance_after, revision: revision + 1 },
      condition: { condition: "attribute_not_exists(PK) OR revision = :revision", values: { ":revision": revision } },
    },
  ];
}

/** The turns that nobody takes end after a day. */
const keptSeconds = 24 * 60 * 60;
/** About as long as a turn takes. */
const turnMs = 10;
const longestPauseMs = 500;
/** If the balance does not change for this long, a request before this one has ended without its turn. */
const stalledMs = 150;

const Turns = z.object({ next_turn: z.int() });

/** When a request may try to change a balance that others change at the same time. */
interface Turn {
  isDue: (revision: number) => boolean;
  /** Waits for the turns before this one. */
  pause: (revision: number) => Promise<unknown>;
}

/**
 * Takes the next turn for an event's balance. Without turns, of a hundred concurrent requests one would succeed at a time, and the others would try
 * in vain. Turns only say when to try: the write's condition protects the balance, so a request that ends without its turn only delays the others.
 *
 * @param revision the balance's.
 */
export async function takeTurn(
  table: Table,
  { organisationId, eventId, revision }: Record<"organisationId" | "eventId" | "revision", number>,
): Promise<Turn> {
  const key = keys.balanceTurns(organisationId, eventId);
  const expires = { ":expiry": Math.ceil(Date.now() / 1000) + keptSeconds, ":revision": revision, ":one": 1 };
  const change = (next: string, condition: string): Expression => ({
    update: `SET next_turn = ${next} + :one, expires_at = :expiry`,
    condition,
    values: expires,
  });
  const following = change("next_turn", "next_turn >= :revision");
  const first = change(":revision", "attribute_not_exists(next_turn) OR next_turn < :revision");
  const item = await updateItem(table, key, following)
    .catch(unlessIdle(() => updateItem(table, key, first)))
    .catch(unlessIdle(() => updateItem(table, key, following)));
  const own = Turns.parse(item).next_turn - 1;
  let latest = { revision, ms: performance.now() };
  return {
    isDue(now) {
      if (now !== latest.revision) latest = { revision: now, ms: performance.now() };
      return now >= own || performance.now() - latest.ms > stalledMs + (own - now) * turnMs;
    },
    pause: (now) => wait(Math.min(longestPauseMs, (own - now) * turnMs)),
  };
}

/** Tries something else if the turns are not as the condition requires. */
function unlessIdle<Result>(other: () => Promise<Result>) {
  return (error: unknown) => {
    if (!(error instanceof ConditionFailed)) throw error;
    return other();
  };
}

/** The time at which ids start. */
const epochMs = Date.UTC(2025, 0, 1);
/** With 41 bits of milliseconds before them, ids fit into 53 bits until the year 2094. */
const randomBits = 12;

/**
 * A new integer id for a resource that this service creates: the time in milliseconds, then random bits. Later ids are greater. Two
 * ids of one millisecond can be equal, so the write must check that the id is free.
 */
export function uniqueInteger(nowMs: number): number {
  return (nowMs - epochMs) * 2 ** randomBits + randomInt(2 ** randomBits);
}
