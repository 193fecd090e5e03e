import { maximumErrorMs } from "../table/clock.ts";
import { ConditionFailed, Unavailable } from "../table/errors.ts";
import type { Item } from "../table/item.ts";
import type { ItemKey } from "../table/itemKeys.ts";
import { changeKey, listAttributes } from "../table/lists.ts";
import { itemExists } from "../table/reads.ts";
import type { Table } from "../table/table.ts";
import { isWritten, updateItem } from "../table/writes.ts";

const { partitionKey, sortKey } = listAttributes({ index: "GSI3" });
/** The attribute that sorts an organisation's changes: when this service accepted the item's latest change. */
export const changeTimeAttribute = sortKey;

/** A slower write gets a new change time, because readers may already be past it. */
export const maximumWriteMs = 2_000;
/** GSI3 follows the table within this time in practice. */
const maximumIndexMs = 1_000;
/** Changes are shown only after this time, when their order is final: two clocks may err in opposite directions (docs/decisions/0015-changes.md). */
export const visibilityDelayMs = maximumWriteMs + 2 * maximumErrorMs + maximumIndexMs;

/** A change time for a write, and the condition that each write must include. */
export interface ChangeTime {
  attributes: Record<string, string>;
  /** An item's change times only increase, so a write that arrives late, after its writer has given up, cannot replace a newer one. */
  condition: string;
  values: Record<string, string>;
}

/**
 * Writes a changed item with its change time. docs/decisions/0015-changes.md explains why readers miss no change.
 * @param write stores the change time's attributes with the item, on the change time's condition.
 * @param onRefused gets the stored item if another condition of the write is false, and returns the result, or undefined to write again.
 * @throws ConditionFailed if another condition of the write is false, without `onRefused`.
 */
export async function writeWithChangeTime<Result>(
  table: Table,
  { PK, SK }: ItemKey,
  write: (changeTime: ChangeTime) => Promise<Result>,
  onRefused?: (stored: Item | undefined) => Promise<Result | undefined>,
): Promise<Result> {
  const { clock } = table;
  const key = { PK, SK };
  let foundMs: number | undefined;
  for (;;) {
    // A write with a wrong change time would be hidden, or missed by readers, if this process ended before correcting it.
    await setClock(table, key);
    const acceptedMs = foundMs === undefined ? clock.nowMs() : Math.max(clock.nowMs(), foundMs + 1);
    const attributes = changeKey(key, acceptedMs);
    try {
      return await renewedIfSlow(table, key, () => write(following(attributes)));
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
      const storedMs = changeTimeMsOf(error.item);
      // Another writer's clock is ahead.
      if (storedMs !== undefined && storedMs >= acceptedMs) foundMs = storedMs;
      else {
        if (!onRefused) throw error;
        const result = await onRefused(error.item);
        if (result !== undefined) return result;
      }
    }
  }
}

/** Makes a write that sets the change time of an item, and sets it again if the write was slow. */
export async function renewedIfSlow<Result>(table: Table, key: ItemKey, write: () => Promise<Result>): Promise<Result> {
  const startMs = table.clock.uptimeMs();
  const result = await write();
  if (table.clock.uptimeMs() - startMs > maximumWriteMs) await renewChangeTime(table, key);
  return result;
}

/** The clock is unset at a process's first call, and after a change of the local clock. @throws Unavailable if the response is too slow. */
async function setClock(table: Table, key: ItemKey): Promise<void> {
  if (!table.clock.isSet()) await itemExists(table, key);
  if (!table.clock.isSet()) throw new Unavailable(new Error("The time is unknown: DynamoDB responds too slowly."));
}

function following(attributes: ChangeTime["attributes"]): ChangeTime {
  const condition = `(attribute_not_exists(${changeTimeAttribute}) OR ${changeTimeAttribute} < :limit)`;
  return { attributes, condition, values: { ":limit": String(attributes[changeTimeAttribute]) } };
}

function changeTimeMsOf(item: Item | undefined): number | undefined {
  const changeTime = item?.[changeTimeAttribute];
  return typeof changeTime === "string" ? Date.parse(changeTime.split("#")[0] ?? "") : undefined;
}

/**
 * Moves a stored item to the end of the changes. It does not matter whether another writer has moved it already: readers may see an item twice.
 * But this write's own earlier try may have arrived late, so a try that finds a later change time must move the item once more.
 */
export async function renewChangeTime(table: Table, { PK, SK }: ItemKey): Promise<void> {
  const move = ({ attributes, condition, values }: ChangeTime) =>
    updateItem(
      table,
      { PK, SK },
      {
        update: `SET ${partitionKey} = :changes, ${changeTimeAttribute} = :changeTime`,
        condition: `attribute_exists(PK) AND ${condition}`,
        values: { ...values, ":changes": attributes[partitionKey], ":changeTime": attributes[changeTimeAttribute] },
      },
    );
  await isWritten(writeWithChangeTime(table, { PK, SK }, move));
}
