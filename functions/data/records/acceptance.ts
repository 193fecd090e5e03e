import { ConditionFailed } from "../table/errors.ts";
import type { Item } from "../table/item.ts";
import { changeKey, type ItemKey, listAttributes } from "../table/keys.ts";
import type { Table } from "../table/table.ts";
import { updateItem } from "../table/writes.ts";

/** The attribute that sorts an organisation's changes: when this service accepted the item's latest change. */
export const { sortKey: acceptance } = listAttributes({ index: "GSI3" });

/** A slower write gets a new stamp, because readers may already be past its stamp. This must be far less than their horizon. */
export const maximumWriteMs = 3_000;

/**
 * A condition on the stamp in `:stamp`, which each write must include. An item's stamps only increase, so a write that arrives late, after its
 * writer has given up, cannot replace a newer one.
 */
export const isLatest = `(attribute_not_exists(${acceptance}) OR ${acceptance} < :stamp)`;

/**
 * Writes a changed item with the time of its acceptance. docs/decisions/0015-changes.md explains why readers miss no change.
 *
 * @param write gets the attributes that place the item among the changes. It stores them with the item, on condition that {@link isLatest}.
 * @param nowMs the writer's clock.
 * @throws ConditionFailed if another condition of the write is false.
 */
export async function writeAccepted<Result>(
  table: Table,
  key: ItemKey,
  write: (stamp: Item) => Promise<Result>,
  nowMs: () => number = Date.now,
): Promise<Result> {
  let earliestMs = 0;
  for (;;) {
    const acceptedMs = Math.max(nowMs(), earliestMs);
    const stamp = changeKey(key, acceptedMs);
    try {
      const result = await write(stamp);
      if (nowMs() - acceptedMs > maximumWriteMs) await renewStamp(table, key, nowMs);
      return result;
    } catch (error) {
      const later = error instanceof ConditionFailed && acceptedMsOf(error.item);
      if (!later || later < acceptedMs) throw error;
      // Another writer's clock is ahead.
      earliestMs = later + 1;
    }
  }
}

function acceptedMsOf(item: Item | undefined): number | undefined {
  const stamp = item?.[acceptance];
  return typeof stamp === "string" ? Date.parse(stamp.split("#")[0] ?? "") : undefined;
}

/**
 * Moves a stored item to the end of the changes. It does not matter whether another writer has moved it already: readers may see an item twice.
 * But this write's own earlier try may have arrived late, so a try that finds a later stamp must move the item once more.
 */
export async function renewStamp(table: Table, { PK, SK }: ItemKey, nowMs: () => number = Date.now): Promise<void> {
  const move = (stamp: Item) =>
    updateItem(
      table,
      { PK, SK },
      {
        update: `SET ${acceptance} = :stamp`,
        // An item that an earlier version of this service wrote is not among the changes yet.
        condition: `attribute_exists(${acceptance}) AND ${isLatest}`,
        values: { ":stamp": stamp[acceptance] },
      },
    );
  try {
    await writeAccepted(table, { PK, SK }, move, nowMs);
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
  }
}
