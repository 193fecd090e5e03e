import { acceptance, acceptedAt } from "../../functions/data/records/orderItem.ts";
import { type RecordItem, recordItem } from "../../functions/data/records/recordItem.ts";
import { maximumBatch, upsertBatch } from "../../functions/data/records/upsertRecord.ts";
import type { Item } from "../../functions/data/table/item.ts";
import { getItem } from "../../functions/data/table/reads.ts";
import { openTable } from "../../functions/data/table/table.ts";
import { backOff, untilTaken } from "../../functions/ingest/untilTaken.ts";
import type { Record as InputRecord } from "../../functions/resources/record.ts";
import { demoRecords } from "./demoRecords.ts";

/** Loads the demo data, unless the table already has it: later changes to it are kept. */
export async function loadDemoRecords(): Promise<void> {
  const table = openTable();
  const items = demoRecords().map(demoItem);
  const last = items.at(-1);
  if (!last || (await getItem(table, { PK: last.PK, SK: last.SK }))) return;
  // In order, because the last item marks the load as complete. Several batches at once are no faster in DynamoDB Local.
  const pause = backOff(new AbortController().signal);
  for (let start = 0; start < items.length; start += maximumBatch) {
    await untilTaken<Item>(items.slice(start, start + maximumBatch), (batch) => upsertBatch(table, batch), pause);
  }
}

/** An order counts as accepted at its last change, so that the list of changed orders shows a history immediately. */
function demoItem(record: InputRecord): RecordItem {
  const item = recordItem(record);
  if (record.type !== "order") return item;
  return { ...item, [acceptance]: acceptedAt(record.data.date_modified, record.data.id) };
}
