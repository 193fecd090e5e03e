import { BalancePayment } from "../../resources/balancePayment.ts";
import { lists } from "../table/keys.ts";
import type { Table } from "../table/table.ts";
import { childLists } from "./rows.ts";

/** The balance payments of one organisation. Recording them is `balanceRepository`'s, so that functions that read hold no writes. */
export function balancePaymentRepository(organisationId: number, table: Table) {
  const childList = childLists(organisationId, table, BalancePayment);
  return { listOfEvent: childList(lists.eventBalancePayments, "event") };
}
