import { BalancePayment } from "../resources/balancePayment.ts";
import { lists } from "./keys.ts";
import { childLists } from "./read.ts";
import type { Table } from "./table.ts";

/** What was recorded from outside against one organisation's events. */
export function balancePaymentRepository(organisationId: number, table: Table) {
  const childList = childLists(organisationId, table, BalancePayment);
  return {
    listOfEvent: childList(lists.eventBalancePayments, "event"),
  };
}
