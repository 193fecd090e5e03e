import * as z from "zod";
import { BalancePayment } from "../resources/balancePayment.ts";
import { Order } from "../resources/order.ts";
import { Payment } from "../resources/payment.ts";
import { storedForm } from "../resources/resource.ts";
import { Ticket } from "../resources/ticket.ts";
import { TicketCategory } from "../resources/ticketCategory.ts";
import type { Item } from "../table/item.ts";
import { type ItemKey, keys, organisationIdOf } from "../table/keys.ts";
import {
  addCounters,
  type Counters,
  type CurrencyName,
  categoryCounter,
  currencyOf,
  inCurrency,
  withoutZeros,
} from "./counters.ts";

/** An item's share of the summary with this key. */
export interface Share extends ItemKey {
  counters: Counters;
}

/** Shares of different summaries, by partition key. */
export type Shares = Map<string, Share>;

/** What an item counts. */
export interface Counted {
  /** The summaries of its event and of its date, if it has one. */
  summaries: ItemKey[];
  counters: Counters;
  /** The partition of the order in whose tally it counts, instead of in the summaries. An order's is its own. */
  order?: string;
  /** Of an order: how its tally counts in the summaries. */
  sale?: Sale;
}

interface Sale {
  isSold: boolean;
  currency: CurrencyName;
}

interface Fields {
  event_id: number;
  /** Null if it counts only for the event. */
  date_id: number | null;
  order_id?: number | null;
  counters: Counters;
  sale?: Sale;
}

const orderType = keys.order(1, 1).SK;

const CountedOrder = storedForm(
  Order.pick({
    event_id: true,
    date_id: true,
    status: true,
    discount_total: true,
    fee_total: true,
    tax_total: true,
    currency: true,
    currency_symbol: true,
  }),
).transform(({ event_id, date_id, status, currency, currency_symbol, ...totals }): Fields => {
  const isSold = status === "paid" || status === "refunded";
  const sale = { isSold, currency: currencyOf({ currency, currency_symbol }) };
  return { event_id, date_id, counters: isSold ? inCurrency({ orders_count: 1, ...totals }, sale.currency) : {}, sale };
});

const CountedTicket = storedForm(
  Ticket.pick({
    order_id: true,
    event_id: true,
    date_id: true,
    ticket_category_id: true,
    status: true,
    original_price: true,
    checked_in: true,
  }),
).transform(({ ticket_category_id, status, original_price, checked_in, ...parents }): Fields => {
  const counters = {
    checked_in_count: Number(checked_in),
    [categoryCounter(ticket_category_id, "tickets_sold")]: 1,
    [categoryCounter(ticket_category_id, "gross")]: original_price,
  };
  return { ...parents, counters: status === "valid" ? counters : {} };
});

const CountedPayment = storedForm(
  Payment.pick({ order_id: true, event_id: true, date_id: true, type: true, status: true, amount: true }),
).transform(({ type, status, amount, ...parents }): Fields => {
  const counters: Counters = type === "payment" ? { net: amount } : { net: -amount, refunded_total: amount };
  return { ...parents, counters: status === "confirmed" ? counters : {} };
});

const CountedBalancePayment = storedForm(
  BalancePayment.pick({ event_id: true, type: true, amount: true, currency: true, currency_symbol: true }),
).transform(({ event_id, type, amount, ...currency }): Fields => {
  const name = type === "payment" ? "balance_paid_total" : "balance_refunded_total";
  return { event_id, date_id: null, counters: inCurrency({ [name]: amount }, currencyOf(currency)) };
});

const CountedCategory = storedForm(TicketCategory.pick({ id: true, people: true }))
  .extend({ event_id: z.number() })
  .transform(({ id, people, event_id }): Fields => {
    return { event_id, date_id: null, counters: { [categoryCounter(id, "extra_people")]: people - 1 } };
  });

/** How items count, by sort key. */
const schemas: Readonly<Record<string, z.ZodType<Fields>>> = {
  [orderType]: CountedOrder,
  [keys.ticket(1, 1).SK]: CountedTicket,
  [keys.payment(1, 1).SK]: CountedPayment,
  [keys.balance_payment(1, 1).SK]: CountedBalancePayment,
  [keys.ticket_category(1, 1).SK]: CountedCategory,
};

/** The sort keys of the items that count in summaries. The summaries' own items are not among them. */
export const countedSortKeys: readonly string[] = Object.keys(schemas);

/**
 * What an item counts: nothing if it does not exist.
 * @throws ZodError if the item does not match its sort key.
 */
export function countedOf({ PK, SK }: ItemKey, item: Item | undefined): Counted {
  const own = SK === orderType ? { order: PK } : {};
  const schema = schemas[SK];
  if (!item || !schema) return { summaries: [], counters: {}, ...own };
  const { event_id, date_id, order_id, counters: all, sale } = schema.parse(item);
  const organisationId = organisationIdOf(PK);
  const summaries = [keys.eventSummary(organisationId, event_id)];
  if (date_id !== null) summaries.push(keys.dateSummary(organisationId, date_id));
  const counters = withoutZeros(all);
  const isInTally = typeof order_id === "number" && Object.keys(counters).length > 0;
  return { summaries, counters, sale, ...own, ...(isInTally && { order: keys.order(organisationId, order_id).PK }) };
}

/** Whether the summaries may differ with the item. They always may with an order: payments count with it, even if it is pending. */
export function countsAnything({ counters, order }: Counted): boolean {
  return order !== undefined || Object.keys(counters).length > 0;
}

/** What an item adds to each of its summaries, or to the tally of its order: nothing without counters. */
export function sharesOf({ summaries, counters }: Counted): Share[] {
  return Object.keys(counters).length === 0 ? [] : summaries.map(({ PK, SK }) => ({ PK, SK, counters }));
}

/** Money that was received or returned counts for orders in any state. */
const movedMoney = ["net", "refunded_total"];

/**
 * What an order adds to the summaries, with its tickets and payments.
 * @param tally what those count.
 */
export function sharesOfOrder(order: Counted, tally: Shares): Shares {
  const shares: Shares = new Map();
  const { sale } = order;
  if (!sale) return shares;
  addShares(shares, sharesOf(order), 1);
  for (const { PK, SK, counters } of tally.values()) {
    const counted = Object.entries(counters).filter(([name]) => sale.isSold || movedMoney.includes(name));
    addShares(shares, [{ PK, SK, counters: inCurrency(Object.fromEntries(counted), sale.currency) }], 1);
  }
  return shares;
}

/** Adds shares, multiplied by `factor`, to a sum, and leaves out what becomes 0. */
export function addShares(sum: Shares, shares: Iterable<Share>, factor: 1 | -1): void {
  for (const { PK, SK, counters: added } of shares) {
    const counters = addCounters(sum.get(PK)?.counters ?? {}, added, factor);
    if (Object.keys(counters).length > 0) sum.set(PK, { PK, SK, counters });
    else sum.delete(PK);
  }
}
