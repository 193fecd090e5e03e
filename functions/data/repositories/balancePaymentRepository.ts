import { BalancePayment } from "../../resources/balancePayment.ts";
import { lists } from "../table/keys.ts";
import { childLists } from "../table/rows.ts";
import type { Table } from "../table/table.ts";

/** The balance payments of one organisation. `balanceRepository` records them, so functions that only read contain no code for writes. */
export function balancePaymentRepository(organisationId: number, table: Table) {
  const childList = childLists(organisationId, table, BalancePayment);
  return { listOfEvent: childList(lists.eventBalancePayments, "event") };
}
