import type { Deletion, RecordType } from "../../resources/record.ts";
import { type ItemKey, keys } from "../table/keys.ts";
import type { RecordItem } from "./recordItem.ts";

/** For this long, a late record with an older version cannot restore a deleted one. */
const keptSeconds = 30 * 24 * 60 * 60;

const keyOf: { [Type in RecordType]: (organisationId: number, id: number) => ItemKey } = {
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
 * The item that replaces a deleted record. No list contains it, reads by id treat it as not found, and DynamoDB removes it after it expires.
 */
export function tombstone({ type, organisation_id, id, version }: Deletion): RecordItem {
  const expires_at = Math.ceil(Date.now() / 1000) + keptSeconds;
  return { ...keyOf[type](organisation_id, id), record_version: version, deleted: true, expires_at };
}

/** The attributes that only tombstones have, as a list for an update expression. */
export const tombstoneParts = "deleted, expires_at";
