import { ApiKeyHash } from "../../functions/keys/apiKeyHashes.ts";
import { acceptChange, type ChangeTime, renewChangeTime } from "../../functions/records/acceptChange.ts";
import { resourceOf } from "../../functions/records/recordItem.ts";
import { kept } from "../../functions/records/upsertRecord.ts";
import { recordTypes } from "../../functions/resources/record.ts";
import { CallLimit } from "../../functions/table/callLimit.ts";
import type { Item } from "../../functions/table/item.ts";
import { type ItemKey, itemKeys, itemTypeOf } from "../../functions/table/itemKeys.ts";
import { getItem } from "../../functions/table/reads.ts";
import { type Pause, retryWhileUnavailable } from "../../functions/table/retries.ts";
import type { Table } from "../../functions/table/table.ts";
import { isWritten, updateItem, updateOf } from "../../functions/table/writes.ts";
import { Key, scanInParallel, type Waiting } from "../table/scanTable.ts";
import { isAsRestored, restoredWebhook } from "../webhooks/restoredWebhook.ts";
import { type Counts, Hashed, itemsOfOrganisation } from "./organisation.ts";
import { placedItem } from "./repairedItem.ts";
import { isSuspended, putMissing, restoreApiKey, restoreHash, type Target } from "./restoredKeys.ts";

export interface Restored {
  /** Written items by kind. */
  counts: Counts;
  /** Items that were there already, and stay. */
  present: number;
  failures: { key: ItemKey; error: unknown }[];
  /** The source's API keys that work now. */
  workingKeys: { name: string; prefix: string }[];
  /** The number of those that do not work until the organisation is resumed. */
  suspendedKeys: number;
  /** The webhooks that nobody has changed since this restore, or an interrupted one, wrote them. */
  webhooks: Item[];
}

/** All items of one organisation, page by page. Called twice for an export: the first time nothing is written. */
export type Source = (onPage: (items: Item[]) => Promise<void>) => Promise<void>;

/** The items that the summaries' consumer makes again, and the lock for the creation of webhooks. */
const leftOut: ReadonlySet<string> = new Set(
  [itemKeys.eventSummary(1, 1), itemKeys.dateSummary(1, 1), itemKeys.lastCounted(""), itemKeys.webhookCount(1)].map(
    itemTypeOf,
  ),
);

const webhookType = itemTypeOf(itemKeys.webhook(1, ""));
const apiKeyType = itemTypeOf(itemKeys.apiKey(1, ""));
const hashType = itemTypeOf(itemKeys.apiKeyHash(""));

/**
 * Writes an organisation's items that the table lacks, with webhooks paused. Existing items stay: after an erasure, they arrived later. API keys come
 * last, so that nobody reads or writes before the rest is back. Another run completes an interrupted one.
 * @param restored is updated during the run.
 */
export async function restoreOrganisation(
  target: Target,
  source: Source,
  restored: Restored,
  { pause, signal }: Waiting,
): Promise<void> {
  const { table } = target;
  const callLimit = new CallLimit();
  const attempt = async (key: ItemKey, write: () => Promise<boolean>) => {
    try {
      const isNew = await retryWhileUnavailable(() => callLimit.run(write), pause);
      const type = itemTypeOf(key);
      if (isNew) restored.counts[type] = (restored.counts[type] ?? 0) + 1;
      else restored.present += 1;
      if (type !== webhookType) return;
      const stored = await retryWhileUnavailable(() => getItem(table, key), pause);
      if (stored && isAsRestored(stored)) restored.webhooks.push(stored);
    } catch (error) {
      if (signal.aborted || isOfTable(error)) throw error;
      restored.failures.push({ key, error });
    }
  };
  const keys: Item[] = [];
  await source(async (items) => {
    signal.throwIfAborted();
    const byType = Map.groupBy(items, (item) => itemTypeOf(Key.parse(item)));
    for (const [type, some] of byType) {
      if (leftOut.has(type)) continue;
      if (type === apiKeyType || type === hashType) keys.push(...some);
      else await Promise.all(some.map((item) => attempt(Key.parse(item), () => writeMissing(target, item))));
    }
  });
  signal.throwIfAborted();
  await restoreKeys(target, keys, restored, { attempt, pause });
}

