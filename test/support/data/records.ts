import fc from "fast-check";
import * as z from "zod";
import type { Actor } from "../../../functions/audit/activityRepository.ts";
import { Attendee } from "../../../functions/resources/attendee.ts";
import { Discount } from "../../../functions/resources/discount.ts";
import { Event } from "../../../functions/resources/event.ts";
import { EventDate } from "../../../functions/resources/eventDate.ts";
import { exampleOf } from "../../../functions/resources/fields.ts";
import { recordResources } from "../../../functions/resources/index.ts";
import { Order } from "../../../functions/resources/order.ts";
import { Payment } from "../../../functions/resources/payment.ts";
import { Record as InputRecord, type RecordType } from "../../../functions/resources/record.ts";
import type { Resource } from "../../../functions/resources/resource.ts";
import { Ticket } from "../../../functions/resources/ticket.ts";
import { TicketCategory } from "../../../functions/resources/ticketCategory.ts";

type RecordOf<Type extends InputRecord["type"]> = Extract<InputRecord, { type: Type }>;

/** The parents of the records below. */
const defaultParents = { event_id: 1, date_id: 2, order_id: 3, ticket_category_id: 4, ticket_id: 5 };

/**
 * A record of any type, like the example in its schema.
 *
 * @param text for the first field that accepts any text.
 * @param parents the ids of its parents.
 */
export function anyRecord(
  type: RecordType,
  organisation_id: number,
  id: number,
  text: string,
  parents: Partial<typeof defaultParents> = {},
): InputRecord {
  const { schema, extraFields = {} }: Resource = recordResources[type];
  const field = Object.keys(schema.shape).find(
    (name) => z.safeParse(schema.shape[name] ?? z.never(), "any text").success,
  );
  if (field === undefined) throw new Error(`${type} has no field for any text.`);
  const values: Record<string, unknown> = { ...defaultParents, ...parents, id, organisation_id, [field]: text };
  const data = { ...exampleOf(schema) };
  for (const [name, value] of Object.entries(values)) if (name in data) data[name] = value;
  const outside = Object.fromEntries(Object.keys(extraFields).map((name) => [name, values[name]]));
  return InputRecord.parse({ type, organisation_id, ...outside, data });
}

/** A record of an event with this id and default fields except for the given ones. */
export function eventRecord(organisation_id: number, id: number, fields: Partial<Event> = {}): InputRecord {
  const data: Event = {
    ...exampleOf(Event),
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

export function dateRecord(
  organisation_id: number,
  event_id: number,
  id: number,
  fields: Partial<EventDate> = {},
): InputRecord {
  const data: EventDate = {
    ...exampleOf(EventDate),
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

export function categoryRecord(
  organisation_id: number,
  event_id: number,
  id: number,
  fields: Partial<TicketCategory> = {},
): InputRecord {
  const data: TicketCategory = {
    ...exampleOf(TicketCategory),
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

export function orderRecord(organisation_id: number, id: number, fields: Partial<Order> = {}): RecordOf<"order"> {
  return { type: "order", organisation_id, data: { ...exampleOf(Order), id, event_id: 1, date_id: 2, ...fields } };
}

export function ticketRecord(organisation_id: number, id: number, fields: Partial<Ticket> = {}): RecordOf<"ticket"> {
  const parents = { order_id: 3, event_id: 1, date_id: 2, ticket_category_id: 4 };
  return { type: "ticket", organisation_id, data: { ...exampleOf(Ticket), id, ...parents, ...fields } };
}

export function paymentRecord(organisation_id: number, id: number, fields: Partial<Payment> = {}): RecordOf<"payment"> {
  const parents = { order_id: 3, event_id: 1, date_id: 2 };
  return { type: "payment", organisation_id, data: { ...exampleOf(Payment), id, ...parents, ...fields } };
}

export function discountRecord(
  organisation_id: number,
  id: number,
  fields: Partial<Discount> = {},
): RecordOf<"discount"> {
  return { type: "discount", organisation_id, data: { ...exampleOf(Discount), id, event_id: 1, ...fields } };
}

export function attendeeRecord(
  organisation_id: number,
  id: number,
  fields: Partial<Attendee> = {},
): RecordOf<"attendee"> {
  const parents = { order_id: 3, ticket_id: 5, event_id: 1, date_id: 2, ticket_category_id: 4 };
  return { type: "attendee", organisation_id, data: { ...exampleOf(Attendee), id, ...parents, ...fields } };
}

/** The person who creates and revokes the keys of tests. */
export const someone: Actor = { name: "Someone", subject: "someone" };

/** Any character except half a surrogate pair: like fast-check's unit "binary", which takes a second to prepare in each file. */
export const anyCharacter = fc
  .oneof(fc.integer({ min: 0, max: 0xd7ff }), fc.integer({ min: 0xe000, max: 0x10ffff }))
  .map((codePoint) => String.fromCodePoint(codePoint));
