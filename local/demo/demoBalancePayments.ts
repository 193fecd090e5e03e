import { BalancePayment, balancePayments } from "../../functions/resources/balancePayment.ts";
import { exampleOf } from "../../functions/resources/fields.ts";
import type { Item } from "../../functions/table/item.ts";
import { type ItemKey, itemKeys } from "../../functions/table/itemKeys.ts";
import { placeOf } from "../../functions/table/lists.ts";

const organisationId = 1;
const latest = exampleOf(BalancePayment);

/** The event's whole balance, oldest first. Records cannot contain balance payments, because only the API makes them. */
const payments: BalancePayment[] = [
  {
    ...latest,
    id: 103544870135831,
    amount: latest.balance_after - latest.amount,
    balance_after: latest.balance_after - latest.amount,
    date: "2025-10-20T13:00:00Z",
    external_reference: "INV-2209",
    date_created: "2025-10-20T14:05:09.310Z",
  },
  latest,
];

/** The demo's balance payments as stored, without change times. No outgoing event announces a restored one. */
export function demoBalancePaymentItems(): (Item & ItemKey)[] {
  return payments.map((payment) => ({
    ...placeOf(balancePayments, organisationId, payment),
    ...payment,
    restored: true,
  }));
}

/** The running total to which the API adds the next balance payment. */
export function demoBalanceItem(): Item & ItemKey {
  const { event_id, balance_after } = latest;
  return { ...itemKeys.balance(organisationId, event_id), balance: balance_after, revision: payments.length };
}
