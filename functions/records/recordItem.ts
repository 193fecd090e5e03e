import { hash } from "node:crypto";
import { recordResources, resources } from "../resources/index.ts";
import type { Deletion, Record as InputRecord } from "../resources/record.ts";
import { type Resource, withoutAddedNulls } from "../resources/resource.ts";
import type { Item } from "../table/item.ts";
import { type ItemKey, itemKeys } from "../table/itemKeys.ts";
import { placeOf } from "../table/lists.ts";

/** The stored form of a record, except its change time. */
export type RecordItem = Item &
  ItemKey & {
    record_version: number | undefined;
    content_hash: string;
    /** An instruction for the write, which is not stored. */
    ends_note?: true;
  };

export function recordItem(record: InputRecord): RecordItem {
  const { type, organisation_id, version, ends_note, data, ...extraFields } = record;
  const resource: Resource = recordResources[type];
  const fields = withoutAddedNulls(resource.schema.shape, { ...data, ...extraFields });
  const place = placeOf(resource, organisation_id, fields);
  const item = { ...place, ...fields, record_version: version, content_hash: contentHash(fields) };
  return ends_note ? { ...item, ends_note } : item;
}

/** Identifies the content of a record, so that importing it again unchanged does not count as a change. */
function contentHash(fields: object): string {
  const sorted = Object.entries(fields).sort(([one], [other]) => (one < other ? -1 : 1));
  return hash("sha256", JSON.stringify(sorted), "base64url");
}

/** Readers of changes see deletions for this long. */
export const deletionsShownDays = 30;
export const deletionsMissing = `Deletions are shown for ${deletionsShownDays} days, so some may be missing.`;

/**
 * The item that replaces a deleted record. Only the list of changes contains it, reads by id treat it as not found, and DynamoDB removes it
 * after it expires. Writing it sets the time of expiry.
 */
export function tombstone({ type, organisation_id, id, version }: Deletion): RecordItem {
  return {
    ...itemKeys[type](organisation_id, id),
    record_version: version,
    content_hash: "deleted",
    deleted: true,
  };
}

export function resourceOf(sortKey: string): Resource | undefined {
  return bySortKey.get(sortKey);
}

const bySortKey = new Map(Object.values<Resource>(resources).map((one) => [itemKeys[one.type](1, 1).SK, one]));

export const recordSortKeys: readonly string[] = Object.values<Resource>(recordResources).map(
  ({ type }) => itemKeys[type](1, 1).SK,
);
