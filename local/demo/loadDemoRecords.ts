import { tableWriter } from "../../functions/feed/tableWriter.ts";
import { recordItem } from "../../functions/records/recordItem.ts";
import { clockOf } from "../../functions/table/clock.ts";
import { getItem } from "../../functions/table/reads.ts";
import { openTable } from "../../functions/table/table.ts";
import { backOff } from "../../functions/table/untilTaken.ts";
import { demoRecords } from "./demoRecords.ts";

/** The demo data counts as accepted this long ago, so that the list of changes shows it immediately. */
const agedMs = 60_000;

/** Loads the demo data, unless the table already has it: later changes to it are kept. */
export async function loadDemoRecords(): Promise<void> {
  const table = openTable(
    undefined,
    clockOf(() => Date.now() - agedMs),
  );
  const items = demoRecords().map(recordItem);
  const last = items.pop();
  if (!last || (await getItem(table, { PK: last.PK, SK: last.SK }))) return;
  const pause = backOff(new AbortController().signal);
  const writer = tableWriter(table, { written: 0, older: 0 }, pause);
  for (const item of items) await writer.add(item);
  await writer.finish();
  // The last item marks the load as complete.
  await writer.add(last);
  await writer.finish();
}
