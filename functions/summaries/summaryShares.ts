import { BalancePayment } from "../resources/balancePayment.ts";
import { Id } from "../resources/fields.ts";
import { Order } from "../resources/order.ts";
import { Payment } from "../resources/payment.ts";
import { Ticket } from "../resources/ticket.ts";
import { TicketCategory } from "../resources/ticketCategory.ts";
import type { Item } from "../table/attributeValue.ts";
import { type ItemKey, keys, organisationIdOf } from "../table/keys.ts";

/** Integers by name; money is in pence. A missing counter is 0. */
export type Counters = Record<string, number>;

/** An item's share of the summary with this key. */
export interface Share extends ItemKey {
  counters: Counters;
}

/**
 * The name of a counter of one ticket category. `extra_people` is the number of people beyond one that each ticket admits, so a ticket of an
 * unknown category admits one.
 */
export function categoryCounter(categoryId: number, name: "tickets_sold" | "gross" | "extra_people"): string {
  return `category#${categoryId}#${name}`;
}

interface Counted {
  event_id: number;
  /** Null if it counts only for the event. */
  date_id: number | null;
  counters: Counters;
}

const CountedOrder = Order.pick({
  event_id: true,
  date_id: true,
  status: true,
  discount_total: true,
  fee_total: true,
  tax_total: true,
}).transform(({ event_id, date_id, status, ...totals }): Counted => {
  const isCounted = status === "paid" || status === "refunded";
  return { event_id, date_id, counters: isCounted ? { orders_count: 1, ...totals } : {} };
});

const CountedTicket = Ticket.pick({
  event_id: true,
  date_id: true,
  ticket_category_id: true,
  status: true,
  original_price: true,
  checked_in: true,
}).transform(({ event_id, date_id, ticket_category_id, status, original_price, checked_in }): Counted => {
  const counters = {
    checked_in_count: Number(checked_in),
    [categoryCounter(ticket_category_id, "tickets_sold")]: 1,
    [categoryCounter(ticket_category_id, "gross")]: original_price,
  };
  return { event_id, date_id, counters: status === "valid" ? counters : {} };
});

const CountedPayment = Payment.pick({
  event_id: true,
  date_id: true,
  type: true,
  status: true,
  amount: true,
}).transform(({ event_id, date_id, type, status, amount }): Counted => {
  const counters: Counters = type === "payment" ? { net: amount } : { net: -amount, refunded_total: amount };
  return { event_id, date_id, counters: status === "confirmed" ? counters : {} };
});

const CountedBalancePayment = BalancePayment.pick({ event_id: true, type: true, amount: true }).transform(
  ({ event_id, type, amount }): Counted => {
    const name = type === "payment" ? "balance_paid_total" : "balance_refunded_total";
    return { event_id, date_id: null, counters: { [name]: amount } };
  },
);

const CountedCategory = TicketCategory.pick({ id: true, people: true })
  .extend({ event_id: Id })
  .transform(({ id, people, event_id }): Counted => {
    return { event_id, date_id: null, counters: { [categoryCounter(id, "extra_people")]: people - 1 } };
  });

/** How items count, by sort key. */
const schemas = {
  [keys.order(1, 1).SK]: CountedOrder,
  [keys.ticket(1, 1).SK]: CountedTicket,
  [keys.payment(1, 1).SK]: CountedPayment,
  [keys.balance_payment(1, 1).SK]: CountedBalancePayment,
  [keys.ticket_category(1, 1).SK]: CountedCategory,
};

/** The sort keys of the items that count in summaries. The summaries' own items are not among them. */
export const countedSortKeys: readonly string[] = Object.keys(schemas);

/**
 * What an item adds to the summaries of its event and of its date, in this order. Empty if the item does not count or does not exist.
 * @throws ZodError if the item does not match its sort key.
 */
export function sharesOf({ PK, SK }: ItemKey, item: Item | undefined): Share[] {
  const schema = schemas[SK];
  if (!item || !schema) return [];
  const { event_id, date_id, counters } = schema.parse(item);
  const added = withoutZeros(counters);
  if (Object.keys(added).length === 0) return [];
  const organisationId = organisationIdOf(PK);
  const summaries = [keys.eventSummary(organisationId, event_id)];
  if (date_id !== null) summaries.push(keys.dateSummary(organisationId, date_id));
  return summaries.map((key) => ({ ...key, counters: added }));
}

/** Adds counters, multiplied by `factor`, to a sum. */
export function addCounters(sum: Counters, counters: Counters, factor: 1 | -1): Counters {
  const added = { ...sum };
  for (const [name, value] of Object.entries(counters)) added[name] = (added[name] ?? 0) + factor * value;
  return withoutZeros(added);
}

function withoutZeros(counters: Counters): Counters {
  return Object.fromEntries(Object.entries(counters).filter(([, value]) => value !== 0));
}
