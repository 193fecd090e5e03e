import type { Record as InputRecord } from "../resources/record.ts";
import { type ItemKey, instantSortKey, integerSortKey, keys, listKey, lists } from "./keys.ts";
import type { Item } from "./tableReads.ts";

/** A record as it is stored. */
export type RecordItem = Item & ItemKey & { record_version: number | undefined };

/** The item that a record becomes: its fields, its key, its place in the lists, and its version. */
export function recordItem(record: InputRecord): RecordItem {
  return { ...place(record), ...record.data, record_version: record.version };
}

function place(record: InputRecord) {
  const organisationId = record.organisation_id;
  const { id } = record.data;
  switch (record.type) {
    case "event":
      return {
        ...keys.event(organisationId, id),
        ...listKey(lists.events(organisationId), instantSortKey(record.data.date_created, id)),
      };
    case "event_date":
      return {
        ...keys.eventDate(organisationId, id),
        ...listKey(lists.eventDates(organisationId, record.data.event_id), instantSortKey(record.data.date, id)),
      };
    case "ticket_category":
      return {
        ...keys.ticketCategory(organisationId, id),
        ...listKey(
          lists.eventTicketCategories(organisationId, record.event_id),
          integerSortKey(record.data.sort_index, id),
        ),
        event_id: record.event_id,
      };
  }
}
