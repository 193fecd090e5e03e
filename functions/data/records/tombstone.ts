import type { Deletion, RecordType } from "../../resources/record.ts";
import { type ItemKey, keys } from "../table/keys.ts";
import type { RecordItem } from "./recordItem.ts";

/** Readers of changes see deletions for this long. */
export const deletionsShownDays = 30;
/** An older record that arrives within this time cannot restore a deleted one. One day more, because writers' clocks differ. */
const keptSeconds = (deletionsShownDays + 1) * 24 * 60 * 60;

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
 * after it expires.
 */
export function tombstone({ type, organisation_id, id, version }: Deletion): RecordItem {
  const expires_at = Math.ceil(Date.now() / 1000) + keptSeconds;
  return {
    ...keyOf[type](organisation_id, id),
    record_version: version,
    content_hash: "deleted",
    deleted: true,
    expires_at,
  };
}
