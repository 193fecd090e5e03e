import type { PageQuery } from "../../resources/page.ts";
import { Ticket } from "../../resources/ticket.ts";
import { keys, lists } from "../table/keys.ts";
import { childLists, getRow, listIndexedRows } from "../table/rows.ts";
import type { Table } from "../table/table.ts";

/** One organisation's tickets. */
export function ticketRepository(organisationId: number, table: Table) {
  const childList = childLists(organisationId, table, Ticket);
  return {
    get: (id: number) => getRow(table, Ticket, keys.ticket(organisationId, id), "ticket"),
    listWithBarcode: (barcode: string, query: PageQuery) =>
      listIndexedRows(table, Ticket, lists.ticketsByBarcode(organisationId, barcode), query),
    listOfDate: childList(lists.dateTickets, "date"),
    listOfOrder: childList(lists.orderTickets, "order"),
  };
}
