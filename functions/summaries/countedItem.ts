import * as z from "zod";
import { BalancePayment } from "../resources/balancePayment.ts";
import { Order } from "../resources/order.ts";
import { Payment } from "../resources/payment.ts";
import { storedForm } from "../resources/resource.ts";
import { Ticket } from "../resources/ticket.ts";
import { TicketCategory } from "../resources/ticketCategory.ts";
import type { Item } from "../table/item.ts";
import { type ItemKey, itemKeys, organisationIdOf } from "../table/itemKeys.ts";
import { Counters, countersIn, currencyName, currencyOf } from "./counters.ts";

export const CountedItem = z.object({
  event_id: z.int(),
  /** Null if it counts only for the event. */
  date_id: z.int().nullable(),
  /** Missing except for tickets and categories. */
  ticket_category_id: z.int().optional(),
  counters: Counters,
  /** The item's own. An order's applies to its tickets, and to its payments without their own. */
  currency: z.string().optional(),
  /** False for an order that counts only money received or returned. */
  is_sold: z.boolean().optional(),
});
export type CountedItem = z.infer<typeof CountedItem>;

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
).transform(({ event_id, date_id, status, currency, currency_symbol, ...totals }) => ({
  event_id,
  date_id,
  counters: { orders_count: 1, ...totals },
  currency: currencyOf({ currency, currency_symbol }),
  is_sold: status === "paid" || status === "refunded",
}));

const CountedTicket = storedForm(
  Ticket.pick({
    event_id: true,
    date_id: true,
    ticket_category_id: true,
    status: true,
    price: true,
    original_price: true,
    checked_in: true,
  }),
).transform(({ status, price, original_price, checked_in, ...parents }) => {
  const counters: Counters = {
    tickets_sold: 1,
    checked_in_count: Number(checked_in),
    gross: original_price,
    sales_total: price,
  };
  return { ...parents, counters: status === "valid" ? counters : {} };
});

const CountedPayment = storedForm(
  Payment.pick({ event_id: true, date_id: true, type: true, status: true, amount: true, currency: true }),
).transform(({ type, status, amount, currency, ...parents }) => {
  const counters: Counters = type === "payment" ? { net: amount } : { net: -amount, refunded_total: amount };
  const own = currency === null ? {} : { currency: currencyName(currency) };
  return { ...parents, counters: status === "confirmed" ? counters : {}, ...own };
});

const CountedBalancePayment = storedForm(
  BalancePayment.pick({ event_id: true, type: true, amount: true, currency: true, currency_symbol: true }),
).transform(({ event_id, type, amount, ...currency }) => {
  const name = type === "payment" ? "balance_paid_total" : "balance_refunded_total";
  return { event_id, date_id: null, counters: { [name]: amount }, currency: currencyOf(currency) };
});

const CountedCategory = storedForm(TicketCategory.pick({ id: true, people: true }))
  .extend({ event_id: z.int() })
  .transform(({ id, people, event_id }) => ({
    event_id,
    date_id: null,
    ticket_category_id: id,
    counters: { extra_people: people - 1 },
  }));

const schemas: Readonly<Record<string, z.ZodType<CountedItem>>> = {
  [itemKeys.order(1, 1).SK]: CountedOrder,
  [itemKeys.ticket(1, 1).SK]: CountedTicket,
  [itemKeys.payment(1, 1).SK]: CountedPayment,
  [itemKeys.balance_payment(1, 1).SK]: CountedBalancePayment,
  [itemKeys.ticket_category(1, 1).SK]: CountedCategory,
};

export const countedSortKeys: readonly string[] = Object.keys(schemas);

/** @throws ZodError if the item does not match its sort key. */
export function parseCountedItem({ SK }: ItemKey, item: Item): CountedItem | undefined {
  const counted = schemas[SK]?.parse(item);
  return counted && { ...counted, counters: Object.fromEntries(countersIn(counted.counters)) };
}

/** True for a ticket category: its sold tickets admit as many people as before. */
export function isKeptAfterDeletion({ SK }: ItemKey): boolean {
  return SK === itemKeys.ticket_category(1, 1).SK;
}

/** The partition of the item that an item counts with: a ticket's or payment's order, otherwise itself. */
export function ownerOf({ PK }: ItemKey, { order_id }: Item): string {
  return typeof order_id === "number" ? itemKeys.order(organisationIdOf(PK), order_id).PK : PK;
}
