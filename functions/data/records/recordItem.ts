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

/** A record as it is stored. */
export type RecordItem = Item & ItemKey & { record_version: number | undefined };

/** The condition that the stored record does not have a higher version than `:version`, nor is a tombstone of the same. */
export const isNotOlder =
  "(attribute_not_exists(record_version) OR record_version < :version OR (record_version = :version AND attribute_not_exists(deleted)))";

/** The item that a record becomes: its fields, its key, its place in the lists, and its version. */
export function recordItem(record: InputRecord): RecordItem {
  return { ...place(record), ...record.data, record_version: record.version };
}

/** Where a record's item stands: its primary key, and the lists that it is in. */
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
        // Where it stands in this list is given by the time at which it is accepted, so only when it is written.
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
