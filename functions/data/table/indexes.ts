import { Problem } from "../../problem.ts";
import { keys } from "./keys.ts";
import { getItem } from "./reads.ts";
import type { Table } from "./table.ts";
import { putItem } from "./writes.ts";

/** The tables that are known to be complete, which they remain. */
const complete = new Set<string>();

/**
 * Refuses a request as long as records of an earlier version of this service may lack their attributes for the indexes. `npm run backfill` adds
 * them. It reads one item, once in each process.
 *
 * @throws Problem `service_unavailable`
 */
export async function assertIndexed(table: Table): Promise<void> {
  if (complete.has(table.name())) return;
  if (!(await isIndexed(table))) {
    throw new Problem(
      "service_unavailable",
      "This list is being prepared for data from before the last upgrade. Retry later.",
    );
  }
  complete.add(table.name());
}

/** Whether every record is known to have its attributes for the indexes. */
export async function isIndexed(table: Table): Promise<boolean> {
  return (await getItem(table, keys.indexesComplete())) !== undefined;
}

/** Marks that every record has its attributes for the indexes. */
export function markIndexed(table: Table): Promise<void> {
  return putItem(table, keys.indexesComplete());
}
