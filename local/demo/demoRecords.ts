import { readFileSync } from "node:fs";
import { join } from "node:path";
import { tableWriter } from "../../functions/feed/tableWriter.ts";
import { recordItem } from "../../functions/records/recordItem.ts";
import { Record as InputRecord } from "../../functions/resources/record.ts";
import { clockOf } from "../../functions/table/clock.ts";
import { getItem } from "../../functions/table/reads.ts";
import { backOff } from "../../functions/table/retries.ts";
import { openUncountedTable } from "../../functions/table/table.ts";

/** In the format of `npm run ops -- import`. */
export const demoRecordsFile = join(import.meta.dirname, "records.ndjson");

/** Parents come before children. */
export function demoRecords(): InputRecord[] {
  const lines = readFileSync(demoRecordsFile, "utf8").trimEnd().split("\n");
  return lines.map((line) => InputRecord.parse(JSON.parse(line)));
}

/** The demo data counts as accepted this long ago, so that the list of changes shows it immediately. */
const agedMs = 60_000;

/** Loads the demo data, unless the table already has it: later changes to it are kept. */
export async function loadDemoRecords(): Promise<void> {
  const table = openUncountedTable(clockOf(() => Date.now() - agedMs));
  const items = demoRecords().map(recordItem);
  const last = items.pop();
  if (!last || (await getItem(table, { PK: last.PK, SK: last.SK }))) return;
  const pause = backOff(new AbortController().signal);
  const writer = tableWriter(table, pause);
  for (const item of items) await writer.add(item);
  await writer.finish();
  // The last item marks the load as complete.
  await writer.add(last);
  await writer.finish();
}
