import { Attendee } from "../functions/resources/attendee.ts";
import { Discount } from "../functions/resources/discount.ts";
import { exampleOf } from "../functions/resources/exampleOf.ts";
import { Order } from "../functions/resources/order.ts";
import { Payment } from "../functions/resources/payment.ts";
import type { Record as InputRecord } from "../functions/resources/record.ts";
import { Ticket } from "../functions/resources/ticket.ts";

/** Grows. */
export const largeOrganisation = 1;
/** Stays as it is, so that both can be asked in the same minute. */
export const smallOrganisation = 2;
/** What the feed brings, while others are asked. */
export const feedingOrganisation = 3;

/** The first event; ids go on from here and all have as many digits, so that items are alike in size however many there are. */
const firstId = 1_000_000_000;
/** More than a default page. */
const childrenPerEvent = 60;

/** The id of an event, a date, an order and of one of everything else: events, dates and orders with all kinds of children. */
export const generatedId = firstId;

/** The id of an event, a date and an order without children. */
export const childlessId = firstId + 1;

/** An organisation's events from one number up to another, the first event with all that can hang on one. */
export function* generatedRecords(organisationId: number, from: number, to: number): Generator<InputRecord> {
  for (let number = from; number < to; number++) {
    yield event(organisationId, firstId + number, number);
    if (number !== 0) continue;
    for (let child = 0; child < childrenPerEvent; child++) {
      yield* childrenOf(organisationId, child);
    }
  }
}

/** One of each kind of what hangs on the first event, its first date and its first order. */
function* childrenOf(organisation_id: number, child: number): Generator<InputRecord> {
  const id = firstId + child;
  const parents = { event_id: firstId, date_id: firstId, order_id: firstId, ticket_category_id: firstId };
  const date_created = day(child);
  yield eventDate(organisation_id, firstId, child);
  yield category(organisation_id, firstId, child);
  yield { type: "order", organisation_id, data: { ...exampleOf(Order), id, ...pick(parents, Order), date_created } };
  yield { type: "ticket", organisation_id, data: { ...exampleOf(Ticket), id, ...pick(parents, Ticket), date_created } };
  yield {
    type: "payment",
    organisation_id,
    data: { ...exampleOf(Payment), id, ...pick(parents, Payment), date_created },
  };
  yield {
    type: "discount",
    organisation_id,
    data: { ...exampleOf(Discount), id, ...pick(parents, Discount), date_created },
  };
  yield {
    type: "attendee",
    organisation_id,
    data: { ...exampleOf(Attendee), id, ...pick(parents, Attendee), date_created },
  };
}

/** Of some values, those that a resource has fields for. */
function pick<Values extends object>(values: Values, { shape }: { shape: object }): Partial<Values> {
  return Object.fromEntries(Object.entries(values).filter(([name]) => name in shape)) as Partial<Values>;
}

/** Midnight UTC of a day, counted from the first of 2000. */
function day(number: number): string {
  return new Date(Date.UTC(2000, 0, 1 + number)).toISOString();
}

function event(organisationId: number, id: number, number: number): InputRecord {
  const data = {
    id,
    tag: `chamber-concert-${id}`,
    name: `Chamber concert ${id}`,
    organisation_id: organisationId,
    type: "Concert",
    description: "An evening of string quartets, with an interval and a talk by the musicians before the concert.",
    date_created: day(number % 10_000),
    time_zone_id: "Europe/London",
    venue_id: 1_387_216_453,
    tour_id: null,
    currency_symbol: "£",
    unlisted: false,
    private: false,
    ticketing_enabled: true,
    buying_enabled: number % 2 === 0,
  };
  return { type: "event", organisation_id: organisationId, data };
}

function eventDate(organisationId: number, eventId: number, number: number): InputRecord {
  const data = {
    id: eventId + number,
    event_id: eventId,
    date: day(number),
    end_date: null,
    time_type: 0,
    name: null,
    sold_out: false,
    suspend: false,
  };
  return { type: "event_date", organisation_id: organisationId, data };
}

function category(organisationId: number, eventId: number, number: number): InputRecord {
  const data = {
    id: eventId + number,
    name: "Front stalls",
    description: "Rows A to F",
    price: 2_500,
    people: 1,
    sort_index: number,
    limit: 8,
    minimum_per_order: null,
    hidden: false,
  };
  return { type: "ticket_category", organisation_id: organisationId, event_id: eventId, data };
}
