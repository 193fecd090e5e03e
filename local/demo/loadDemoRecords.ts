import { setTimeout as wait } from "node:timers/promises";
import { recordItem } from "../../functions/data/records/recordItem.ts";
import { isOrderItem, upsertOrder } from "../../functions/data/records/upsertOrder.ts";
import { upsertRecord } from "../../functions/data/records/upsertRecord.ts";
import { getItem } from "../../functions/data/table/reads.ts";
import { openTable } from "../../functions/data/table/table.ts";
import { tableWriter } from "../../functions/ingest/tableWriter.ts";
import { pauseMs } from "../../functions/ingest/untilTaken.ts";
import { instantMs } from "../../functions/resources/instant.ts";
import { demoRecords } from "./demoRecords.ts";

/** Loads the demo data, unless the table already has it: later changes to it are kept. */
export async function loadDemoRecords(): Promise<void> {
  const table = openTable();
  const records = demoRecords();
  const last = records.pop();
  if (!last) return;
  const lastItem = recordItem(last);
  if (await getItem(table, { PK: lastItem.PK, SK: lastItem.SK })) return;

  const writer = tableWriter(table, { written: 0, older: 0 }, (failedTries) => wait(pauseMs(failedTries)));
  for (const record of records) {
    const item = recordItem(record);
    if (record.type === "order" && isOrderItem(item)) {
      // Accepted at its last change, so that the list of changed orders shows a history immediately.
      const acceptedMs = instantMs(record.data.date_modified);
      await upsertOrder(table, item, false, () => acceptedMs);
    } else await writer.add(item);
  }
  await writer.finish();
  // Last, because it marks the load as complete.
  await upsertRecord(table, lastItem);
}
