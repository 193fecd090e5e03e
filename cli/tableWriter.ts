import { crc32 } from "node:zlib";
import type { RecordItem } from "../functions/data/recordItem.ts";
import { isForBatch, maximumBatch, upsertBatch, upsertRecord } from "../functions/data/recordRepository.ts";
import type { Table } from "../functions/data/table.ts";
import type { Item } from "../functions/data/tableReads.ts";
import type { Counts, Writer } from "./importRecords.ts";
import { type Pause, untilTaken } from "./untilTaken.ts";

/** Groups of records that are under way at a time. */
const laneCount = 4;
/** Single writes of one group that are under way at a time, where records cannot go in a batch. */
const putsPerGroup = 4;

/**
 * Writes records to the table, several groups at a time, and yet the records of one key one after another: a key always takes
 * the same lane, a lane has one group under way, and a group never holds two records of one key.
 */
export function tableWriter(table: Table, counts: Counts, pause: Pause): Writer {
  const lanes = Array.from({ length: laneCount }, () => lane((items) => writeGroup(table, items, counts, pause)));
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

async function writeGroup(table: Table, items: RecordItem[], counts: Counts, pause: Pause): Promise<void> {
  const putBatch = async (batch: Item[]) => {
    const refused = await upsertBatch(table, batch);
    counts.written += batch.length - refused.length;
    return refused;
  };
  const begun = new Set<RecordItem>();
  const put = async ([item]: RecordItem[]) => {
    if (!item) return [];
    const isRepeated = begun.has(item);
    begun.add(item);
    counts[(await upsertRecord(table, item, isRepeated)) ? "written" : "older"] += 1;
    return [];
  };
  const { batch = [], single = [] } = Object.groupBy(items, (item) => (isForBatch(item) ? "batch" : "single"));
  const singles = single.values();
  const putAll = async () => {
    for (const item of singles) await untilTaken([item], put, pause);
  };
  await Promise.all([untilTaken(batch, putBatch, pause), ...Array.from({ length: putsPerGroup }, putAll)]);
}
