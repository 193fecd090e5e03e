import { crc32 } from "node:zlib";
import type { RecordItem } from "../data/records/recordItem.ts";
import { isForBatch, maximumBatch, upsertBatch, upsertRecord } from "../data/records/upsertRecord.ts";
import type { Item } from "../data/table/item.ts";
import type { Table } from "../data/table/table.ts";
import { type Pause, untilTaken } from "./untilTaken.ts";

/** Counts of the records so far. */
export interface Written {
  written: number;
  /** Records that were skipped because the stored version is higher. */
  older: number;
}

export interface Writer {
  /** Adds a record. Waits while enough groups are being written. */
  add: (item: RecordItem) => Promise<void>;
  /** Writes the remaining records. When it resolves, all added records are written. */
  finish: () => Promise<void>;
  /** Waits for the writes under way to succeed or fail. */
  settle: () => Promise<void>;
}

/** Groups that are written at the same time. */
const laneCount = 4;
/** Concurrent single writes of one group, for records that cannot go in a batch. */
const putsPerGroup = 4;

/**
 * Writes records to the table in concurrent groups, but the records of one key one after another: a key always uses the same lane, a lane
 * writes one group at a time, and the records of a group have different keys.
 *
 * @param isRepeated whether an earlier writer may have stopped in the middle of the same records.
 */
export function tableWriter(table: Table, counts: Written, pause: Pause, isRepeated = false): Writer {
  const lanes = Array.from({ length: laneCount }, () =>
    lane((items) => writeGroup(items, { table, counts, pause, isRepeated })),
  );
  return {
    add: async (item) => lanes[crc32(item.PK) % laneCount]?.add(item),
    finish: async () => void (await Promise.all(lanes.map((each) => each.finish()))),
    settle: async () => void (await Promise.allSettled(lanes.map((each) => each.underWay()))),
  };
}

function lane(write: (items: RecordItem[]) => Promise<void>) {
  const group = new Map<string, RecordItem>();
  let underWay = Promise.resolve();

  async function send(): Promise<void> {
    await underWay;
    underWay = write([...group.values()]);
    group.clear();
    // The next await of it throws the error.
    underWay.catch(() => undefined);
  }

  return {
    async add(item: RecordItem): Promise<void> {
      if (group.size === maximumBatch || group.has(item.PK)) await send();
      group.set(item.PK, item);
    },
    async finish(): Promise<void> {
      await send();
      await underWay;
    },
    underWay: () => underWay,
  };
}

interface Writing {
  table: Table;
  counts: Written;
  pause: Pause;
  isRepeated: boolean;
}

async function writeGroup(items: RecordItem[], { table, counts, pause, isRepeated }: Writing): Promise<void> {
  const putBatch = async (batch: Item[]) => {
    const refused = await upsertBatch(table, batch);
    counts.written += batch.length - refused.length;
    return refused;
  };
  const begun = new Set<RecordItem>();
  const put = async ([item]: RecordItem[]) => {
    if (!item) return [];
    const isBegun = begun.has(item);
    begun.add(item);
    counts[(await upsertRecord(table, item, isRepeated || isBegun)) ? "written" : "older"] += 1;
    return [];
  };
  const { batch = [], single = [] } = Object.groupBy(items, (item) => (isForBatch(item) ? "batch" : "single"));
  const singles = single.values();
  const putAll = async () => {
    for (const item of singles) await untilTaken([item], put, pause);
  };
  await Promise.all([untilTaken(batch, putBatch, pause), ...Array.from({ length: putsPerGroup }, putAll)]);
}
