import { TicketCategory } from "../../resources/ticketCategory.ts";
import { lists } from "../table/keys.ts";
import { childLists } from "../table/rows.ts";
import type { Table } from "../table/table.ts";

/** One organisation's ticket categories. */
export function ticketCategoryRepository(organisationId: number, table: Table) {
  const childList = childLists(organisationId, table, TicketCategory);
  return {
    listOfEvent: childList(lists.eventTicketCategories, "event"),
  };
}
