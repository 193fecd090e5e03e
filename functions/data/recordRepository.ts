import type { Record as InputRecord } from "../resources/record.ts";
import { recordItem } from "./recordItem.ts";
import type { Table } from "./table.ts";
import { ConditionFailed } from "./tableError.ts";
import type { Item } from "./tableReads.ts";
import { putItem, putItemBatch } from "./tableWrites.ts";

/** The most records that one call to {@link upsertUnversioned} takes: DynamoDB's limit of a batch. */
export const maximumBatch = 25;

/**
 * Puts a record that carries a version, unless the stored one's is higher. The comparison is a condition of the write, so of two
 * writers the higher version stays, whoever comes last.
 *
 * @returns whether it was put.
 */
export async function upsertVersioned(table: Table, record: InputRecord & { version: number }): Promise<boolean> {
  try {
    await putItem(table, recordItem(record), {
      condition: "attribute_not_exists(record_version) OR record_version <= :version",
      values: { ":version": record.version },
    });
    return true;
  } catch (error) {
    if (error instanceof ConditionFailed) return false;
    throw error;
  }
}

/**
 * Puts items of records without a version, each in place of the one with its type and id. No two may be of one type and id.
 *
 * @returns the items that DynamoDB did not take, to be sent again after a pause.
 */
export async function upsertUnversioned(table: Table, items: Item[]): Promise<Item[]> {
  return putItemBatch(table, items);
}
