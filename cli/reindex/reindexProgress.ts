import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import * as z from "zod";
import { ConditionFailed } from "../../functions/table/errors.ts";
import { keys } from "../../functions/table/keys.ts";
import { getItem } from "../../functions/table/reads.ts";
import type { Table } from "../../functions/table/table.ts";
import { type Pause, untilAnswered } from "../../functions/table/untilTaken.ts";
import { type Expression, putItem } from "../../functions/table/writes.ts";
import { UsageError } from "../shared/usageError.ts";
import { type Position, segments } from "../table/scanTable.ts";

const Key = z.object({ PK: z.string(), SK: z.string() });
/** The stored progress of a run. */
const Progress = z.object({
  /** Changes while the run is alive; empty after its end. */
  sign: z.string(),
  positions: z.array(z.object({ after: Key.optional(), isAtEnd: z.boolean().optional() })).length(segments),
});

export interface ProgressOptions {
  pause: Pause;
  signal: AbortSignal;
  /** Whether to forget the progress of an interrupted run. */
  restart: boolean;
  /** How often the run shows that it is alive. */
  signEveryMs?: number;
}

/** A run that gives no sign in this number of intervals was killed. */
const missingSigns = 5;

const beginning = (): Position[] => Array.from({ length: segments }, () => ({}));

/**
 * Continues an interrupted run, or begins a new one. While it runs, its sign in the table changes.
 *
 * @param isContinuable whether another run may continue at this one's positions.
 * @throws UsageError if another run is alive.
 */
export async function beginProgress(
  table: Table,
  { restart, pause, signal, signEveryMs = 2_000 }: ProgressOptions,
  isContinuable: () => boolean,
) {
  const stored = await endedProgress(table, missingSigns * signEveryMs, signal);
  const positions: Position[] = stored && !restart ? stored.positions : beginning();
  let condition: Expression = stored
    ? { condition: "sign = :seen", values: { ":seen": stored.sign } }
    : { condition: "attribute_not_exists(PK)" };
  const save = async (sign: string, kept = isContinuable() ? positions : beginning()) => {
    const item = { ...keys.reindex(), sign, positions: kept };
    await putItem(table, item, condition).catch((error) => {
      // The response of an earlier try may be lost.
      if (!(error instanceof ConditionFailed && error.item?.sign === sign)) throw error;
    });
    condition = { condition: "sign = :seen", values: { ":seen": sign } };
  };
  const failure = (error: unknown) => (error instanceof ConditionFailed ? alreadyRunning(table) : error);
  let lost: unknown;
  const first = randomUUID();
  let saving = untilAnswered(() => save(first), pause).catch((error) => {
    throw failure(error);
  });
  await saving;
  const timer = setInterval(() => {
    saving = saving
      .then(() => save(randomUUID()))
      .catch((error) => {
        // Other failures pass, or the scan meets them too.
        if (error instanceof ConditionFailed) lost = failure(error);
      });
  }, signEveryMs);
  return {
    positions,
    /** @throws UsageError if another run has taken over. */
    assertOwn() {
      if (lost) throw lost;
    },
    async end(ended: { isContinuable: boolean }) {
      clearInterval(timer);
      await saving;
      if (lost) throw lost;
      await untilAnswered(() => save("", ended.isContinuable ? undefined : beginning()), pause);
    },
  };
}

/** The stored progress of a run that has ended or was killed. @throws UsageError if the run is alive. */
async function endedProgress(table: Table, deadAfterMs: number, signal: AbortSignal) {
  const read = async () => Progress.safeParse(await getItem(table, keys.reindex())).data;
  const found = await read();
  if (!found?.sign) return found;
  await wait(deadAfterMs, undefined, { signal });
  const later = await read();
  if (later?.sign && later.sign !== found.sign) throw alreadyRunning(table);
  return later;
}

function alreadyRunning(table: Table): UsageError {
  return new UsageError(`Another run is reindexing ${table.name()}. Wait for its end.`);
}
