import { tableWriter } from "../../../functions/feed/tableWriter.ts";
import { type RecordItem, recordItem } from "../../../functions/records/recordItem.ts";
import type { Record as InputRecord } from "../../../functions/resources/record.ts";
import { openTable } from "../../../functions/table/table.ts";

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
