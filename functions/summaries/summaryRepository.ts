import * as z from "zod";
import { notFound } from "../problem.ts";
import { Event } from "../resources/event.ts";
import { EventDate } from "../resources/eventDate.ts";
import { instantMs, ServiceTime } from "../resources/fields.ts";
import { storedForm } from "../resources/resource.ts";
import type { Item } from "../table/attributeValue.ts";
import { type ItemKey, keys } from "../table/keys.ts";
import { getItems } from "../table/reads.ts";
import type { Table } from "../table/table.ts";
import { Summary } from "./summary.ts";
import { categoryCounter } from "./summaryShares.ts";

const Counter = z.int().default(0);

/** A stored summary, without its counters of ticket categories, which are named by {@link categoryCounter}. */
const StoredSummary = z.object({
  orders_count: Counter,
  checked_in_count: Counter,
  discount_total: Counter,
  fee_total: Counter,
  tax_total: Counter,
  refunded_total: Counter,
  net: Counter,
  balance_paid_total: Counter,
  balance_refunded_total: Counter,
  date_generated: ServiceTime.optional(),
});

const SummarisedEvent = storedForm(Event.pick({ currency_symbol: true, currency: true, date_created: true }));

/** One organisation's summaries. */
export function summaryRepository(organisationId: number, table: Table) {
  /** Reads an event or a date, and its summary, in one call. */
  const read = async (key: ItemKey, summaryKey: ItemKey) => {
    const items = await getItems(table, [key, summaryKey]);
    const find = ({ PK }: ItemKey) => items.find((item) => item.PK === PK);
    return { parent: find(key), summary: find(summaryKey) ?? {} };
  };
  const readEvent = (id: number) => read(keys.event(organisationId, id), keys.eventSummary(organisationId, id));

  return {
    /** @throws Problem `not_found` */
    async getEventSummary(id: number): Promise<Summary> {
      const event = await readEvent(id);
      if (!event.parent) throw notFound("event");
      return Summary.parse({ event_id: id, date_id: null, ...numbersOf(event.summary, event) });
    },

    /** Makes two calls, because the date identifies the event, which has the currency and the people per ticket. @throws Problem `not_found` */
    async getDateSummary(id: number): Promise<Summary> {
      const date = await read(keys.event_date(organisationId, id), keys.dateSummary(organisationId, id));
      if (!date.parent) throw notFound("date");
      const { event_id } = EventDate.pick({ event_id: true }).parse(date.parent);
      return Summary.parse({ event_id, date_id: id, ...numbersOf(date.summary, await readEvent(event_id)) });
    },
  };
}

/** Numbers that were never counted have not changed since the event was created, at an unknown time if null. */
function sinceCreation(date_created: string | null): string {
  return new Date(date_created === null ? 0 : instantMs(date_created)).toISOString();
}

/**
 * The public numbers of a summary. The schema puts them in the documented order.
 * @param item the stored summary of the event or of one of its dates.
 */
function numbersOf(item: Item, event: { parent: Item | undefined; summary: Item }) {
  const { currency_symbol, currency, date_created } = SummarisedEvent.parse(event.parent ?? {});
  const { date_generated, ...counters } = StoredSummary.parse(item);
  const ticket_categories = categoriesOf(item, event.summary);
  const total = (name: "tickets_sold" | "people" | "gross") =>
    ticket_categories.reduce((sum, category) => sum + category[name], 0);
  return {
    ...counters,
    tickets_sold: total("tickets_sold"),
    people: total("people"),
    gross: total("gross"),
    currency_symbol,
    currency,
    date_generated: date_generated ?? sinceCreation(date_created),
    ticket_categories,
  };
}

/** The ticket categories with sold tickets, sorted by id. */
function categoriesOf(item: Item, eventSummary: Item): Summary["ticket_categories"] {
  return Object.keys(item)
    .map((name) => Number(/^category#(\d+)#tickets_sold$/.exec(name)?.[1]))
    .filter((id) => !Number.isNaN(id))
    .sort((one, other) => one - other)
    .map((ticket_category_id) => {
      const tickets_sold = Counter.parse(item[categoryCounter(ticket_category_id, "tickets_sold")]);
      const gross = Counter.parse(item[categoryCounter(ticket_category_id, "gross")]);
      const extraPeople = Counter.parse(eventSummary[categoryCounter(ticket_category_id, "extra_people")]);
      return { ticket_category_id, tickets_sold, people: tickets_sold * (1 + extraPeople), gross };
    })
    .filter(({ tickets_sold }) => tickets_sold !== 0);
}
