import { acceptance, acceptedAt } from "../../functions/data/records/orderItem.ts";
import { type RecordItem, recordItem } from "../../functions/data/records/recordItem.ts";
import { openTable } from "../../functions/data/table/table.ts";
import { getItem } from "../../functions/data/table/reads.ts";
import type { Record as InputRecord } from "../../functions/resources/record.ts";
import { countDemoItems } from "./countDemoItems.ts";
import { demoProgrammes, demoSales } from "./demoRecords.ts";
import { putDemoItems } from "./putDemoItems.ts";

/** Puts the events of the demo organisations, with their dates and ticket categories, into a table that does not have them. */
export async function seedProgrammes(): Promise<void> {
  const items = demoProgrammes().map(recordItem);
  if (!(await isThere(items))) await putDemoItems(items);
}

/**
 * Puts what was sold for them, and their summaries, into a table that does not have it.
 * @returns the partition keys of the items that the summaries count now.
 */
export async function seedSales(): Promise<ReadonlySet<string>> {
  const sales = demoSales().map(saleItem);
  if (await isThere(sales)) return new Set();
  const counted = [...demoProgrammes().map(recordItem), ...sales];
  // The sales last: where the last of them is there, everything is.
  await putDemoItems([...countDemoItems(counted), ...sales]);
  return new Set(counted.map(({ PK }) => PK));
}

/** Whether the last item is there, which is put last; where it is, whatever has become of them stays. */
async function isThere(items: RecordItem[]): Promise<boolean> {
  const [last] = items.slice(-1);
  return last !== undefined && (await getItem(openTable(), { PK: last.PK, SK: last.SK })) !== undefined;
}

/** A record's item. An order counts as accepted when it was last changed, so that who follows the changes finds a history. */
function saleItem(record: InputRecord): RecordItem {
  const item = recordItem(record);
  if (record.type !== "order") return item;
  return { ...item, [acceptance]: acceptedAt(record.data.date_modified, record.data.id) };
}
