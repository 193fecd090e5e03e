import * as z from "zod";
import { notFound } from "../problem.ts";
import { Event } from "../resources/event.ts";
import { EventDate } from "../resources/eventDate.ts";
import { storedForm } from "../resources/resource.ts";
import type { Item } from "../table/item.ts";
import { type ItemKey, itemKeys } from "../table/itemKeys.ts";
import { getItems } from "../table/reads.ts";
import type { Table } from "../table/table.ts";
import { instantMs } from "../values/instant.ts";
import { type AmountName, amountOf, type CurrencyName, categoryCounter, currencyName } from "./counters.ts";
import type { Amounts, Summary } from "./summary.ts";

const Counter = z.int().default(0);

/** A stored summary, without its amounts and its counters of ticket categories. */
const StoredSummary = z.object({
  orders_count: Counter,
  date_generated: z.string().optional(),
});

const SummarisedEvent = storedForm(Event.pick({ currency_symbol: true, currency: true, date_created: true }));
const SummarisedDate = storedForm(EventDate.pick({ event_id: true }));

export function summaryRepository(organisationId: number, table: Table) {
  const read = async (key: ItemKey, summaryKey: ItemKey) => {
    const items = await getItems(table, [key, summaryKey]);
    const find = ({ PK }: ItemKey) => items.find((item) => item.PK === PK);
    return { parent: find(key), summary: find(summaryKey) ?? {} };
  };
  const readEvent = (id: number) => read(itemKeys.event(organisationId, id), itemKeys.eventSummary(organisationId, id));

  return {
    /** @throws Problem `not_found` */
    async getEventSummary(id: number): Promise<Summary> {
      const event = await readEvent(id);
      if (!event.parent) throw notFound("event");
      return { event_id: id, date_id: null, ...numbersOf(event.summary, event) };
    },

    /** Makes two calls, because the date identifies the event, which has the currency and the people per ticket. @throws Problem `not_found` */
    async getDateSummary(id: number): Promise<Summary> {
      const date = await read(itemKeys.event_date(organisationId, id), itemKeys.dateSummary(organisationId, id));
      if (!date.parent) throw notFound("date");
      const { event_id } = SummarisedDate.parse(date.parent);
      return { event_id, date_id: id, ...numbersOf(date.summary, await readEvent(event_id)) };
    },
  };
}

/** The time of the last change if nothing was ever counted. 1970 if the event's creation is unknown. */
function sinceCreation(date_created: string | null): string {
  return new Date(instantMs(date_created ?? "") || 0).toISOString();
}

/** The public numbers of a summary, in the documented order. @param item the stored summary of the event or of one of its dates. */
function numbersOf(
  item: Item,
  event: { parent: Item | undefined; summary: Item },
): Omit<Summary, "event_id" | "date_id"> {
  const { date_created, ...ofEvent } = SummarisedEvent.parse(event.parent ?? {});
  const { orders_count, date_generated } = StoredSummary.parse(item);
  const all = amountsIn(item);
  const { own, currency, currency_symbol } = currencyOfSummary(ofEvent, all);
  const amounts = all.filter((amount) => own.has(amount.currency));
  const others = Map.groupBy(
    all.filter((amount) => !own.has(amount.currency)),
    (amount) => amount.currency,
  );
  const categories = categoriesOf(item, event.summary, amounts);
  const total = (name: keyof (typeof categories)[number]) =>
    categories.reduce((sum, category) => sum + category[name], 0);
  return {
    orders_count,
    tickets_sold: total("tickets_sold"),
    people: total("people"),
    checked_in_count: total("checked_in_count"),
    people_checked_in: total("people_checked_in"),
    ...totalsOf(amounts),
    currency_symbol,
    currency,
    date_generated: date_generated ?? sinceCreation(date_created),
    ticket_categories: categories.map(({ checked_in_count: _, people_checked_in: __, ...category }) => category),
    other_currencies: [...others]
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, some]) => ({ ...codeOrSymbol(name), ...totalsOf(some) })),
  };
}

interface Amount {
  name: AmountName;
  currency: CurrencyName;
  categoryId: number | undefined;
  value: number;
}

function amountsIn(item: Item): Amount[] {
  return Object.entries(item).flatMap(([counter, stored]) => {
    const amount = amountOf(counter);
    const value = amount ? Counter.parse(stored) : 0;
    return amount && value !== 0 ? [{ ...amount, value }] : [];
  });
}

/**
 * The currency of a summary, and the counters' names for it: "", and the event's code and symbol. If the event has no code and all amounts of a known
 * currency are in one other, it is that currency.
 */
function currencyOfSummary(event: Pick<Summary, "currency" | "currency_symbol">, amounts: Amount[]) {
  const names = [event.currency_symbol, event.currency].map(currencyName).filter((name) => name !== "");
  const [only, ...more] = new Set(amounts.map(({ currency }) => currency).filter((name) => name !== ""));
  const isOfAmounts = event.currency === null && only !== undefined && more.length === 0 && !names.includes(only);
  return isOfAmounts ? { ...codeOrSymbol(only), own: new Set(["", only]) } : { ...event, own: new Set(["", ...names]) };
}

function codeOrSymbol(name: CurrencyName): Pick<Summary, "currency" | "currency_symbol"> {
  const isCode = /^[A-Z]{3}$/.test(name);
  return { currency: isCode ? name : null, currency_symbol: isCode ? null : name || null };
}

function totalsOf(amounts: Amount[]): Amounts {
  const total = (wanted: AmountName) =>
    amounts.reduce((sum, { name, value }) => (name === wanted ? sum + value : sum), 0);
  return {
    gross: total("gross"),
    sales_total: total("sales_total"),
    discount_total: total("discount_total"),
    fee_total: total("fee_total"),
    tax_total: total("tax_total"),
    refunded_total: total("refunded_total"),
    net: total("net"),
    balance_paid_total: total("balance_paid_total"),
    balance_refunded_total: total("balance_refunded_total"),
  };
}

/** The ticket categories with sold tickets, sorted by id. */
function categoriesOf(item: Item, eventSummary: Item, amounts: Amount[]) {
  const amountsOf = Map.groupBy(amounts, ({ categoryId }) => categoryId);
  return Object.keys(item)
    .map((name) => Number(/^category#(\d+)#tickets_sold$/.exec(name)?.[1]))
    .filter((id) => !Number.isNaN(id))
    .sort((one, other) => one - other)
    .map((ticket_category_id) => {
      const tickets_sold = Counter.parse(item[categoryCounter(ticket_category_id, "tickets_sold")]);
      const checked_in_count = Counter.parse(item[categoryCounter(ticket_category_id, "checked_in_count")]);
      const { gross, sales_total } = totalsOf(amountsOf.get(ticket_category_id) ?? []);
      const perTicket = 1 + Counter.parse(eventSummary[categoryCounter(ticket_category_id, "extra_people")]);
      const [people, people_checked_in] = [tickets_sold * perTicket, checked_in_count * perTicket];
      return { ticket_category_id, tickets_sold, people, gross, sales_total, checked_in_count, people_checked_in };
    })
    .filter(({ tickets_sold }) => tickets_sold !== 0);
}
