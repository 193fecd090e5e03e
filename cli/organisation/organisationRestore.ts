import * as z from "zod";
import { ApiKeyHash } from "../../functions/keys/apiKeyHashes.ts";
import { renewChangeTime, writeWithChangeTime } from "../../functions/records/changeTime.ts";
import { resourceOf } from "../../functions/records/recordItem.ts";
import { kept } from "../../functions/records/upsertRecord.ts";
import { recordTypes } from "../../functions/resources/record.ts";
import { CallLimit } from "../../functions/table/callLimit.ts";
import { ConditionFailed } from "../../functions/table/errors.ts";
import { type Item, isTombstone } from "../../functions/table/item.ts";
import { type ItemKey, itemKeys, itemTypeOf } from "../../functions/table/itemKeys.ts";
import { listAttributes, placeAttributes, placeOf } from "../../functions/table/lists.ts";
import { getItem } from "../../functions/table/reads.ts";
import { type Pause, retryWhileUnavailable } from "../../functions/table/retries.ts";
import type { Table } from "../../functions/table/table.ts";
import { putItem, updateItem, updateOf } from "../../functions/table/writes.ts";
import { scanInParallel } from "../table/scanTable.ts";
import { isAsRestored, restoredWebhook } from "../webhooks/restoredWebhook.ts";
import { type Counts, itemsOfOrganisation } from "./organisation.ts";

/** The progress so far. */
export interface Restored {
  /** Written items by kind. */
  counts: Counts;
  /** Items that were there already, and stay. */
  present: number;
  failures: { key: ItemKey; error: unknown }[];
  /** The API keys that work after the restore. */
  activeKeys: { name: string; prefix: string }[];
  /** The webhooks that nobody has changed since this restore, or an interrupted one, wrote them. */
  webhooks: Item[];
}

/** All items of one organisation, page by page. Called twice for an export: the first time nothing is written. */
export type Source = (onPage: (items: Item[]) => Promise<void>) => Promise<void>;

interface Waiting {
  pause: Pause;
  signal: AbortSignal;
}

const Key = z.object({ PK: z.string(), SK: z.string() });
const ActiveKey = ApiKeyHash.refine((key) => key.status === "active");

/** The items that the summaries' consumer makes again, from the stream of the others, and the turns of requests that have ended. */
const leftOut: ReadonlySet<string> = new Set(
  [itemKeys.eventSummary(1, 1), itemKeys.dateSummary(1, 1), itemKeys.lastCounted(""), itemKeys.webhookTurns(1)].map(
    itemTypeOf,
  ),
);

const webhookType = itemTypeOf(itemKeys.webhook(1, ""));

/** What the authorizer looks up. */
const hashType = itemTypeOf(itemKeys.apiKeyHash(""));

/**
 * Writes an organisation's items that the table lacks, with webhooks paused. Existing items stay: after an erasure, they arrived later. What the
 * authorizer looks up comes last, so that nobody reads or writes before the rest is back. Another run completes an interrupted one.
 *
 * @param restored is updated during the run.
 */
export async function restoreOrganisation(
  table: Table,
  organisationId: number,
  source: Source,
  restored: Restored,
  { pause, signal }: Waiting,
): Promise<void> {
  const callLimit = new CallLimit();
  const last: Item[] = [];
  const listRestored = async (key: ItemKey) => {
    const stored = await retryWhileUnavailable(() => getItem(table, key), pause);
    if (stored && isAsRestored(stored)) restored.webhooks.push(stored);
  };
  const restoreOne = async (item: Item) => {
    const key = Key.parse(item);
    const type = itemTypeOf(key);
    if (leftOut.has(type)) return;
    try {
      const wanted = type === webhookType ? restoredWebhook(item, table.clock.nowMs()) : item;
      const isNew = await retryWhileUnavailable(
        () => callLimit.run(() => writeMissing(table, organisationId, key, wanted)),
        pause,
      );
      if (!isNew) restored.present += 1;
      else restored.counts[type] = (restored.counts[type] ?? 0) + 1;
      if (type === webhookType) await listRestored(key);
    } catch (error) {
      if (signal.aborted || isOfTable(error)) throw error;
      restored.failures.push({ key, error });
    }
  };
  await source(async (items) => {
    signal.throwIfAborted();
    const isLast = (item: Item) => itemTypeOf(Key.parse(item)) === hashType;
    last.push(...items.filter(isLast));
    await Promise.all(items.filter((item) => !isLast(item)).map(restoreOne));
  });
  signal.throwIfAborted();
  await Promise.all(last.map(restoreOne));
  restored.activeKeys.push(...last.flatMap((item) => ActiveKey.safeParse(item).data ?? []));
}

/** Failures of the table itself, which the next item would meet too. */
function isOfTable(error: unknown): boolean {
  return error instanceof Error && ("$metadata" in error || error.name === "GivenUp");
}

/**
 * Writes an item if its key is free. An item that is listed as a change gets a new place among the changes, so that readers see it.
 * @returns false if the key is taken.
 */
async function writeMissing(table: Table, organisationId: number, key: ItemKey, item: Item): Promise<boolean> {
  const resource = resourceOf(key.SK);
  if (!resource) return put(table, item);
  const place = isTombstone(item) ? {} : placeOf(resource, organisationId, item);
  const fields = Object.entries(item).filter(([name]) => !placeNames.has(name));
  const placed: Item = { ...Object.fromEntries(fields), ...place, ...key };
  // The pipe would send balance payments again as events; those of orders are sent only for changes.
  const isRecord = recordTypes.some((type) => type === resource.type);
  const marked = isRecord ? placed : { ...placed, restored: true };
  const write = ({ attributes }: { attributes: Item }) =>
    put(table, { ...kept(marked, table.clock.nowMs()), ...attributes });
  return (await writeWithChangeTime(table, key, write)) || addNote(table, key, item);
}

const { partitionKey, sortKey } = listAttributes({ index: "GSI3" });
const placeNames = new Set([...placeAttributes, partitionKey, sortKey]);

async function put(table: Table, item: Item): Promise<boolean> {
  try {
    await putItem(table, item, { condition: "attribute_not_exists(PK)" });
    return true;
  } catch (error) {
    if (error instanceof ConditionFailed) return false;
    throw error;
  }
}

/** The core system may have sent an order again, without the note that was set through the API. */
async function addNote(table: Table, { PK, SK }: ItemKey, { api_note, revision }: Item): Promise<boolean> {
  if (api_note === undefined) return false;
  const condition = "attribute_exists(PK) AND attribute_not_exists(deleted) AND attribute_not_exists(api_note)";
  try {
    await updateItem(table, { PK, SK }, updateOf({ set: { api_note, revision } }, { condition }));
  } catch (error) {
    if (error instanceof ConditionFailed) return false;
    throw error;
  }
  await renewChangeTime(table, { PK, SK });
  return true;
}

/** The organisation's items of another table, such as one restored to a point in time. */
export function tableSource(table: Table, organisationId: number, waiting: Waiting): Source {
  return (onPage) => scanInParallel(table, itemsOfOrganisation(organisationId), onPage, waiting);
}
