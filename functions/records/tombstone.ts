import type { Deletion } from "../resources/record.ts";
import { keys } from "../table/keys.ts";
import type { RecordItem } from "./recordItem.ts";

/** Readers of changes see deletions for this long. */
export const deletionsShownDays = 30;
/** Why a reader that comes later must start again. */
export const deletionsMissing = `Deletions are shown for ${deletionsShownDays} days, so some may be missing.`;

/**
 * The item that replaces a deleted record. Only the list of changes contains it, reads by id treat it as not found, and DynamoDB removes it
 * after it expires. Writing it sets the time of expiry.
 */
export function tombstone({ type, organisation_id, id, version }: Deletion): RecordItem {
  return {
    ...keys[type](organisation_id, id),
    record_version: version,
    content_hash: "deleted",
    deleted: true,
  };
}
