import { type RecordItem, recordItem } from "../../../functions/records/recordItem.ts";
import { BalancePayment, balancePayments } from "../../../functions/resources/balancePayment.ts";
import { exampleOf } from "../../../functions/resources/fields.ts";
import type { Order } from "../../../functions/resources/order.ts";
import type { Payment } from "../../../functions/resources/payment.ts";
import type { Ticket } from "../../../functions/resources/ticket.ts";
import type { TicketCategory } from "../../../functions/resources/ticketCategory.ts";
import type { Summary } from "../../../functions/summaries/summary.ts";
import type { Item } from "../../../functions/table/item.ts";
import { itemKeys } from "../../../functions/table/itemKeys.ts";
import { declaredList, instantSortKey, listKey } from "../../../functions/table/lists.ts";
import { categoryRecord, orderRecord, paymentRecord, ticketRecord } from "./records.ts";

type Fields = ReturnType<typeof JSON.parse>;

const sum = (found: Fields[], field: string): number => found.reduce((total, item) => total + item[field], 0);
const isRefund = ({ type }: Fields) => type === "refund";
const isSold = (order: Fields) => ["paid", "refunded"].includes(order?.status);
/** A payment's own, otherwise its order's; none for a payment without an order. */
const currencyOf = ({ owner, ...item }: Fields): string =>
  (item.SK === "PAYMENT" ? item.currency : undefined) ?? owner?.currency ?? owner?.currency_symbol ?? "";
const nameOf = (currency = "") =>
  currency.length === 3 ? { currency_symbol: null, currency } : { currency_symbol: currency || null, currency: null };

/** The items that an event's or a date's summary counts, each with its order; orders and balance payments with themselves. */
function countedIn(items: Item[], event_id: number, date_id: number | null) {
  const own = (kind: string) =>
    items
      .filter(({ SK, deleted }) => SK === kind && !deleted)
      .map((item): Fields => ({ ...item, owner: kind === "BALANCEPAYMENT" ? item : items.find(isOrderOf(item)) }))
      .filter((item) => (date_id === null ? item.event_id === event_id : item.date_id === date_id));
  return {
    orders: own("ORDER").filter(isSold),
    tickets: own("TICKET").filter(({ status, owner }) => status === "valid" && isSold(owner)),
    payments: own("PAYMENT").filter(({ status }) => status === "confirmed"),
    balancePayments: date_id === null ? own("BALANCEPAYMENT") : [],
  };
}

function isOrderOf(item: Fields) {
  const id = item.SK === "ORDER" ? item.id : item.order_id;
  return ({ SK, deleted, ...order }: Fields) => SK === "ORDER" && !deleted && order.id === id;
}

/** The amounts in some currencies. */
function amountsOf(counted: ReturnType<typeof countedIn>, isWanted: (currency: string) => boolean) {
  const wanted = (found: Fields[]) => found.filter((item) => isWanted(currencyOf(item)));
  const [orders, payments] = [wanted(counted.orders), wanted(counted.payments)];
  const [tickets, balancePayments] = [wanted(counted.tickets), wanted(counted.balancePayments)];
  return {
    gross: sum(tickets, "original_price"),
    sales_total: sum(tickets, "price"),
    discount_total: sum(orders, "discount_total"),
    fee_total: sum(orders, "fee_total"),
    tax_total: sum(orders, "tax_total"),
    refunded_total: sum(payments.filter(isRefund), "amount"),
    net: sum(payments, "amount") - 2 * sum(payments.filter(isRefund), "amount"),
    balance_paid_total: sum(balancePayments, "amount") - sum(balancePayments.filter(isRefund), "amount"),
    balance_refunded_total: sum(balancePayments.filter(isRefund), "amount"),
  };
}

/**
 * The summary of an event or of one date, counted anew from all items of the organisation. The items do not show when the numbers last
 * changed.
 */
export function recount(items: Item[], event_id: number, date_id: number | null): Omit<Summary, "date_generated"> {
  const find = (kind: string, id: number): Fields =>
    items.find(
      (item) => item.SK === kind && !item.deleted && item.id === id && (item.event_id ?? event_id) === event_id,
    );
  const counted = countedIn(items, event_id, date_id);
  const { orders, tickets, payments, balancePayments } = counted;
  const used = [...new Set([...orders, ...tickets, ...payments, ...balancePayments].map(currencyOf))].filter((name) =>
    Object.values(amountsOf(counted, (currency) => currency === name)).some((amount) => amount !== 0),
  );
  const { currency_symbol = null, currency = null } = find("EVENT", event_id) ?? {};
  const known = used.filter((name) => name !== "");
  const [adopted] = currency === null && known.length === 1 && known[0] !== currency_symbol ? known : [];
  const isOwn = (name: string) =>
    ["", ...(adopted === undefined ? [currency, currency_symbol] : [adopted])].includes(name);
  const peopleOf = (some: Fields[]) =>
    some.reduce((total, { ticket_category_id }) => total + (find("CATEGORY", ticket_category_id)?.people ?? 1), 0);
  const checkedIn = tickets.filter(({ checked_in }) => checked_in);
  const ticket_categories = [...new Set<number>(tickets.map((ticket) => ticket.ticket_category_id))]
    .sort((one, other) => one - other)
    .map((ticket_category_id) => {
      const sold = tickets.filter((ticket) => ticket.ticket_category_id === ticket_category_id);
      const inOwn = sold.filter((ticket) => isOwn(currencyOf(ticket)));
      const [gross, sales_total] = [sum(inOwn, "original_price"), sum(inOwn, "price")];
      return { ticket_category_id, tickets_sold: sold.length, people: peopleOf(sold), gross, sales_total };
    });
  return {
    event_id,
    date_id,
    orders_count: orders.length,
    tickets_sold: tickets.length,
    people: sum(ticket_categories, "people"),
    checked_in_count: checkedIn.length,
    people_checked_in: peopleOf(checkedIn),
    ...amountsOf(counted, isOwn),
    ...(adopted === undefined ? { currency_symbol, currency } : nameOf(adopted)),
    ticket_categories,
    other_currencies: used
      .filter((name) => !isOwn(name))
      .sort()
      .map((name) => ({ ...nameOf(name), ...amountsOf(counted, (one) => one === name) })),
  };
}

/** Stored items of each type that summaries count, equal except for the given fields. */
export const countedItem = {
  order: (organisationId: number, id: number, fields: Partial<Order>) =>
    recordItem(orderRecord(organisationId, id, fields)),
  ticket: (organisationId: number, id: number, fields: Partial<Ticket>) =>
    recordItem(ticketRecord(organisationId, id, fields)),
  payment: (organisationId: number, id: number, fields: Partial<Payment>) =>
    recordItem(paymentRecord(organisationId, id, { currency: null, ...fields })),
  balancePayment(organisationId: number, id: number, fields: Partial<BalancePayment>): RecordItem {
    const data = { ...exampleOf(BalancePayment), id, ...fields };
    const list = declaredList(balancePayments, "ofEvent", organisationId, data.event_id);
    const place = {
      ...itemKeys.balance_payment(organisationId, id),
      ...listKey(list, instantSortKey(data.date_created, id)),
    };
    return { ...place, ...data, record_version: undefined, content_hash: JSON.stringify(data) };
  },
  category: (organisationId: number, id: number, fields: { event_id: number } & Partial<TicketCategory>) => {
    const { event_id, ...others } = fields;
    return recordItem(categoryRecord(organisationId, event_id, id, others));
  },
};
