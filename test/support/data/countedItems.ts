import { type RecordItem, recordItem } from "../../../functions/records/recordItem.ts";
import { BalancePayment, balancePayments } from "../../../functions/resources/balancePayment.ts";
import { exampleOf } from "../../../functions/resources/fields.ts";
import type { Order } from "../../../functions/resources/order.ts";
import type { Payment } from "../../../functions/resources/payment.ts";
import type { Ticket } from "../../../functions/resources/ticket.ts";
import type { TicketCategory } from "../../../functions/resources/ticketCategory.ts";
import { declaredList, instantSortKey, keys, listKey } from "../../../functions/table/keys.ts";
import { categoryRecord, orderRecord, paymentRecord, ticketRecord } from "./records.ts";

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
