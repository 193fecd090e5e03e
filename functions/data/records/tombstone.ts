import type { Deletion, RecordType } from "../../resources/record.ts";
import { type ItemKey, keys } from "../table/keys.ts";
import type { RecordItem } from "./recordItem.ts";

/** So long a late record of an older version is kept from bringing back what was deleted. */
const keptSeconds = 30 * 24 * 60 * 60;

/** The primary key of what a record is about. */
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

/** The sort keys of the items that records become. */
export const recordSortKeys: readonly string[] = Object.values(keyOf).map((key) => key(1, 1).SK);

/**
 * The item that takes the place of what is deleted. It is in no list, whoever reads it by its id is told that there is nothing, and DynamoDB
 * removes it when its time is over.
 */
export function tombstone({ type, organisation_id, id, version }: Deletion): RecordItem {
  const expires_at = Math.ceil(Date.now() / 1000) + keptSeconds;
  return { ...keyOf[type](organisation_id, id), record_version: version, deleted: true, expires_at };
}

/** What a tombstone has and a record's item has not, as a list for an update expression. */
export const tombstoneParts = "deleted, expires_at";
