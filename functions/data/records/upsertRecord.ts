import { ConditionFailed } from "../table/errors.ts";
import type { Item } from "../table/item.ts";
import type { Table } from "../table/table.ts";
import { putItem, putItemBatch } from "../table/writes.ts";
import { isNotOlder, type RecordItem } from "./recordItem.ts";
import { isOrderItem, upsertOrder } from "./upsertOrder.ts";

/** The most records that one call to {@link upsertBatch} takes: DynamoDB's limit of a batch. */
export const maximumBatch = 25;

/** Whether a record replaces whatever is stored, and so may go in a batch, which knows no conditions. */
export function isForBatch(item: RecordItem): boolean {
  return item.record_version === undefined && !isOrderItem(item);
}

/**
 * Puts a record, or a tombstone, in place of the one with its type and id, unless the stored one's version is higher. The comparison is a
 * condition of the write, so of two writers the higher version stays, whoever comes last; of one version a tombstone. A stored record without
 * a version is always replaced.
 *
 * @param isRepeated whether an earlier call for this item failed, so that its write may have landed late.
 * @returns whether what it says is stored.
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
 * Puts records that are {@link isForBatch}, each in place of the one with its type and id, whatever version that has. No two may be of one
 * type and id.
 *
 * @returns the items that DynamoDB did not take, to be sent again after a pause.
 */
export async function upsertBatch(table: Table, items: Item[]): Promise<Item[]> {
  return putItemBatch(table, items);
}
