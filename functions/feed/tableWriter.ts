import type { RecordItem } from "../records/recordItem.ts";
import { upsertRecord } from "../records/upsertRecord.ts";
import { declarationsVersion } from "../resources/index.ts";
import { lowerVersion } from "../table/declarations.ts";
import { maximumLimit, Pace } from "../table/pace.ts";
import type { Table } from "../table/table.ts";
import { type Pause, untilAnswered } from "../table/untilTaken.ts";

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

interface WriterOptions {
  /** Whether an earlier writer may have stopped in the middle of this record's write. */
  isRepeated?: (item: RecordItem) => boolean;
  /** Gets each record whose write has ended, and its error. By default, the next `add` or `finish` throws the first error. */
  onEnd?: (item: RecordItem, failure: { error: unknown } | undefined) => void;
  pace?: Pace;
  /** Begins no more writes when it aborts. */
  signal?: AbortSignal;
}

/** Writes records to the table concurrently, but the records of one key one after another. */
export function tableWriter(table: Table, counts: Written, pause: Pause, options: WriterOptions = {}): Writer {
  const { isRepeated = () => false, pace = new Pace(), signal } = options;
  const underWay = new Map<string, Promise<void>>();
  let first: { error: unknown } | undefined;
  const keepFirst: WriterOptions["onEnd"] = (_item, failure) => {
    first ??= failure;
  };
  const { onEnd = keepFirst } = options;

  async function write(item: RecordItem): Promise<void> {
    let isBegun = isRepeated(item);
    const upsert = async () => {
      signal?.throwIfAborted();
      await lowerVersion(table, declarationsVersion);
      const mayBeStored = isBegun;
      isBegun = true;
      counts[(await upsertRecord(table, item, mayBeStored)) ? "written" : "older"] += 1;
    };
    try {
      await untilAnswered(() => pace.run(upsert), pause);
      onEnd(item, undefined);
    } catch (error) {
      onEnd(item, { error });
    } finally {
      underWay.delete(item.PK);
    }
  }

  const settle = async () => void (await Promise.all(underWay.values()));
  const throwFailure = () => {
    if (first) throw first.error;
  };
  return {
    async add(item) {
      for (;;) {
        const sameKey = underWay.get(item.PK);
        if (sameKey) await sameKey;
        else if (underWay.size >= maximumLimit) await Promise.race(underWay.values());
        else break;
      }
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
