import { recordItem } from "../functions/data/records/recordItem.ts";
import { openTable } from "../functions/data/table/table.ts";
import { tableWriter } from "../functions/ingest/tableWriter.ts";
import { backOff } from "../functions/ingest/untilTaken.ts";
import type { Record as InputRecord } from "../functions/resources/record.ts";

/** Writes records as the import does. */
export async function loadRecords(records: Iterable<InputRecord>): Promise<void> {
  const neverStopped = new AbortController().signal;
  const writer = tableWriter(openTable(), { written: 0, older: 0 }, backOff(neverStopped));
  for (const record of records) await writer.add(recordItem(record));
  await writer.finish();
}
