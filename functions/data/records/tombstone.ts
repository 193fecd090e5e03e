import type { Deletion, RecordType } from "../../resources/record.ts";
import { type ItemKey, keys } from "../table/keys.ts";
import type { RecordItem } from "./recordItem.ts";

/** Readers of changes see deletions for this long. */
export const deletionsShownDays = 30;
/** Why a reader that comes later must start again. */
export const deletionsMissing = `Deletions are shown for ${deletionsShownDays} days, so some may be missing.`;

/** The key of a record's item. */
export const keyOf: { [Type in RecordType]: (organisationId: number, id: number) => ItemKey } = {
  event: keys.event,
  event_date: keys.eventDate,
  ticket_category: keys.ticketCategory,
  order: keys.order,
  ticket: keys.ticket,
  payment: keys.payment,
  discount: keys.discount,
  attendee: keys.attendee,
};

/** The sort keys of the items that store records. */
export const recordSortKeys: readonly string[] = Object.values(keyOf).map((key) => key(1, 1).SK);

/**
 * The item that replaces a deleted record. Only the list of changes contains it, reads by id treat it as not found, and DynamoDB removes it
 * after it expires. Writing it sets the time of expiry.
 */
export function tombstone({ type, organisation_id, id, version }: Deletion): RecordItem {
  return {
    ...keyOf[type](organisation_id, id),
    record_version: version,
    content_hash: "deleted",
    deleted: true,
  };
}
