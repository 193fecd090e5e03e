import { recordItem } from "../../functions/data/recordItem.ts";
import { openTable } from "../../functions/data/table.ts";
import { transactWrite } from "../../functions/data/tableWrites.ts";
import type { Record as InputRecord } from "../../functions/resources/record.ts";

/** Few enough for DynamoDB Local to take within a request's time, just after its start on a busy machine. */
const transactionSize = 25;

/**
 * Puts records, of which no two have one type and id, one transaction after another. On disk DynamoDB Local takes a transaction several
 * times faster than a batch, each item of which it commits by itself.
 */
export async function putDemoRecords(records: InputRecord[]): Promise<void> {
  const writes = records.map((record) => ({ put: recordItem(record) }));
  for (let start = 0; start < writes.length; start += transactionSize) {
    await transactWrite(openTable(), writes.slice(start, start + transactionSize));
  }
}
