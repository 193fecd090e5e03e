import type { RecordItem } from "../data/records/recordItem.ts";
import { upsertRecord } from "../data/records/upsertRecord.ts";
import type { Table } from "../data/table/table.ts";
import { type Pause, untilAnswered } from "./untilTaken.ts";

/** Counts of the records so far. */
export interface Written {
  written: number;
  /** Records that were skipped because the stored version is higher. */
  older: number;
}

export interface Writer {
  /** Adds a record. Waits while enough are being written. @throws the error of an earlier write. */
  add: (item: RecordItem) => Promise<void>;
  /** Resolves when all added records are written. */
  finish: () => Promise<void>;
  /** Waits for the writes under way to succeed or fail. */
  settle: () => Promise<void>;
}

/** Records that are written at the same time. */
export const maximumConcurrent = 16;

/**
 * Writes records to the table concurrently, but the records of one key one after another.
 *
 * @param isRepeated whether an earlier writer may have stopped in the middle of the same records.
 * @param nowMs the writer's clock.
 */
export function tableWriter(
  table: Table,
  counts: Written,
  pause: Pause,
  { isRepeated = false, nowMs = Date.now }: { isRepeated?: boolean; nowMs?: () => number } = {},
): Writer {
  const underWay = new Map<string, Promise<void>>();
  let failure: { error: unknown } | undefined;

  async function write(item: RecordItem): Promise<void> {
    let isBegun = isRepeated;
    const upsert = async () => {
      const mayBeStored = isBegun;
      isBegun = true;
      counts[(await upsertRecord(table, item, mayBeStored, nowMs)) ? "written" : "older"] += 1;
    };
    try {
      await untilAnswered(upsert, pause);
    } catch (error) {
      failure ??= { error };
    } finally {
      underWay.delete(item.PK);
    }
  }

  const settle = async () => void (await Promise.all(underWay.values()));
  const throwFailure = () => {
    if (failure) throw failure.error;
  };
  return {
    async add(item) {
      await underWay.get(item.PK);
      while (underWay.size >= maximumConcurrent) await Promise.race(underWay.values());
      throwFailure();
      underWay.set(item.PK, write(item));
    },
    async finish() {
      await settle();
      throwFailure();
    },
    settle,
  };
}
