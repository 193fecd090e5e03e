import { recordItem } from "../../../functions/data/records/recordItem.ts";
import { maximumBatch, upsertBatch } from "../../../functions/data/records/upsertRecord.ts";
import { openTable } from "../../../functions/data/table/table.ts";
import type { Record as InputRecord } from "../../../functions/resources/record.ts";

/** Puts records; no two may have the same type and id. */
export async function putRecords(records: InputRecord[]): Promise<void> {
  for (let start = 0; start < records.length; start += maximumBatch) {
    await upsertBatch(openTable(), records.slice(start, start + maximumBatch).map(recordItem));
  }
}
