/** An item of the table, as plain values. */
export type Item = Record<string, unknown>;

/** Whether an item only marks that a record was deleted. */
export function isTombstone(item: Item): boolean {
  return item.deleted === true;
}
