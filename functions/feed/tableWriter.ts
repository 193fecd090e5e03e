import type { RecordItem } from "../records/recordItem.ts";
import { comparedAttributes, outcomeWithoutWrite, upsertRecord, type WriteResult } from "../records/upsertRecord.ts";
import { CallLimit } from "../table/callLimit.ts";
import type { Item } from "../table/item.ts";
import { getStored } from "../table/reads.ts";
import { type Pause, retryWhileUnavailable } from "../table/retries.ts";
import type { Table } from "../table/table.ts";
import { refusalOf, Unavailable } from "../table/tableErrors.ts";

export interface Writer {
  counts: Readonly<Record<WriteResult, number>>;
  /**
   * Adds a record. Waits while enough are under way.
   * @param text the record's text, whose length limits the writes under way, as the number of records does.
   * @param onRefused gets the reason if DynamoDB refuses the record itself, which then does not count as a failed write.
   * @throws the error of an earlier write.
   */
  add: (item: RecordItem, text?: string, onRefused?: OnRefused) => Promise<void>;
  finish: () => Promise<void>;
  /** Waits for the writes under way to succeed or fail. */
  settle: () => Promise<void>;
}

type OnRefused = (reason: string) => void;

interface WriterOptions {
  /** True if an earlier writer may have stopped during this record's write. */
  isRepeated?: (item: RecordItem) => boolean;
  /** Gets each record whose write has ended, and its error. By default, the next `add` or `finish` throws the first error. */
  onEnd?: (item: RecordItem, failure: { error: unknown } | undefined) => void;
  callLimit?: CallLimit;
  /** Begins no more writes when it aborts. */
  signal?: AbortSignal;
}

/** Records that one call compares with the table. */
const maximumBatch = 50;
/** One batch is read while another is written. */
const maximumUnderWay = 2 * maximumBatch;
/** The total length of their texts, unless a single one is longer. A record needs several times the memory of its text, as item, request and bytes. */
const maximumTextUnderWay = 2_000_000;
/** A record that arrives alone waits this long for others. */
const batchWaitMs = 20;

/** Writes records to the table concurrently, but the records of one key one after another. */
export function tableWriter(table: Table, pause: Pause, options: WriterOptions = {}): Writer {
  const counts = { new: 0, changed: 0, unchanged: 0, older: 0 };
  const underWay = new Map<string, Promise<void>>();
  let textUnderWay = 0;
  let waiting: (() => void)[] = [];
  let first: { error: unknown } | undefined;
  const keepFirst: WriterOptions["onEnd"] = (_item, failure) => {
    first ??= failure;
  };
  const { onEnd = keepFirst } = options;
  const { store, send } = recordStore(table, pause, options);

  async function write(item: RecordItem, textLength: number, onRefused?: OnRefused): Promise<void> {
    textUnderWay += textLength;
    try {
      counts[await store(item)] += 1;
      onEnd(item, undefined);
    } catch (error) {
      const reason = refusalOf(error);
      if (onRefused && reason !== undefined) onRefused(reason);
      else onEnd(item, { error });
    } finally {
      underWay.delete(item.PK);
      textUnderWay -= textLength;
      for (const resume of waiting) resume();
      waiting = [];
    }
  }

  const settle = async () => {
    send();
    await Promise.all(underWay.values());
  };
  const throwFailure = () => {
    if (first) throw first.error;
  };
  return {
    counts,
    async add(item, text = "", onRefused) {
      for (;;) {
        const sameKey = underWay.get(item.PK);
        const isLong = underWay.size > 0 && textUnderWay + text.length > maximumTextUnderWay;
        if (sameKey || isLong) send();
        else if (underWay.size < maximumUnderWay) break;
        await (sameKey ?? new Promise<void>((resolve) => waiting.push(resolve)));
      }
      throwFailure();
      underWay.set(item.PK, write(item, text.length, onRefused));
    },
    async finish() {
      await settle();
      throwFailure();
    },
    settle,
  };
}

/** A read is cheaper than a refused write, so it reads each record first, until many records in a row were new. */
function recordStore(table: Table, pause: Pause, options: WriterOptions) {
  const { isRepeated = () => false, callLimit = new CallLimit(), signal } = options;
  let newInARow = 0;
  const reader = batchReader(async (items) => {
    try {
      return await callLimit.run(() => getStored(table, items, { attributes: comparedAttributes }));
    } catch (error) {
      if (!(error instanceof Unavailable)) throw error;
      // The writes try longer, and report it if the table stays unavailable.
      return [];
    }
  });

  async function compare(item: RecordItem): Promise<WriteResult | undefined> {
    const stored = await reader.read(item);
    return stored && outcomeWithoutWrite(item, stored);
  }

  function write(item: RecordItem, mayBeStored: boolean): Promise<WriteResult> {
    const upsert = async (isRepeated: boolean) => {
      signal?.throwIfAborted();
      return upsertRecord(table, item, mayBeStored || isRepeated);
    };
    return retryWhileUnavailable((isRepeated) => callLimit.run(() => upsert(isRepeated)), pause);
  }

  async function store(item: RecordItem): Promise<WriteResult> {
    const mayBeStored = isRepeated(item);
    // A repeated record may be stored under an old change time, which only a write renews.
    const known = mayBeStored || newInARow >= maximumBatch ? undefined : await compare(item);
    const outcome = known ?? (await write(item, mayBeStored));
    newInARow = outcome === "new" ? newInARow + 1 : 0;
    return outcome;
  }

  return { store, send: reader.send };
}

/** Combines reads requested at about the same time into one call. Their keys must differ. */
function batchReader(readAll: (items: RecordItem[]) => Promise<Item[]>) {
  let batch: { items: RecordItem[]; found: Promise<Map<unknown, Item>>; send: () => void } | undefined;

  function newBatch() {
    const items: RecordItem[] = [];
    const { promise, resolve: send } = Promise.withResolvers<void>();
    const timer = setTimeout(sendBatch, batchWaitMs);
    const found = promise.then(async () => {
      clearTimeout(timer);
      return new Map((await readAll(items)).map((item) => [item.PK, item]));
    });
    return { items, found, send };
  }

  function sendBatch() {
    batch?.send();
    batch = undefined;
  }

  return {
    async read(item: RecordItem): Promise<Item | undefined> {
      batch ??= newBatch();
      const { items, found } = batch;
      items.push(item);
      if (items.length === maximumBatch) sendBatch();
      return (await found).get(item.PK);
    },
    /** Reads without waiting for others. */
    send: sendBatch,
  };
}
