import { Payment } from "../../resources/payment.ts";
import { keys, lists } from "../table/keys.ts";
import { childLists, getRow } from "../table/rows.ts";
import type { Table } from "../table/table.ts";

/** One organisation's payments. */
export function paymentRepository(organisationId: number, table: Table) {
  const childList = childLists(organisationId, table, Payment);
  return {
    get: (id: number) => getRow(table, Payment, keys.payment(organisationId, id), "payment"),
    listOfEvent: childList(lists.eventPayments, "event"),
    listOfOrder: childList(lists.orderPayments, "order"),
  };
}
