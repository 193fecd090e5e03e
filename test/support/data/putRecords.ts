import { type RecordItem, recordItem } from "../../../functions/data/records/recordItem.ts";
import { openTable } from "../../../functions/data/table/table.ts";
import { tableWriter } from "../../../functions/ingest/tableWriter.ts";
import type { Record as InputRecord } from "../../../functions/resources/record.ts";

/** Stores records as an import does. */
export async function putRecords(records: InputRecord[], table = openTable()): Promise<void> {
  await putItems(records.map(recordItem), table);
}

/** Stores the items of records. */
export async function putItems(items: RecordItem[], table = openTable()): Promise<void> {
  const writer = tableWriter(table, { written: 0, older: 0 }, async () => undefined);
  for (const item of items) await writer.add(item);
  await writer.finish();
}
