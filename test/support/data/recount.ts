import { type RecordItem, recordItem } from "../../../functions/records/recordItem.ts";
import { BalancePayment, balancePayments } from "../../../functions/resources/balancePayment.ts";
import { exampleOf } from "../../../functions/resources/fields.ts";
import type { Order } from "../../../functions/resources/order.ts";
import type { Payment } from "../../../functions/resources/payment.ts";
import type { Ticket } from "../../../functions/resources/ticket.ts";
import type { TicketCategory } from "../../../functions/resources/ticketCategory.ts";
import type { Summary } from "../../../functions/summaries/summary.ts";
import type { Item } from "../../../functions/table/attributeValue.ts";
import { declaredList, instantSortKey, keys, listKey } from "../../../functions/table/keys.ts";
import { categoryRecord, orderRecord, paymentRecord, ticketRecord } from "./records.ts";

type Fields = ReturnType<typeof JSON.parse>;

/**
 * The summary of an event or of one date, counted anew from all items of the organisation. The items do not show when the numbers last
 * changed.
 */
export function recount(items: Item[], event_id: number, date_id: number | null): Omit<Summary, "date_generated"> {
  const all = (kind: string): Fields[] => items.filter(({ SK }) => SK === kind);
  const own = (kind: string) =>
    all(kind).filter((item) => (date_id === null ? item.event_id === event_id : item.date_id === date_id));
  const sum = (found: Fields[], field: string) => found.reduce((total, item) => total + item[field], 0);
  const orders = own("ORDER").filter(({ status }) => status === "paid" || status === "refunded");
  const tickets = own("TICKET").filter(({ status }) => status === "valid");
  const payments = own("PAYMENT").filter(({ status }) => status === "confirmed");
  const balancePayments = date_id === null ? own("BALANCEPAYMENT") : [];
  const amounts = (found: Fields[], type: string) =>
    sum(
      found.filter((payment) => payment.type === type),
      "amount",
    );
  const peopleOf = (id: number): number =>
    all("CATEGORY").find((category) => category.id === id && category.event_id === event_id)?.people ?? 1;
  const categoryIds = new Set<number>(tickets.map((ticket) => ticket.ticket_category_id));
  const ticket_categories = [...categoryIds]
    .sort((one, other) => one - other)
    .map((ticket_category_id) => {
      const sold = tickets.filter((ticket) => ticket.ticket_category_id === ticket_category_id);
      const people = sold.length * peopleOf(ticket_category_id);
      return { ticket_category_id, tickets_sold: sold.length, people, gross: sum(sold, "original_price") };
    });
  return {
    event_id,
    date_id,
    orders_count: orders.length,
    tickets_sold: tickets.length,
    people: sum(ticket_categories, "people"),
    checked_in_count: tickets.filter(({ checked_in }) => checked_in).length,
    gross: sum(tickets, "original_price"),
    discount_total: sum(orders, "discount_total"),
    fee_total: sum(orders, "fee_total"),
    tax_total: sum(orders, "tax_total"),
    refunded_total: amounts(payments, "refund"),
    net: amounts(payments, "payment") - amounts(payments, "refund"),
    balance_paid_total: amounts(balancePayments, "payment"),
    balance_refunded_total: amounts(balancePayments, "refund"),
    currency_symbol: all("EVENT").find(({ id }) => id === event_id)?.currency_symbol ?? null,
    currency: all("EVENT").find(({ id }) => id === event_id)?.currency ?? null,
    ticket_categories,
  };
}

/** Stored items of each type that summaries count, equal except for the given fields. */
export const countedItem = {
  order: (organisationId: number, id: number, fields: Partial<Order>) =>
    recordItem(orderRecord(organisationId, id, fields)),
  ticket: (organisationId: number, id: number, fields: Partial<Ticket>) =>
    recordItem(ticketRecord(organisationId, id, fields)),
  payment: (organisationId: number, id: number, fields: Partial<Payment>) =>
    recordItem(paymentRecord(organisationId, id, fields)),
  balancePayment(organisationId: number, id: number, fields: Partial<BalancePayment>): RecordItem {
    const data = { ...exampleOf(BalancePayment), id, ...fields };
    const list = declaredList(balancePayments, "ofEvent", organisationId, data.event_id);
    const place = {
      ...keys.balance_payment(organisationId, id),
      ...listKey(list, instantSortKey(data.date_created, id)),
    };
    return { ...place, ...data, record_version: undefined, content_hash: JSON.stringify(data) };
  },
  category: (organisationId: number, id: number, fields: { event_id: number } & Partial<TicketCategory>) => {
    const { event_id, ...others } = fields;
    return recordItem(categoryRecord(organisationId, event_id, id, others));
  },
};
