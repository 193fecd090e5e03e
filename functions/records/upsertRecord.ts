import * as z from "zod";
import type { Resource } from "../resources/resource.ts";
import { type Item, isTombstone } from "../table/item.ts";
import { placeAttributes } from "../table/lists.ts";
import type { Table } from "../table/table.ts";
import { type Expression, putItem, updateItem, updateOf } from "../table/writes.ts";
import { acceptChange, type ChangeTime } from "./acceptChange.ts";
import { noteEnding } from "./noteEnding.ts";
import { deletionsShownDays, type RecordItem, resourceOf } from "./recordItem.ts";

const Stored = z.looseObject({
  record_version: z.int().optional(),
  deleted: z.literal(true).optional(),
  content_hash: z.string().optional(),
  api_note: z.unknown().optional(),
});
type Stored = z.infer<typeof Stored>;

/** `unchanged`: its content was stored already, and at most its version is new. `older`: a higher version was stored. */
export type WriteResult = "new" | "changed" | "unchanged" | "older";

/**
 * Replaces the stored record with the same type and id by a record or a tombstone, and moves it to the end of the organisation's changes. The
 * higher version wins; of equal versions, a tombstone wins; a record without a version always replaces. The comparison is a condition of the
 * write, so the order of concurrent writes does not matter. A record with the stored content does not count as a change; only its version is
 * stored. Fields that the API has set remain, except a note that {@link noteEnding} ends.
 * @param isRepeated true after a failed call for this item: that call may still have landed, with a change time that readers are past.
 */
export function upsertRecord(table: Table, item: RecordItem, isRepeated = false): Promise<WriteResult> {
  const expiring = () => kept(item, table.clock.nowMs());
  return acceptChange<WriteResult>(table, async (refusal) => {
    const stored = refusal?.item && Stored.parse(refusal.item);
    let result = stored && compare(item, stored);
    if (!result && stored?.content_hash === item.content_hash && !endsNoteOf(item, stored)) {
      await storeVersion(table, expiring());
      result = "unchanged";
    }
    // A record recognises its own write by its content.
    if (result) return { result, stored: item, isRepeated };
    return { key: item, write: (changeTime) => replace(table, expiring(), changeTime, refusal?.item) };
  });
}

export const comparedAttributes = ["record_version", "deleted", "content_hash", "api_note"];

/**
 * The result of {@link upsertRecord} if it needs no write.
 * @param found the item that was stored during the call, with the {@link comparedAttributes} at least.
 * @returns undefined if there is something to write.
 */
export function outcomeWithoutWrite(item: RecordItem, found: Item): WriteResult | undefined {
  return compare(item, Stored.parse(found));
}

/** Undefined if the record is not older, and its content or version differs. */
function compare(item: RecordItem, stored: Stored): WriteResult | undefined {
  if (isOlder(item, stored)) return "older";
  const { content_hash, record_version: version } = item;
  const isSame = content_hash === stored.content_hash && version === stored.record_version;
  // Without a version, nothing shows whether the note is newer than the record.
  return isSame && !(version === undefined && endsNoteOf(item, stored)) ? "unchanged" : undefined;
}

function endsNoteOf({ ends_note }: RecordItem, { api_note }: Stored): boolean {
  return ends_note === true && api_note !== undefined;
}

function isOlder({ record_version: version }: RecordItem, { record_version: stored, deleted }: Stored): boolean {
  if (version === undefined || stored === undefined) return false;
  return version < stored || (version === stored && deleted === true);
}

/** False if the stored record has a higher version, or is a tombstone of the same version. */
const isNotOlder =
  "(attribute_not_exists(record_version) OR record_version < :version OR (record_version = :version AND attribute_not_exists(deleted)))";

const differs = "attribute_not_exists(content_hash) OR content_hash <> :hash";

/** True also for the same content, if its record ends a note. The same record, redelivered, leaves a newer note alone. */
function isNew({ ends_note, record_version }: RecordItem): string {
  if (!ends_note) return `(${differs})`;
  const isLater = "(attribute_not_exists(record_version) OR record_version < :version)";
  const endsNote = ["attribute_exists(api_note)", ...(record_version === undefined ? [] : [isLater])].join(" AND ");
  return `(${differs} OR (${endsNote}))`;
}

/**
 * @param stored the item that refused an earlier try, if any.
 * @throws ConditionFailed if a higher version, the same content or a later change time is stored.
 */
async function replace(
  table: Table,
  record: RecordItem,
  changeTime: ChangeTime,
  stored: Item | undefined,
): Promise<"new" | "changed"> {
  const { ends_note: _, ...item } = { ...record, ...changeTime.attributes };
  const { PK, SK, record_version, content_hash } = item;
  const note = noteEnding(record, stored);
  const conditions = [isNew(record), changeTime.condition, note.condition, record_version !== undefined && isNotOlder];
  const condition = {
    condition: conditions.filter(Boolean).join(" AND "),
    values: { ":hash": content_hash, ":version": record_version, ...changeTime.values, ...note.values },
  };
  const resource = isTombstone(item) ? undefined : resourceOf(SK);
  const before = resource?.stored
    ? await updateItem(table, { PK, SK }, recordUpdate(resource, item, note.remove, condition), "ALL_OLD")
    : await putItem(table, item, condition, "ALL_OLD");
  return Object.keys(before).length > 0 ? "changed" : "new";
}

/** An older record cannot restore a deleted one for this time: a day longer than deletions are shown, because clocks differ. */
const tombstoneKeptSeconds = (deletionsShownDays + 1) * 24 * 60 * 60;

/** A tombstone with the time when DynamoDB removes it; other items unchanged. */
export function kept<Stored extends Item>(item: Stored, nowMs: number): Stored {
  return isTombstone(item) ? { ...item, expires_at: Math.ceil(nowMs / 1000) + tombstoneKeptSeconds } : item;
}

/** Replaces a record but keeps the attributes that the API has set, except the removed ones. The stored item may be a tombstone. */
function recordUpdate(
  { schema, extraFields }: Resource,
  { PK, SK, ...fields }: RecordItem,
  removed: readonly string[],
  condition: Expression,
): Expression {
  const attributes: Item = fields;
  // The update removes the absent ones: added fields that are null.
  const optional = Object.keys({ ...schema.shape, ...extraFields }).concat(
    ["deleted", "expires_at", "record_version"],
    placeAttributes,
  );
  const absent = optional.filter((name) => attributes[name] === undefined);
  return updateOf({ set: fields, remove: [...absent, ...removed] }, condition);
}

/** Stores the version of a record whose content is stored already. @throws ConditionFailed if the stored record has changed since. */
async function storeVersion(table: Table, { PK, SK, ...item }: RecordItem): Promise<void> {
  const { record_version, content_hash, expires_at } = item;
  const isSame = "content_hash = :hash";
  const keepLonger = isTombstone(item) ? ", expires_at = :expiry" : "";
  const change = {
    update: record_version === undefined ? "REMOVE record_version" : `SET record_version = :version${keepLonger}`,
    condition: record_version === undefined ? isSame : `${isSame} AND ${isNotOlder}`,
    values: { ":hash": content_hash, ":version": record_version, ":expiry": expires_at },
  };
  await updateItem(table, { PK, SK }, change, "NONE");
}
