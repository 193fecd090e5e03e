import type { Record as InputRecord } from "../../resources/record.ts";
import type { Item } from "../table/item.ts";
import {
  type ItemKey,
  idSortKey,
  instantSortKey,
  integerSortKey,
  keys,
  listKey,
  listPartition,
  lists,
} from "../table/keys.ts";
import { contentHash } from "./orderItem.ts";

/** The stored form of a record. */
export type RecordItem = Item & ItemKey & { record_version: number | undefined };

/** A condition that is false if the stored record has a higher version than `:version`, or is a tombstone of the same version. */
export const isNotOlder =
  "(attribute_not_exists(record_version) OR record_version < :version OR (record_version = :version AND attribute_not_exists(deleted)))";

/** The item for a record: its fields, key, list attributes and version. */
export function recordItem(record: InputRecord): RecordItem {
  return { ...place(record), ...record.data, record_version: record.version };
}

/** The primary key of a record's item, and its attributes for the lists that it appears in. */
function place({ organisation_id: o, ...record }: InputRecord): ItemKey & Item {
  switch (record.type) {
    case "event": {
      const { id, date_created } = record.data;
      return { ...keys.event(o, id), ...listKey(lists.events(o), instantSortKey(date_created, id)) };
    }
    case "event_date": {
      const { id, event_id, date } = record.data;
      return { ...keys.eventDate(o, id), ...listKey(lists.eventDates(o, event_id), instantSortKey(date, id)) };
    }
    case "ticket_category": {
      const { id, sort_index } = record.data;
      const list = lists.eventTicketCategories(o, record.event_id);
      return {
        ...keys.ticketCategory(o, id),
        ...listKey(list, integerSortKey(sort_index, id)),
        event_id: record.event_id,
      };
    }
    case "order": {
      const { id, date_id, date_created } = record.data;
      return {
        ...keys.order(o, id),
        ...listKey(lists.dateOrders(o, date_id), instantSortKey(date_created, id)),
        // The sort key in this list is the time of acceptance, which is only known at the write.
        ...listPartition(lists.orders(o)),
        content_hash: contentHash(record.data),
      };
    }
    case "ticket": {
      const { id, date_id, order_id } = record.data;
      return {
        ...keys.ticket(o, id),
        ...listKey(lists.dateTickets(o, date_id), idSortKey(id)),
        ...listKey(lists.orderTickets(o, order_id), idSortKey(id)),
      };
    }
    case "payment": {
      const { id, event_id, order_id, date_created } = record.data;
      const sortKey = instantSortKey(date_created, id);
      return {
        ...keys.payment(o, id),
        ...listKey(lists.eventPayments(o, event_id), sortKey),
        ...(order_id === null ? {} : listKey(lists.orderPayments(o, order_id), sortKey)),
      };
    }
    case "discount": {
      const { id, event_id } = record.data;
      return { ...keys.discount(o, id), ...listKey(lists.eventDiscounts(o, event_id), idSortKey(id)) };
    }
    case "attendee": {
      const { id, date_id } = record.data;
      return { ...keys.attendee(o, id), ...listKey(lists.dateAttendees(o, date_id), idSortKey(id)) };
    }
  }
}
