import type { TicketPlan } from "./ticketPlans.ts";

/** Where events take place. A venue without an id is no place at all: a stream. */
export interface Venue {
  id: number | null;
  name: string;
  timeZone: string | null;
  currencySymbol: string;
  /** Set where an event on tour stops. */
  tourId: number | null;
}

/**
 * What is unusual about an event. `draft`: nothing is decided, so all that may be null is null. `information`: no tickets are sold
 * here. `unannounced`: it has no dates yet.
 */
export type Note = "draft" | "hidden" | "information" | "private" | "sold out" | "suspended" | "unannounced";

/** One event: the price is that of a standard ticket in pence, the start is local time, or a day alone. */
export type ProgrammeRow<VenueName extends string = string> = [
  name: string,
  type: string | null,
  venue: VenueName,
  plan: TicketPlan,
  price: number,
  start: string,
  dates: number,
  note?: Note,
];

/** The events of an organisation, as a person would note them down. */
export interface Programme<VenueName extends string = string> {
  organisationId: number;
  /** Events get ids in their order from here on. */
  firstEventId: number;
  venues: Record<VenueName, Venue>;
  rows: ProgrammeRow<VenueName>[];
}
