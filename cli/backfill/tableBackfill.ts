import * as z from "zod";
import {
  acceptance,
  firstHiddenStamp,
  isHidden,
  renewStamp,
  writeAccepted,
} from "../../functions/data/records/acceptance.ts";
import { recordSortKeys } from "../../functions/data/records/tombstone.ts";
import { ConditionFailed } from "../../functions/data/table/errors.ts";
import { markIndexed } from "../../functions/data/table/indexes.ts";
import type { Item } from "../../functions/data/table/item.ts";
import { type ItemKey, keys, listAttributes } from "../../functions/data/table/keys.ts";
import type { Table } from "../../functions/data/table/table.ts";
import { type Expression, updateItem } from "../../functions/data/table/writes.ts";
import { type Pause, untilAnswered } from "../../functions/ingest/untilTaken.ts";
import { scanInParallel, type Wanted } from "../table/scanTable.ts";
import { type Missing, missingAttributes } from "./missingAttributes.ts";

/** The progress so far. */
export interface Backfilled {
  /** Including those that another writer completed or deleted meanwhile. */
  completed: number;
  /** Items that a wrong clock had hidden from the changes. */
  shown: number;
  /** The items that do not match their keys, and why. */
  failures: { key: ItemKey; error: unknown }[];
}

/** An item to complete, or one whose stamp is wrong. */
type Work = { key: ItemKey } | ({ key: ItemKey } & Missing);

const Key = z.object({ PK: z.string(), SK: z.string() });
/** Writes at the same time, in each segment of the scan. */
const writesAtATime = 8;
const { partitionKey: changesPartition } = listAttributes({ index: "GSI3" });

/**
 * Adds the attributes that records of earlier versions of this service lack, and shows the items that a wrong clock had hidden from the changes.
 * Then marks the table as complete. Readers and writers may continue meanwhile: each write requires that the item still lacks its place among the
 * changes, so newer records win.
 *
 * @param backfilled is updated during the run.
 * @returns whether the table is complete: not if items are invalid.
 * @throws AbortError when the signal aborts.
 */
export async function backfillTable(
  table: Table,
  backfilled: Backfilled,
  { pause, signal }: { pause: Pause; signal: AbortSignal },
): Promise<boolean> {
  const onPage = async (items: Item[]) => {
    const works = items.flatMap((item) => workOf(item, backfilled, table.clock.nowMs()));
    const write = async (work: Work) => {
      if ("set" in work) {
        await untilAnswered(() => complete(table, work), pause);
        backfilled.completed += 1;
      } else {
        await untilAnswered(() => renewStamp(table, work.key), pause);
        backfilled.shown += 1;
      }
    };
    for (let start = 0; start < works.length; start += writesAtATime) {
      signal.throwIfAborted();
      await Promise.all(works.slice(start, start + writesAtATime).map(write));
    }
  };
  await scanInParallel(table, wantedItems(table.clock.nowMs()), onPage, { pause, signal });
  signal.throwIfAborted();
  if (backfilled.failures.length > 0) return false;
  await untilAnswered(() => markIndexed(table), pause);
  return true;
}

/**
 * Items without a place among the changes, or with one in the future. Of the first, excludes tombstones: those records were deleted before clients
 * could follow changes, so no client needs to learn of it.
 */
function wantedItems(nowMs: number): Wanted {
  const sortKeys = [...recordSortKeys, keys.balancePayment(1, 1).SK];
  const names = sortKeys.map((_, index) => `:type${index}`);
  return {
    filter: `(attribute_not_exists(${changesPartition}) AND attribute_not_exists(deleted) AND SK IN (${names.join(", ")})) OR ${acceptance} > :hidden`,
    values: {
      ...Object.fromEntries(sortKeys.map((sortKey, index) => [`:type${index}`, sortKey])),
      ":hidden": firstHiddenStamp(nowMs),
    },
  };
}

function workOf(item: Item, { failures }: Backfilled, nowMs: number): Work[] {
  const key = Key.parse(item);
  if (isHidden(item, nowMs)) return [{ key }];
  try {
    return [{ key, ...missingAttributes(key, item) }];
  } catch (error) {
    failures.push({ key, error });
    return [];
  }
}

async function complete(table: Table, { key, ...missing }: { key: ItemKey } & Missing): Promise<void> {
  try {
    await writeAccepted(table, key, (stamp) => updateItem(table, key, completion(missing, stamp.attributes)));
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    // An earlier try may have succeeded late, under an old stamp.
    await renewStamp(table, key);
  }
}

/** Changes nothing that the record or the API has set. The item may have been deleted meanwhile. */
function completion({ set, remove }: Missing, stamp: Item): Expression {
  const attributes = Object.entries({ ...set, ...stamp });
  const sets = attributes.map(([name], index) => `${name} = :${index}`).join(", ");
  return {
    update: `SET ${sets}${remove.length > 0 ? ` REMOVE ${remove.join(", ")}` : ""}`,
    condition: `attribute_exists(PK) AND attribute_not_exists(${changesPartition})`,
    values: Object.fromEntries(attributes.map(([, value], index) => [`:${index}`, value])),
  };
}
