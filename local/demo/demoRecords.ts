import { readFileSync } from "node:fs";
import { join } from "node:path";
import { recordItem, tombstone } from "../../functions/records/recordItem.ts";
import { kept } from "../../functions/records/upsertRecord.ts";
import { Deletion, Record as InputRecord } from "../../functions/resources/record.ts";
import { changeKey } from "../../functions/table/lists.ts";
import { getItem } from "../../functions/table/reads.ts";
import { callTable, openUncountedTable } from "../../functions/table/table.ts";
import { Unavailable } from "../../functions/table/tableErrors.ts";
import { demoBalanceItem, demoBalancePaymentItems } from "./demoBalancePayments.ts";

/** In the format of `npm run ops -- import`. */
export const demoRecordsFile = join(import.meta.dirname, "records.ndjson");

/** Parents come before children. */
export function demoRecords(): InputRecord[] {
  return demoLines().filter((line): line is InputRecord => !("deleted" in line));
}

/** The records and deletions of the file, in its order. */
export function demoLines(): (InputRecord | Deletion)[] {
  const lines = readFileSync(demoRecordsFile, "utf8").trimEnd().split("\n");
  return lines.map((text) => {
    const line = JSON.parse(text);
    return "deleted" in line ? Deletion.parse(line) : InputRecord.parse(line);
  });
}

/** The demo data counts as accepted this long ago, so that the list of changes shows it immediately. */
const agedMs = 60_000;

/** BatchWriteItem's limit. */
const maximumBatch = 25;

/** Loads the demo data, unless the table already has it: later changes to it are kept. */
export async function loadDemoRecords(): Promise<void> {
  const table = openUncountedTable();
  const changedMs = Date.now() - agedMs;
  const stored = demoLines().map((line) => ("deleted" in line ? kept(tombstone(line), changedMs) : recordItem(line)));
  const changes = [...demoBalancePaymentItems(), ...stored];
  const items = [
    demoBalanceItem(),
    ...changes.map((item, index) => ({ ...item, ...changeKey(item, changedMs + index) })),
  ];
  const last = items.at(-1);
  if (!last || (await getItem(table, { PK: last.PK, SK: last.SK }))) return;
  // In order, so that the last item marks the load as complete.
  for (let start = 0; start < items.length; start += maximumBatch) {
    const requests = items.slice(start, start + maximumBatch).map((Item) => ({ PutRequest: { Item } }));
    const { UnprocessedItems = {} } = await callTable(table, "BatchWriteItem", {
      RequestItems: { [table.name()]: requests },
    });
    if (Object.keys(UnprocessedItems).length > 0) throw new Unavailable(undefined);
  }
}
