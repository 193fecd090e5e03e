import { setTimeout as wait } from "node:timers/promises";
import * as z from "zod";
import { ConditionFailed } from "../table/errors.ts";
import { keys } from "../table/keys.ts";
import type { Table } from "../table/table.ts";
import { type Expression, updateItem } from "../table/writes.ts";

/** The turns that nobody takes end after a day. */
const keptSeconds = 24 * 60 * 60;
/** About as long as a turn takes. */
const turnMs = 10;
const longestPauseMs = 500;
/** If the balance does not change for this long, a request before this one has ended without its turn. */
const stalledMs = 150;

const Turns = z.object({ next_turn: z.int() });

/** When a request may try to change a balance that others change at the same time. */
export interface Turn {
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
