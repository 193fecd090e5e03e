import * as z from "zod";
import { renewStamp, writeAccepted } from "../../functions/data/records/acceptance.ts";
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
  /** The items that do not match their keys, and why. */
  failures: { key: ItemKey; error: unknown }[];
}

interface Work extends Missing {
  key: ItemKey;
}

const Key = z.object({ PK: z.string(), SK: z.string() });
/** Writes at the same time, in each segment of the scan. */
const writesAtATime = 8;
const { partitionKey: changesPartition } = listAttributes({ index: "GSI3" });

/**
 * Adds the attributes that records of earlier versions of this service lack, and then marks the table as complete. Readers and writers may
 * continue meanwhile: each write requires that the item still lacks its place among the changes, so newer records win.
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
    const works = items.flatMap((item) => workOf(item, backfilled));
    const write = async (work: Work) => {
      await untilAnswered(() => complete(table, work), pause);
      backfilled.completed += 1;
    };
    for (let start = 0; start < works.length; start += writesAtATime) {
      signal.throwIfAborted();
      await Promise.all(works.slice(start, start + writesAtATime).map(write));
    }
  };
  await scanInParallel(table, incompleteItems(), onPage, { pause, signal });
  signal.throwIfAborted();
  if (backfilled.failures.length > 0) return false;
  await untilAnswered(() => markIndexed(table), pause);
  return true;
}

/** Excludes tombstones: those records were deleted before clients could follow changes, so no client needs to learn of it. */
function incompleteItems(): Wanted {
  const sortKeys = [...recordSortKeys, keys.balancePayment(1, 1).SK];
  const names = sortKeys.map((_, index) => `:type${index}`);
  return {
    filter: `attribute_not_exists(${changesPartition}) AND attribute_not_exists(deleted) AND SK IN (${names.join(", ")})`,
    values: Object.fromEntries(sortKeys.map((sortKey, index) => [`:type${index}`, sortKey])),
  };
}

function workOf(item: Item, { failures }: Backfilled): Work[] {
  const key = Key.parse(item);
  try {
    return [{ key, ...missingAttributes(key, item) }];
  } catch (error) {
    failures.push({ key, error });
    return [];
  }
}

async function complete(table: Table, { key, ...missing }: Work): Promise<void> {
  try {
    await writeAccepted(table, key, (stamp) => updateItem(table, key, completion(missing, stamp)));
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
