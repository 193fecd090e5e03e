import { openTable } from "../../functions/data/table/table.ts";
import type { Item } from "../../functions/data/table/item.ts";
import { transactWrite } from "../../functions/data/table/writes.ts";

/** Few enough for DynamoDB Local to take within a request's time, just after its start on a busy machine. */
const transactionSize = 25;

/**
 * Puts items with different keys, one transaction after another. On disk DynamoDB Local takes a transaction several times faster than a
 * batch, each item of which it commits by itself; transactions at once only wait for each other.
 */
export async function putDemoItems(items: Item[]): Promise<void> {
  for (let start = 0; start < items.length; start += transactionSize) {
    const writes = items.slice(start, start + transactionSize).map((put) => ({ put }));
    await transactWrite(openTable(), writes);
  }
}
