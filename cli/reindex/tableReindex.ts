import { setTimeout as wait } from "node:timers/promises";
import * as z from "zod";
import { acceptance } from "../../functions/records/acceptance.ts";
import { resourceOf } from "../../functions/records/recordItem.ts";
import { declarationsVersion } from "../../functions/resources/index.ts";
import { type Resource, resourceTypes, storedForm } from "../../functions/resources/resource.ts";
import { storedVersion, storeReindexed, storeReindexing } from "../../functions/table/declarations.ts";
import { ConditionFailed } from "../../functions/table/errors.ts";
import { type Item, isTombstone } from "../../functions/table/item.ts";
import { type ItemKey, itemTypeOf, keys, organisationIdOf } from "../../functions/table/keys.ts";
import { placeAttributes, placeOf } from "../../functions/table/lists.ts";
import { Pace } from "../../functions/table/pace.ts";
import type { Table } from "../../functions/table/table.ts";
import { untilAnswered } from "../../functions/table/untilTaken.ts";
import { type Expression, updateItem, updateOf } from "../../functions/table/writes.ts";
import { UsageError } from "../shared/usageError.ts";
import { scanInParallel, segments } from "../table/scanTable.ts";
import { beginProgress, type ProgressOptions } from "./reindexProgress.ts";

/** The progress so far. */
export interface Reindexed {
  read: number;
  written: number;
  /** The items that stay as they are, and why. A reason contains no values, which may be personal data. */
  failures: { key: ItemKey; reason: string }[];
}

interface Run extends ProgressOptions {
  itemsASecond: number;
}

/**
 * Gives every item the index attributes that follow from its content and the declarations, and records that the table satisfies the declarations.
 * Readers and writers may continue meanwhile: an item is written only if it is still as it was read. The progress is stored in the table.
 *
 * @param reindexed is updated during the run.
 * @returns whether the table satisfies the declarations: not if items cannot be reindexed.
 * @throws UsageError if the table satisfies newer declarations, or another run is under way; nothing has changed then. Also if an earlier version
 * of this service has written meanwhile.
 * @throws AbortError when the signal aborts.
 */
export async function reindexTable(table: Table, reindexed: Reindexed, run: Run): Promise<boolean> {
  const { pause, signal, itemsASecond } = run;
  const stored = await storedVersion(table);
  if (stored.declarations > declarationsVersion) {
    throw new UsageError(
      `${table.name()} satisfies version ${stored.declarations} of the declarations, and this code has version ${declarationsVersion}. Use the code that its stage runs.`,
    );
  }
  // An earlier version of this service has written meanwhile, perhaps into the part that is done.
  const restart = run.restart || stored.reindexing !== declarationsVersion;
  const progress = await beginProgress(table, { ...run, restart }, () => reindexed.failures.length === 0);
  await untilAnswered(() => storeReindexing(table, declarationsVersion), pause);
  const pace = new Pace();
  const bounded = boundedRate(itemsASecond, signal);
  const reindex = async (item: Item) => {
    const work = workOf(item, reindexed);
    if (work) await untilAnswered(() => bounded(1).then(() => pace.run(() => correct(table, work, reindexed))), pause);
  };
  const onPage = async (items: Item[]) => {
    await bounded(items.length);
    await Promise.all(items.map(reindex));
    reindexed.read += items.filter(({ PK }) => PK !== own).length;
    signal.throwIfAborted();
    progress.assertOwn();
  };
  const pageSize = Math.max(1, Math.min(maximumPage, Math.ceil(itemsASecond / segments / 4)));
  try {
    await scanInParallel(table, {}, onPage, { pause, signal, positions: progress.positions, pageSize });
  } catch (error) {
    await progress.end({ isContinuable: true });
    throw error;
  }
  await progress.end({ isContinuable: false });
  if (reindexed.failures.length > 0) return false;
  if (await untilAnswered(() => storeReindexed(table, declarationsVersion), pause)) return true;
  throw new UsageError(
    `An earlier version of this service has written to ${table.name()} meanwhile. Run it again when only the new one writes.`,
  );
}

