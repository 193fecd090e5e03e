import type { RecordItem } from "./recordItem.ts";
import type { Table } from "./table.ts";
import { ConditionFailed } from "./tableError.ts";
import type { Item } from "./tableReads.ts";
import { putItem, putItemBatch } from "./tableWrites.ts";

/** The most records that one call to {@link upsertUnversioned} takes: DynamoDB's limit of a batch. */
export const maximumBatch = 25;

export type VersionedItem = RecordItem & { record_version: number };

/** Whether a record carries a version, and so is one for {@link upsertVersioned}. */
export function isVersioned(item: RecordItem): item is VersionedItem {
  return item.record_version !== undefined;
}

/**
 * Puts a record that carries a version, unless the stored one's is higher. The comparison is a condition of the write, so of two
 * writers the higher version stays, whoever comes last. A stored record without a version is always replaced.
 *
 * @returns whether it was put.
 */
export async function upsertVersioned(table: Table, item: VersionedItem): Promise<boolean> {
  try {
    await putItem(table, item, {
      condition: "attribute_not_exists(record_version) OR record_version <= :version",
      values: { ":version": item.record_version },
    });
    return true;
  } catch (error) {
    if (error instanceof ConditionFailed) return false;
    throw error;
  }
}

/**
 * Puts records without a version, each in place of the one with its type and id, whatever version that has. No two may be of one
 * type and id.
 *
 * @returns the items that DynamoDB did not take, to be sent again after a pause.
 */
export async function upsertUnversioned(table: Table, items: Item[]): Promise<Item[]> {
  return putItemBatch(table, items);
}
