import { TicketCategory } from "../resources/ticketCategory.ts";
import { lists } from "./keys.ts";
import { childLists } from "./read.ts";
import type { Table } from "./table.ts";

/** One organisation's ticket categories. */
export function ticketCategoryRepository(organisationId: number, table: Table) {
  const childList = childLists(organisationId, table, TicketCategory);
  return {
    listOfEvent: childList(lists.eventTicketCategories, "event"),
  };
}
