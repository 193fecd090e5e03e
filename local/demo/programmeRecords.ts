import type { Event } from "../../functions/resources/event.ts";
import type { EventDate } from "../../functions/resources/eventDate.ts";
import type { Record as InputRecord } from "../../functions/resources/record.ts";
import { description } from "./description.ts";
import type { Programme, ProgrammeRow, Venue } from "./programme.ts";
import { slug } from "./slug.ts";
import { planOf, ticketCategories } from "./ticketPlans.ts";
import { today } from "./today.ts";

const msPerMinute = 60_000;
const minutesPerDay = 24 * 60;

/** The records of a programme: each event, then its dates and ticket categories. */
export function programmeRecords<VenueName extends string>(programme: Programme<VenueName>): InputRecord[] {
  const organisation_id = programme.organisationId;
  // Counted on from event to event, so that ids of one organisation's categories are also those of others in another.
  let nextCategoryId = 49_000 + programme.firstEventId;
  return programme.rows.flatMap((row, index) => {
    const [, , venueName, plan, price, , , note] = row;
    const venue = programme.venues[venueName];
    const id = programme.firstEventId + index;
    const categories = note === "information" ? [] : ticketCategories(plan, price, nextCategoryId);
    nextCategoryId += categories.length;
    return [
      { type: "event", organisation_id, data: event(organisation_id, id, row, venue) },
      ...dates(id, row, venue).map((data) => ({ type: "event_date", organisation_id, data }) as const),
      ...categories.map((data) => ({ type: "ticket_category", organisation_id, event_id: id, data }) as const),
    ];
  });
}

function event(organisation_id: number, id: number, row: ProgrammeRow, venue: Venue): Event {
  const [name, type, , plan, , start, count, note] = row;
  const isDraft = note === "draft";
  const lastDay = isoText(
    Date.parse(start.slice(0, 10)) + (count - 1) * planOf(plan).stepDays * minutesPerDay * msPerMinute,
  );
  const isOpen = lastDay >= today && (note === undefined || note === "hidden" || note === "private");
  return {
    id,
    tag: `${slug(name)}-${id}`,
    name,
    organisation_id,
    type,
    description: isDraft || id % 9 === 0 ? null : description(row, venue, id),
    date_created: isDraft || id % 20 === 0 ? null : announced(start, id),
    time_zone_id: isDraft ? null : venue.timeZone,
    venue_id: isDraft ? null : venue.id,
    tour_id: venue.tourId,
    currency_symbol: isDraft || plan === "free" ? null : venue.currencySymbol,
    unlisted: isDraft ? null : note === "hidden" || note === "private",
    private: isDraft ? null : note === "private",
    ticketing_enabled: isDraft ? null : note !== "information",
    buying_enabled: isDraft ? null : isOpen,
  };
}

/** What is announced in one month is entered in one go, some of it by other programs with other ideas of a date. */
function announced(start: string, id: number): string {
  const earlier = new Date(Date.parse(start.slice(0, 10)) - 270 * minutesPerDay * msPerMinute).toISOString();
  const month = earlier < today ? earlier.slice(0, 7) : "2026-10";
  if (id % 11 === 0) return `${month}-01`;
  return id % 7 === 0 ? `${month}-01T11:00:00.000+02:00` : `${month}-01T09:00:00Z`;
}

function dates(event_id: number, [, , , plan, , start, count, note]: ProgrammeRow, venue: Venue): EventDate[] {
  const { durationMinutes, stepDays, dateName } = planOf(plan);
  const hasTime = start.includes("T");
  const isDraft = note === "draft";
  return Array.from({ length: count }, (_, index) => {
    const startsMs = Date.parse(hasTime ? `${start}Z` : start) + index * stepDays * minutesPerDay * msPerMinute;
    const written = (ms: number) => (hasTime ? localTime(ms, venue.timeZone, event_id) : isoText(ms).slice(0, 10));
    return {
      id: event_id * 100 + index + 1,
      event_id,
      date: written(startsMs),
      end_date: event_id % 3 === 0 || !hasTime ? null : written(startsMs + durationMinutes * msPerMinute),
      time_type: hasTime ? 0 : 1,
      name: dateName(index, count),
      // A run's first night sells out before the others do.
      sold_out: isDraft ? null : note === "sold out" || (event_id % 3 === 0 && count > 2 && index === 0),
      suspend: isDraft ? null : note === "suspended",
    };
  });
}

/** Mostly with the venue's offset; a quarter of the events leave it out, and where there is no place there is no time but UTC. */
function localTime(ms: number, timeZone: string | null, eventId: number): string {
  const text = isoText(ms);
  if (timeZone === null) return `${text}Z`;
  return eventId % 4 === 0 ? text : `${text}${offset(ms, timeZone)}`;
}

function isoText(ms: number): string {
  return new Date(ms).toISOString().slice(0, 19);
}

/** As `+01:00`. Takes the local time for UTC, which is wrong only in the hours around a change of clocks. */
function offset(ms: number, timeZone: string): string {
  const format = new Intl.DateTimeFormat("en", { timeZone, timeZoneName: "longOffset" });
  const name = format.formatToParts(ms).find(({ type }) => type === "timeZoneName")?.value ?? "";
  return name.replace("GMT", "") || "+00:00";
}
