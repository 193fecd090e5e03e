import * as z from "zod";
import { recordItem } from "../../functions/data/recordItem.ts";
import { openTable } from "../../functions/data/table.ts";
import { getItem } from "../../functions/data/tableReads.ts";
import { demoRecords } from "./demoRecords.ts";
import { putDemoRecords } from "./putDemoRecords.ts";

const ItemKey = z.object({ PK: z.string(), SK: z.string() });

/**
 * Puts the demo records into a table that does not have them yet; where it has, whatever has become of them stays. The last record is
 * put last, so where it is there, they all were.
 */
export async function seedDemoData(): Promise<void> {
  const records = demoRecords();
  const [last] = records.slice(-1).map(recordItem);
  if (await getItem(openTable(), ItemKey.parse(last))) return;
  await putDemoRecords(records);
}
