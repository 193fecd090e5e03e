import { ConditionFailed } from "../table/errors.ts";
import type { Item } from "../table/item.ts";
import type { Table } from "../table/table.ts";
import { putItem, putItemBatch } from "../table/writes.ts";
import { isNotOlder, type RecordItem } from "./recordItem.ts";
import { isOrderItem, upsertOrder } from "./upsertOrder.ts";

/** The most records for one call to {@link upsertBatch}: DynamoDB's limit for a batch. */
export const maximumBatch = 25;

/** Whether a record replaces the stored one unconditionally. Only then may it go in a batch, which does not support conditions. */
export function isForBatch(item: RecordItem): boolean {
  return item.record_version === undefined && !isOrderItem(item);
}

/**
 * Replaces the stored record with the same type and id by a record or a tombstone, unless the stored one has a higher version. The comparison
 * is a condition of the write, so the higher version wins regardless of the order of the writes; of equal versions, a tombstone wins. A stored
 * record without a version is always replaced.
 *
 * @param isRepeated whether an earlier call for this item failed, so that its write may still have succeeded late.
 * @returns whether the table now has the record's content.
 */
export async function upsertRecord(table: Table, item: RecordItem, isRepeated = false): Promise<boolean> {
  if (isOrderItem(item)) return upsertOrder(table, item, isRepeated);
  const { record_version } = item;
  try {
    await putItem(
      table,
      item,
      record_version === undefined ? {} : { condition: isNotOlder, values: { ":version": record_version } },
    );
    return true;
  } catch (error) {
    if (error instanceof ConditionFailed) return false;
    throw error;
  }
}

/**
 * Replaces the stored records with the same types and ids, regardless of their versions. Only for records that pass {@link isForBatch}, with
 * different keys.
 *
 * @returns the items that DynamoDB did not process, to retry after a pause.
 */
export async function upsertBatch(table: Table, items: Item[]): Promise<Item[]> {
  return putItemBatch(table, items);
}
