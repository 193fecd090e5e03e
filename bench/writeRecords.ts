import { recordItem } from "../functions/data/records/recordItem.ts";
import { openTable } from "../functions/data/table/table.ts";
import { tableWriter } from "../functions/ingest/tableWriter.ts";
import { backOff } from "../functions/ingest/untilTaken.ts";
import type { Record as InputRecord } from "../functions/resources/record.ts";

/** Writes records as the import does. */
export async function writeRecords(records: Iterable<InputRecord>): Promise<void> {
  const writer = tableWriter(openTable(), { written: 0, older: 0 }, backOff(new AbortController().signal));
  for (const record of records) await writer.add(recordItem(record));
  await writer.finish();
}
