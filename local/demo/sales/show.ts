import type { Event } from "../../../functions/resources/event.ts";
import { instantMs } from "../../../functions/resources/instant.ts";
import type { Record as InputRecord } from "../../../functions/resources/record.ts";
import type { TicketCategory } from "../../../functions/resources/ticketCategory.ts";
import type { Chance } from "./chance.ts";
import type { Sales } from "./sales.ts";
import { msPerDay, msPerHour, nowMs } from "./time.ts";

/** Events are announced earlier than this. */
const daysOnSale = 240;

export interface ShowDate {
  id: number;
  startsMs: number;
  isSoldOut: boolean;
  /** The day alone is known: people come when they like. */
  isDayAlone: boolean;
}

/** An event that sells. */
export interface Show {
  event: Event;
  dates: ShowDate[];
  categories: TicketCategory[];
  sales: Sales;
  opensMs: number;
  closesMs: number;
}

/** The event that the sales are of, with what the programme's records say of it. */
export function showOf(sales: Sales, programme: InputRecord[]): Show {
  const event = programme.flatMap((record) =>
    record.type === "event" && record.data.name === sales.event ? [record.data] : [],
  )[0];
  if (event === undefined) throw new Error(`No event of the programme is called ${sales.event}.`);
  const dates = programme.flatMap((record) =>
    record.type === "event_date" && record.data.event_id === event.id
      ? [
          {
            id: record.data.id,
            startsMs: instantMs(record.data.date),
            isSoldOut: record.data.sold_out === true,
            isDayAlone: !record.data.date.includes("T"),
          },
        ]
      : [],
  );
  const categories = programme.flatMap((record) =>
    record.type === "ticket_category" && record.event_id === event.id ? [record.data] : [],
  );
  const starts = dates.map(({ startsMs }) => startsMs);
  const opensMs = Math.min(...starts) - daysOnSale * msPerDay;
  // Nobody buys in the last hour, so that what follows an order within minutes is in the past, too.
  return { event, dates, categories, sales, opensMs, closesMs: Math.min(nowMs, ...starts.slice(-1)) - msPerHour };
}

/** When somebody buys: by day, many of them in the first weeks and more and more towards the end. */
export function moment({ opensMs, closesMs }: Show, chance: Chance): number {
  const early = chance.happens(0.3);
  for (;;) {
    const position = early ? chance.fraction() ** 3 : Math.sqrt(chance.fraction());
    const ms = opensMs + Math.floor(((closesMs - opensMs) * position) / 1000) * 1000;
    const hour = (ms % msPerDay) / msPerHour;
    if (hour > 7 && hour < 22.5) return ms;
  }
}

/** For which date somebody buys then: mostly for those that sell out. */
export function chooseDate({ dates }: Show, createdMs: number, chance: Chance): ShowDate {
  const bookable = dates.filter(({ startsMs }) => startsMs > createdMs + msPerHour);
  return chance.pickWeighted(bookable, ({ isSoldOut }) => (isSoldOut ? 6 : 1));
}
