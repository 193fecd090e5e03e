import { recordItem } from "../../functions/data/recordItem.ts";
import { maximumBatch, upsertUnversioned } from "../../functions/data/recordRepository.ts";
import { openTable } from "../../functions/data/table.ts";
import type { Record as InputRecord } from "../../functions/resources/record.ts";

/** Puts the demo records, batch by batch. DynamoDB Local takes them all. */
export async function putDemoRecords(records: InputRecord[]): Promise<void> {
  const table = openTable();
  for (let start = 0; start < records.length; start += maximumBatch) {
    const items = records.slice(start, start + maximumBatch).map(recordItem);
    const refused = await upsertUnversioned(table, items);
    if (refused.length > 0) throw new Error("DynamoDB did not take all of the demo data.");
  }
}
