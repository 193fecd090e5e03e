import { setTimeout as wait } from "node:timers/promises";
import * as z from "zod";
import { ConditionFailed, Unavailable } from "../table/errors.ts";
import { keys } from "../table/keys.ts";
import { getItem } from "../table/reads.ts";
import type { Table } from "../table/table.ts";
import { type Expression, updateItem } from "../table/writes.ts";

/**
 * The running total of what was recorded against an event's balance. Each change increases the revision, to detect concurrent ones. The balance is
 * crowded if its latest change had to wait for others: the next request then takes a turn before it tries.
 */
export const Balance = z.object({ balance: z.int(), revision: z.int(), is_crowded: z.boolean().default(false) });
export type Balance = z.infer<typeof Balance>;
export const emptyBalance: Balance = { balance: 0, revision: 0, is_crowded: false };

/** A request's place among the concurrent ones: it changes the balance when the revision is this number. */
export interface Turn {
  number: number;
  /** The balance when the turn came. */
  balance: Balance;
  hasWaited: boolean;
}

/** The turn of a request that tries at once. */
export const noTurn = { number: -1, hasWaited: false };

/** The assumed length of a turn, until one is measured: at least this long, and a read with a transaction, which takes as long as two reads. */
const firstTurnMs = 10;
const callsOfTurn = 3;
/** The turn counter expires a day after its last use. */
const keptSeconds = 24 * 60 * 60;
/** A request reads the balance again after this part of the time it expects to wait, because turns may become faster. */
const firstRead = 0.7;
const longestPauseMs = 500;
/** A slow table is read less often, lest those who wait take the time of the one whose turn it is. */
const pausePerRead = 10;
/**
 * If the balance does not change for this long, requests before this one have ended without their turns, and the next one tries. Those behind it
 * try a turn later each, lest they all conflict.
 */
const stalledMs = 150;
const stalledTurns = 3;
const longestStallMs = 2_000;

/**
 * Takes the next turn for an event's balance and waits for it. Without turns, only one of a hundred concurrent requests would succeed at a time, and
 * all others would try in vain. Turns only say when to try: the write's condition protects the balance.
 *
 * @param revision the balance's.
 * @param earlier the turn of the request's latest try. A request that tried before its turn came keeps its number.
 * @throws Unavailable at the deadline.
 */
export async function waitForTurn(
  table: Table,
  { organisationId, eventId, revision }: Record<"organisationId" | "eventId" | "revision", number>,
  earlier: Pick<Turn, "number">,
  deadlineMs: number,
): Promise<Turn> {
  const isEarly = earlier.number >= revision;
  const number = isEarly ? earlier.number : await takeNumber(table, organisationId, eventId, revision);
  const hasWaited = number > revision;
  const began = { revision, ms: performance.now() };
  let latest = began;
  let turnMs = firstTurnMs;
  let readMs = 0;
  for (let before = number - revision; ; ) {
    await wait(Math.min(Math.max(longestPauseMs, pausePerRead * readMs), before * turnMs * firstRead));
    const askedMs = performance.now();
    const balance = Balance.parse((await getItem(table, keys.balance(organisationId, eventId))) ?? emptyBalance);
    const ms = performance.now();
    readMs = ms - askedMs;
    if (balance.revision > latest.revision) {
      latest = { revision: balance.revision, ms };
      turnMs = (ms - began.ms) / (balance.revision - began.revision);
    }
    before = number - balance.revision;
    const slowTurnMs = Math.max(turnMs, callsOfTurn * readMs);
    const stallMs = Math.max(stalledMs, stalledTurns * slowTurnMs) + Math.min(longestStallMs, before * slowTurnMs);
    if (before <= 0 || ms - latest.ms > stallMs) return { number, balance, hasWaited };
    if (Date.now() >= deadlineMs) {
      throw new Unavailable(new Error("Other requests kept recording against this event."));
    }
  }
}

const Turns = z.object({ next_turn: z.int() });

/** @returns the number of the next turn: the balance's revision, or more if others wait. */
async function takeNumber(table: Table, organisationId: number, eventId: number, revision: number): Promise<number> {
  const key = keys.balanceTurns(organisationId, eventId);
  const values = { ":expiry": Math.ceil(Date.now() / 1000) + keptSeconds, ":revision": revision, ":one": 1 };
  const change = (next: string, condition: string): Expression => ({
    update: `SET next_turn = ${next} + :one, expires_at = :expiry`,
    condition,
    values,
  });
  const following = change("next_turn", "next_turn >= :revision");
  const first = change(":revision", "attribute_not_exists(next_turn) OR next_turn < :revision");
  const item = await updateItem(table, key, following)
    .catch(unlessIdle(() => updateItem(table, key, first)))
    .catch(unlessIdle(() => updateItem(table, key, following)));
  return Turns.parse(item).next_turn - 1;
}

/** Tries something else if the turns are not as the condition requires. */
function unlessIdle<Result>(other: () => Promise<Result>) {
  return (error: unknown) => {
    if (!(error instanceof ConditionFailed)) throw error;
    return other();
  };
}
