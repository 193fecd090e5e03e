import { hash } from "node:crypto";
import type { Record as InputRecord } from "../../resources/record.ts";
import type { Item } from "../table/item.ts";
import { type ItemKey, idSortKey, instantSortKey, integerSortKey, keys, listKey, lists } from "../table/keys.ts";

/** The stored form of a record, except the time of its acceptance. */
export type RecordItem = Item & ItemKey & { record_version: number | undefined; content_hash: string };

/** The item for a record: its fields, key, list attributes, version and content hash. */
export function recordItem(record: InputRecord): RecordItem {
  const fields = record.type === "ticket_category" ? { ...record.data, event_id: record.event_id } : record.data;
  return { ...place(record), ...fields, record_version: record.version, content_hash: contentHash(fields) };
}

/** Identifies the content of a record, so that importing it again unchanged does not count as a change. */
function contentHash(fields: object): string {
  const sorted = Object.entries(fields).sort(([one], [other]) => (one < other ? -1 : 1));
  return hash("sha256", JSON.stringify(sorted), "base64url");
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
      const sortKey = instantSortKey(date, id);
      return {
        ...keys.eventDate(o, id),
        ...listKey(lists.eventDates(o, event_id), sortKey),
        ...listKey(lists.dates(o), sortKey),
      };
    }
    case "ticket_category": {
      const { id, sort_index } = record.data;
      const list = lists.eventTicketCategories(o, record.event_id);
      return { ...keys.ticketCategory(o, id), ...listKey(list, integerSortKey(sort_index, id)) };
    }
    case "order": {
      const { id, date_id, date_created, reference } = record.data;
      const sortKey = instantSortKey(date_created, id);
      return {
        ...keys.order(o, id),
        ...listKey(lists.dateOrders(o, date_id), sortKey),
        ...listKey(lists.orders(o), sortKey),
        ...(reference === "" ? {} : listKey(lists.ordersByReference(o, reference), sortKey)),
      };
    }
    case "ticket": {
      const { id, date_id, order_id, barcode } = record.data;
      return {
        ...keys.ticket(o, id),
        ...listKey(lists.dateTickets(o, date_id), idSortKey(id)),
        ...listKey(lists.orderTickets(o, order_id), idSortKey(id)),
        ...(barcode === null || barcode === "" ? {} : listKey(lists.ticketsByBarcode(o, barcode), idSortKey(id))),
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
