import type { Event } from "../../functions/resources/event.ts";
import type { EventDate } from "../../functions/resources/eventDate.ts";
import type { Record as InputRecord } from "../../functions/resources/record.ts";
import type { TicketCategory } from "../../functions/resources/ticketCategory.ts";

/** A record of an event with this id, alike in all but what is given. */
export function eventRecord(organisation_id: number, id: number, fields: Partial<Event> = {}): InputRecord {
  const data: Event = {
    id,
    tag: `event-${id}`,
    name: `Event ${id}`,
    organisation_id,
    type: "Concert",
    description: null,
    date_created: "2025-09-01T00:00:00Z",
    time_zone_id: "Europe/London",
    venue_id: 3,
    tour_id: null,
    currency_symbol: "£",
    unlisted: false,
    private: false,
    ticketing_enabled: true,
    buying_enabled: true,
    ...fields,
  };
  return { type: "event", organisation_id, data };
}

/** A record of a date of an event. */
export function dateRecord(
  organisation_id: number,
  event_id: number,
  id: number,
  fields: Partial<EventDate> = {},
): InputRecord {
  const data: EventDate = {
    id,
    event_id,
    date: "2026-03-01T19:30:00Z",
    end_date: null,
    time_type: 0,
    name: null,
    sold_out: false,
    suspend: false,
    ...fields,
  };
  return { type: "event_date", organisation_id, data };
}

/** A record of a ticket category of an event. */
export function categoryRecord(
  organisation_id: number,
  event_id: number,
  id: number,
  fields: Partial<TicketCategory> = {},
): InputRecord {
  const data: TicketCategory = {
    id,
    name: "Stalls",
    description: null,
    price: 2500,
    people: 1,
    sort_index: 0,
    limit: null,
    minimum_per_order: null,
    hidden: false,
    ...fields,
  };
  return { type: "ticket_category", organisation_id, event_id, data };
}
