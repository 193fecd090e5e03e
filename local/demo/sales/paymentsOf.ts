import type { Order } from "../../../functions/resources/order.ts";
import type { Payment } from "../../../functions/resources/payment.ts";
import type { Sale } from "./sale.ts";
import type { NewId } from "./saleIds.ts";
import { instantText } from "./time.ts";

/** The payments and refunds of a sale's order. */
export function paymentsOf({ outcome, channel }: Sale, order: Order, newId: NewId): Payment[] {
  let earlierId: number | null = null;
  return outcome.transfers.map((transfer) => {
    const id = newId("payment");
    const refunded_payment_id = transfer.type === "refund" ? earlierId : null;
    earlierId = id;
    return {
      id,
      order_id: order.id,
      event_id: order.event_id,
      date_id: order.date_id,
      type: transfer.type,
      status: transfer.status,
      amount: transfer.amount,
      // How the money of an invoice comes is known when it comes.
      method: transfer.status === "pending" ? null : channel.method,
      provider: channel.provider,
      external_reference: channel.provider === null ? null : externalReference(id),
      refunded_payment_id,
      reason: transfer.reason,
      date_created: instantText(transfer.createdMs),
      date_completed: transfer.completedMs === null ? null : instantText(transfer.completedMs),
    };
  });
}

/** A gift for the event, made beside an order and no part of it. */
export function donationOf({ event_id, date_created }: Order, newId: NewId): Payment {
  const id = newId("payment");
  return {
    id,
    order_id: null,
    event_id,
    date_id: null,
    type: "payment",
    status: "confirmed",
    amount: 500 * (1 + (id % 10)),
    method: "donation",
    provider: "Tidepay",
    external_reference: externalReference(id),
    refunded_payment_id: null,
    reason: null,
    date_created,
    date_completed: date_created,
  };
}

function externalReference(id: number): string {
  return `tp_${(id * 999_999_937).toString(36)}`;
}
