import type { Event } from "../resources/event.ts";
import { instantMs } from "../values/instant.ts";
import { type AmountName, amountNames, type CounterName, type CurrencyName, currencyName } from "./counters.ts";
import type { Amounts, CategorySummary, Summary } from "./summary.ts";
import type { CategoryCounters } from "./summaryRows.ts";

/** The number of people beyond one that a ticket admits, by category. */
type ExtraPeople = ReadonlyMap<number, number>;

/** @param rows of an event. */
export function extraPeopleIn(rows: readonly CategoryCounters[]): ExtraPeople {
  return new Map(
    rows.flatMap(({ ticket_category_id: id, counters: { extra_people } }): [number, number][] =>
      id === undefined || extra_people === undefined ? [] : [[id, extra_people]],
    ),
  );
}

/** The summary of an event or of one of its dates. */
export function summaryOf(
  ids: Pick<Summary, "event_id" | "date_id">,
  rows: readonly CategoryCounters[],
  event: Pick<Event, "currency" | "currency_symbol" | "date_created">,
  extraPeople: ExtraPeople,
): Summary {
  const withAmounts = rows.filter(({ counters }) => amountNames.some((name) => (counters[name] ?? 0) !== 0));
  const { own, currency, currency_symbol } = currencyOfSummary(event, withAmounts);
  const others = Map.groupBy(
    withAmounts.filter((row) => !own.has(row.currency)),
    (row) => row.currency,
  );
  const categories = categoriesOf(rows, own, extraPeople);
  return withFittingLists({
    ...ids,
    orders_count: sum(rows, "orders_count"),
    tickets_sold: sum(rows, "tickets_sold"),
    people: categories.reduce((total, { people }) => total + people, 0),
    checked_in_count: sum(rows, "checked_in_count"),
    people_checked_in: peopleCheckedIn(rows, extraPeople),
    ...amountsOf(rows.filter((row) => own.has(row.currency))),
    currency_symbol,
    currency,
    date_generated: lastGenerated(rows) ?? sinceCreation(event.date_created),
    ticket_categories: categories,
    other_currencies: [...others]
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, some]) => ({ ...codeOrSymbol(name), ...amountsOf(some) })),
  });
}

/**
 * The currency of a summary, and the rows' names for it: "", and the event's code and symbol. If the event has no code and all amounts of a known
 * currency are in one other, it is that currency.
 */
function currencyOfSummary(event: Pick<Summary, "currency" | "currency_symbol">, rows: readonly CategoryCounters[]) {
  const names = [event.currency_symbol, event.currency].map(currencyName).filter((name) => name !== "");
  const [only, ...more] = new Set(rows.map((row) => row.currency).filter((name) => name !== ""));
  const isOfAmounts = event.currency === null && only !== undefined && more.length === 0 && !names.includes(only);
  return isOfAmounts ? { ...codeOrSymbol(only), own: new Set(["", only]) } : { ...event, own: new Set(["", ...names]) };
}

function codeOrSymbol(name: CurrencyName): Pick<Summary, "currency" | "currency_symbol"> {
  const isCode = /^[A-Z]{3}$/.test(name);
  return { currency: isCode ? name : null, currency_symbol: isCode ? null : name || null };
}

function sum(rows: readonly CategoryCounters[], name: CounterName): number {
  return rows.reduce((total, { counters }) => total + (counters[name] ?? 0), 0);
}

function amountsOf(rows: readonly CategoryCounters[]): Amounts {
  // The names are all of them, in the documented order.
  return Object.fromEntries(amountNames.map((name) => [name, sum(rows, name)])) as Record<AmountName, number>;
}

function peopleCheckedIn(rows: readonly CategoryCounters[], extraPeople: ExtraPeople): number {
  return rows.reduce((total, { ticket_category_id: id = 0, counters: { checked_in_count = 0 } }) => {
    return total + checked_in_count * (1 + (extraPeople.get(id) ?? 0));
  }, 0);
}

/** The ticket categories with sold tickets, sorted by id. */
function categoriesOf(
  rows: readonly CategoryCounters[],
  own: ReadonlySet<CurrencyName>,
  extraPeople: ExtraPeople,
): CategorySummary[] {
  const byCategory = Map.groupBy(rows, (row) => row.ticket_category_id);
  const sold = [...byCategory].flatMap(([ticket_category_id, some]) => {
    const tickets_sold = sum(some, "tickets_sold");
    if (ticket_category_id === undefined || tickets_sold === 0) return [];
    const people = tickets_sold * (1 + (extraPeople.get(ticket_category_id) ?? 0));
    const inOwn = some.filter((row) => own.has(row.currency));
    const [gross, sales_total] = [sum(inOwn, "gross"), sum(inOwn, "sales_total")];
    return [{ ticket_category_id, tickets_sold, people, gross, sales_total }];
  });
  return sold.sort((one, other) => one.ticket_category_id - other.ticket_category_id);
}

function lastGenerated(rows: readonly CategoryCounters[]): string | undefined {
  return rows
    .map(({ date_generated }) => date_generated)
    .reduce<string | undefined>((last, time) => (last === undefined || time > last ? time : last), undefined);
}

/** The time of the last change if nothing was ever counted. 1970 if the event's creation is unknown. */
function sinceCreation(date_created: string | null): string {
  return new Date(instantMs(date_created ?? "") || 0).toISOString();
}

/** Lambda limits a response to 6 MB ("Lambda quotas"), in which the body is a JSON string. The rest is for headers and other fields. */
const maximumListsBytes = 6_000_000;

/** Cuts the lists of a summary to what fits into a response. The numbers still count everything. */
function withFittingLists(summary: Summary): Summary {
  let room = maximumListsBytes;
  const cut = (name: "other_currencies" | "ticket_categories") => {
    const end = summary[name].findIndex((row) => {
      room -= Buffer.byteLength(JSON.stringify(JSON.stringify(row)));
      return room < 0;
    });
    return end === -1 ? {} : { [name]: summary[name].slice(0, end), [`has_more_${name}`]: true };
  };
  return { ...summary, ...cut("other_currencies"), ...cut("ticket_categories") };
}
