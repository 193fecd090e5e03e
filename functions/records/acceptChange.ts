import type { Item } from "../table/item.ts";
import type { ItemKey } from "../table/itemKeys.ts";
import { changeKey } from "../table/lists.ts";
import type { Table } from "../table/table.ts";
import { ConditionFailed, isTransactionConflict } from "../table/tableErrors.ts";
import { updateItem, updateOf } from "../table/writes.ts";
import { acceptanceMs, changeTimeAttribute, maximumWriteMs } from "./changeTime.ts";

/** A change time for a write, and a condition that the write must include, unless it requires that no item exists. */
export interface ChangeTime {
  attributes: Record<string, string>;
  /** An item's change times only increase, so a write that arrives late, after its writer has given up, cannot replace a newer one. */
  condition: string;
  values: Record<string, string>;
}

/** The next step of a change: a write under a change time, or the result if nothing is left to write. */
type Step<Result> =
  | {
      key: ItemKey;
      /** From {@link acceptanceMs}, if the decision needed the time. */
      acceptedMs?: number;
      write: (changeTime: ChangeTime) => Promise<Result>;
    }
  | {
      result: Result;
      /** The item that an earlier try of this change may have stored. */
      stored?: ItemKey;
      /** True if an earlier call may have stored it, so that its change time may be old. */
      isRepeated?: boolean;
    };

/** A refused write, with the stored item; without one if there is none, or the write was a transaction. */
interface Refusal {
  item?: Item | undefined;
}

/**
 * Makes a change, which readers of the changes cannot miss (docs/decisions/0015-changes.md). If a slow or repeated call finds that an earlier try may
 * have been stored, the item gets a new change time.
 * @param decide is asked at first, and again after each refused write.
 * @throws Unavailable if the table responds too slowly to know the time.
 */
export async function acceptChange<Result>(
  table: Table,
  decide: (refusal?: Refusal) => Step<Result> | Promise<Step<Result>>,
): Promise<Result> {
  const { clock } = table;
  const startMs = clock.uptimeMs();
  for (let refusal: Refusal | undefined; ; ) {
    try {
      const step = await decide(refusal);
      if ("result" in step) {
        const mayBeOld = step.isRepeated || clock.uptimeMs() - startMs > maximumWriteMs;
        if (step.stored && mayBeOld) await renewChangeTime(table, step.stored);
        return step.result;
      }
      const { PK, SK } = step.key;
      const acceptedMs = step.acceptedMs ?? (await acceptanceMs(table, { PK, SK }));
      const begunMs = clock.uptimeMs();
      // The clock of the stored item's writer may be ahead.
      const ms = Math.max(acceptedMs, changeTimeMsOf(refusal?.item) + 1);
      const result = await step.write(changeTimeAt({ PK, SK }, ms));
      if (clock.uptimeMs() - begunMs > maximumWriteMs) await renewChangeTime(table, { PK, SK });
      return result;
    } catch (error) {
      if (error instanceof ConditionFailed) refusal = error;
      else if (isTransactionConflict(error)) refusal = {};
      else throw error;
    }
  }
}

function changeTimeAt(key: ItemKey, ms: number): ChangeTime {
  const attributes = changeKey(key, ms);
  const condition = `(attribute_not_exists(${changeTimeAttribute}) OR ${changeTimeAttribute} < :limit)`;
  return { attributes, condition, values: { ":limit": String(attributes[changeTimeAttribute]) } };
}

/** 0 if the item has none. */
function changeTimeMsOf(item: Item | undefined): number {
  const changeTime = item?.[changeTimeAttribute];
  return typeof changeTime === "string" ? Date.parse(changeTime.split("#")[0] ?? "") : 0;
}

/**
 * Moves a stored item to the end of the changes. Readers may see an item twice. If our own timed-out try landed meanwhile, the stored time may be ours
 * and too old. So move the item even if its time is later than the one we sent.
 */
export async function renewChangeTime(table: Table, { PK, SK }: ItemKey): Promise<void> {
  const move = ({ attributes, condition, values }: ChangeTime) =>
    updateItem(
      table,
      { PK, SK },
      updateOf({ set: attributes }, { condition: `attribute_exists(PK) AND ${condition}`, values }),
      "NONE",
    );
  // Without an item, the write was refused because it has been deleted.
  await acceptChange<unknown>(table, (refusal) =>
    refusal && !refusal.item ? { result: undefined } : { key: { PK, SK }, write: move },
  );
}
