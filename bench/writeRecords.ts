import { tableWriter } from "../functions/feed/tableWriter.ts";
import { recordItem } from "../functions/records/recordItem.ts";
import type { Record as InputRecord } from "../functions/resources/record.ts";
import { openTable } from "../functions/table/table.ts";
import { backOff } from "../functions/table/untilTaken.ts";

/** Writes records as the import does. */
export async function writeRecords(records: Iterable<InputRecord>): Promise<void> {
  const writer = tableWriter(openTable(), { written: 0, older: 0 }, backOff(new AbortController().signal));
  for (const record of records) await writer.add(recordItem(record));
  await writer.finish();
}