/** Restores API keys, first in the organisation's list, then for the authorizer. */
async function restoreKeys(
  target: Target,
  keys: Item[],
  restored: Restored,
  { attempt, pause }: { attempt: (key: ItemKey, write: () => Promise<boolean>) => Promise<void>; pause: Pause },
): Promise<void> {
  if (keys.length === 0) return;
  const areSuspended = await isSuspended(target, pause);
  const isHash = (item: Item) => itemTypeOf(Key.parse(item)) === hashType;
  const hashes = new Map(keys.filter(isHash).map((item) => [Key.parse(item).PK, item]));
  const listed = new Map<string, Item>();
  const list = async (item: Item) => {
    const key = itemKeys.apiKeyHash(Hashed.parse(item).hash);
    const { isNew, stored } = await restoreApiKey(target, item, hashes.get(key.PK));
    listed.set(key.PK, stored);
    // The source lacks the hash.
    if (!hashes.has(key.PK)) hashes.set(key.PK, { ...key, last_used: null });
    return isNew;
  };
  await Promise.all(keys.filter((item) => !isHash(item)).map((item) => attempt(Key.parse(item), () => list(item))));
  const restore = async (item: Item) => {
    const key = Key.parse(item);
    const { isNew, stored } = await restoreHash(target, item, { listed: listed.get(key.PK), areSuspended });
    const { data: apiKey } = ApiKeyHash.safeParse(stored);
    if (apiKey?.status !== "active" || apiKey.organisation_id !== target.organisationId) return isNew;
    if (apiKey.suspended) restored.suspendedKeys += 1;
    else restored.workingKeys.push(apiKey);
    return isNew;
  };
  await Promise.all([...hashes.values()].map((item) => attempt(Key.parse(item), () => restore(item))));
}

/** Failures of the table itself, which the next item would meet too. */
export function isOfTable(error: unknown): boolean {
  return error instanceof Error && ("$metadata" in error || error.name === "GivenUp");
}

/** An item that is listed as a change gets a new place among the changes, so that readers see it. @returns false if its key is taken. */
async function writeMissing({ table }: Target, item: Item): Promise<boolean> {
  const key = Key.parse(item);
  if (itemTypeOf(key) === webhookType) return put(table, restoredWebhook(item, table.clock.nowMs()));
  const resource = resourceOf(key.SK);
  if (!resource) return put(table, item);
  const placed = placedItem(item);
  // Otherwise the pipe would send balance payments again. It sends events of orders only for changes.
  const isRecord = recordTypes.some((type) => type === resource.type);
  const marked = isRecord ? placed : { ...placed, restored: true };
  const write = ({ attributes }: ChangeTime) => put(table, { ...kept(marked, table.clock.nowMs()), ...attributes });
  return (await acceptChange(table, () => ({ key, write }))) || addNote(table, key, item);
}

async function put(table: Table, item: Item): Promise<boolean> {
  return (await putMissing(table, item)).isNew;
}

/** The core system may have sent an order again, without the note that was set through the API. */
async function addNote(table: Table, { PK, SK }: ItemKey, { api_note, revision }: Item): Promise<boolean> {
  if (api_note === undefined) return false;
  const condition = "attribute_exists(PK) AND attribute_not_exists(deleted) AND attribute_not_exists(api_note)";
  const update = updateOf({ set: { api_note, revision } }, { condition });
  if (!(await isWritten(updateItem(table, { PK, SK }, update)))) return false;
  await renewChangeTime(table, { PK, SK });
  return true;
}

/** The organisation's items of another table, such as one restored to a point in time. */
export function tableSource(table: Table, organisationId: number, waiting: Waiting): Source {
  return (onPage) => scanInParallel(table, itemsOfOrganisation(organisationId), onPage, waiting);
}
