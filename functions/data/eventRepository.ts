import type { PageQuery } from "../http/page.ts";
import { Event } from "../resources/event.ts";
import { EventDate } from "../resources/eventDate.ts";
import { TicketCategory } from "../resources/ticketCategory.ts";
import { keys, lists } from "./keys.ts";
import { getRow, listRows, ofExistingParent } from "./read.ts";
import type { Table } from "./table.ts";

/** One organisation's events and what hangs on them. */
export function eventRepository(organisationId: number, table: Table) {
  const get = (id: number) => getRow(table, Event, keys.event(organisationId, id), "event");

  return {
    get,

    list: (page: PageQuery) => listRows(table, Event, lists.events(organisationId), page),

    async listDates(eventId: number, page: PageQuery) {
      const dates = await listRows(table, EventDate, lists.eventDates(organisationId, eventId), page);
      return ofExistingParent(dates, () => get(eventId));
    },

    async listTicketCategories(eventId: number, page: PageQuery) {
      const list = lists.eventTicketCategories(organisationId, eventId);
      return ofExistingParent(await listRows(table, TicketCategory, list, page), () => get(eventId));
    },
  };
}
