import { type RecordItem, recordItem } from "../../../functions/data/records/recordItem.ts";
import { openTable } from "../../../functions/data/table/table.ts";
import { tableWriter } from "../../../functions/ingest/tableWriter.ts";
import type { Record as InputRecord } from "../../../functions/resources/record.ts";

/** Stores records as an import does. */
export async function putRecords(records: InputRecord[]): Promise<void> {
  await putItems(records.map(recordItem));
}

/** Stores the items of records. @param nowMs the clock that dates their acceptance. */
export async function putItems(items: RecordItem[], nowMs: () => number = Date.now): Promise<void> {
  const writer = tableWriter(openTable(), { written: 0, older: 0 }, async () => undefined, { nowMs });
  for (const item of items) await writer.add(item);
  await writer.finish();
}
