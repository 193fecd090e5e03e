import type { Record as InputRecord } from "../functions/resources/record.ts";

/** Grows. */
export const largeOrganisation = 1;
/** Stays as it is, so that both can be asked in the same minute. */
export const smallOrganisation = 2;

/** The first event; ids go on from here and all have as many digits, so that items are alike in size however many there are. */
const firstId = 1_000_000_000;
/** More than a default page. */
const childrenPerEvent = 60;

/** Ids to put into `{id}`, by the path's first segment. */
export const generatedIds = { events: firstId };

/** An event that has no dates and no ticket categories. */
export const childlessIds = { events: firstId + 1 };

/** An organisation's events from one number up to another, the first event with its dates and ticket categories. */
export function* generatedRecords(organisationId: number, from: number, to: number): Generator<InputRecord> {
  for (let number = from; number < to; number++) {
    yield event(organisationId, firstId + number, number);
    if (number !== 0) continue;
    for (let child = 0; child < childrenPerEvent; child++) {
      yield* [eventDate(organisationId, firstId, child), category(organisationId, firstId, child)];
    }
  }
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
