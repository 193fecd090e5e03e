import { EventDate } from "../../resources/eventDate.ts";
import { keys, lists } from "../table/keys.ts";
import { childLists, getRow } from "../table/rows.ts";
import type { Table } from "../table/table.ts";

/** One organisation's event dates. */
export function dateRepository(organisationId: number, table: Table) {
  const childList = childLists(organisationId, table, EventDate);
  return {
    get: (id: number) => getRow(table, EventDate, keys.eventDate(organisationId, id), "date"),
    listOfEvent: childList(lists.eventDates, "event"),
  };
}