const maximumPage = 500;
/** The partition of the version and of the progress. */
const own = keys.declarations().PK;

/** Lets at most this number of items a second pass. */
function boundedRate(itemsASecond: number, signal: AbortSignal): (items: number) => Promise<void> {
  let freeMs = 0;
  return async (items) => {
    const nowMs = performance.now();
    freeMs = Math.max(freeMs, nowMs) + (items * 1_000) / itemsASecond;
    await wait(freeMs - nowMs, undefined, { signal });
  };
}

const Key = z.object({ PK: z.string(), SK: z.string() });
/** The types of items that are no resource. Any arguments will do: a key's type does not depend on them. */
const otherTypes = new Set(
  Object.entries(keys)
    .filter(([name]) => !(name in resourceTypes))
    .map(([, key]) => itemTypeOf((key as (...ids: unknown[]) => ItemKey)(1, 1, 1, 1))),
);

/** The change of its index attributes that an item needs. */
interface Work {
  key: ItemKey;
  change: Expression;
}

/** What an item needs, if anything. An item that cannot be reindexed is added to the failures. */
function workOf(item: Item, { failures }: Pick<Reindexed, "failures">): Work | undefined {
  const key = Key.parse(item);
  const resource = resourceOf(key.SK);
  const place = resource ? placeIn(resource, key, item) : undefined;
  if (!resource && otherTypes.has(itemTypeOf(key))) return undefined;
  if (typeof place !== "object") {
    failures.push({
      key,
      reason: place ?? "no declaration reads it: a newer version wrote it, or its type was removed",
    });
    return undefined;
  }
  const change = changeTo(place, item);
  return change && { key, change };
}

/** The index attributes that the declarations give an item, or why it cannot be read. */
function placeIn(resource: Resource, key: ItemKey, item: Item): Item | string {
  const id = Number(key.PK.split("#").at(-1));
  const organisationId = organisationIdOf(key.PK);
  if (keys[resource.type](organisationId, id).PK !== key.PK) return "its key is invalid";
  if (isTombstone(item)) return {};
  const { data: fields, error } = formOf(resource).safeParse(item);
  if (error) return `invalid ${[...new Set(error.issues.map(({ path }) => path.join(".")))].join(", ")}`;
  return fields.id === id ? placeOf(resource, organisationId, fields) : "its id differs from its key's";
}

const forms = new Map<Resource, z.ZodObject>();

/** The fields from which an item's place follows. */
function formOf(resource: Resource): z.ZodObject {
  const form = forms.get(resource) ?? storedForm(resource.schema.extend(resource.beside ?? {}));
  forms.set(resource, form);
  return form;
}

/** The change that gives an item these index attributes; undefined if it has them. */
function changeTo(place: Item, item: Item): Expression | undefined {
  const differing = placeAttributes.filter((name) => place[name] !== item[name]);
  if (differing.length === 0) return undefined;
  const set = Object.fromEntries(differing.filter((name) => name in place).map((name) => [name, place[name]]));
  const remove = differing.filter((name) => !(name in place));
  const condition = `attribute_exists(PK) AND ${acceptance} = :seen`;
  return updateOf({ set, remove }, { condition, values: { ":seen": item[acceptance] } });
}

/** Writes what an item needs. Each write of a record changes its stamp, so an item whose stamp is as it was read has the fields that were read. */
async function correct(table: Table, first: Work, reindexed: Reindexed): Promise<void> {
  for (let work: Work | undefined = first; work; ) {
    try {
      await updateItem(table, work.key, work.change, "NONE");
      reindexed.written += 1;
      return;
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
      // Another writer has changed or deleted it meanwhile.
      work = error.item && workOf(error.item, reindexed);
    }
  }
}
