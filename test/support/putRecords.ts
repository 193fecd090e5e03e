import { recordItem } from "../../functions/data/recordItem.ts";
import { maximumBatch, upsertBatch } from "../../functions/data/recordRepository.ts";
import { openTable } from "../../functions/data/table.ts";
import type { Record as InputRecord } from "../../functions/resources/record.ts";

/** Puts records, of which no two have one type and id. */
export async function putRecords(records: InputRecord[]): Promise<void> {
  for (let start = 0; start < records.length; start += maximumBatch) {
    await upsertBatch(openTable(), records.slice(start, start + maximumBatch).map(recordItem));
  }
}
