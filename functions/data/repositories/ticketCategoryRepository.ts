import { TicketCategory } from "../../resources/ticketCategory.ts";
import { lists } from "../table/keys.ts";
import type { Table } from "../table/table.ts";
import { childLists } from "./rows.ts";

/** One organisation's ticket categories. */
export function ticketCategoryRepository(organisationId: number, table: Table) {
  const childList = childLists(organisationId, table, TicketCategory);
  return {
    listOfEvent: childList(lists.eventTicketCategories, "event"),
  };
}
