import { crc32 } from "node:zlib";
import type { RecordItem } from "../data/records/recordItem.ts";
import { isForBatch, maximumBatch, upsertBatch, upsertRecord } from "../data/records/upsertRecord.ts";
import type { Item } from "../data/table/item.ts";
import type { Table } from "../data/table/table.ts";
import { type Pause, untilTaken } from "./untilTaken.ts";

/** What has become of the records so far. */
export interface Written {
  /** Records that are in the table. */
  written: number;
  /** Records that were left out because the stored one's version is higher. */
  older: number;
}

/** Where records go. */
export interface Writer {
  /** Takes a record, waiting while there are enough under way. */
  add: (item: RecordItem) => Promise<void>;
  /** Writes what is left and waits for all of it. */
  finish: () => Promise<void>;
  /** Waits for what is under way, whatever becomes of it. */
  settle: () => Promise<void>;
}

/** Groups of records that are under way at a time. */
const laneCount = 4;
/** Single writes of one group that are under way at a time, where records cannot go in a batch. */
const putsPerGroup = 4;

/**
 * Writes records to the table, several groups at a time, and yet the records of one key one after another: a key always takes
 * the same lane, a lane has one group under way, and a group never holds two records of one key.
 *
 * @param isRepeated whether another writer may have begun to write the same records, and been stopped.
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
    // A failure is thrown by the next await of it.
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
