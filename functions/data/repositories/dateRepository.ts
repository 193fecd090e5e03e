import { type DatesQuery, EventDate } from "../../resources/eventDate.ts";
import { keys, lists, timeSortKey } from "../table/keys.ts";
import { childLists, getRow, listIndexedRows } from "../table/rows.ts";
import type { Table } from "../table/table.ts";

/** One organisation's event dates. */
export function dateRepository(organisationId: number, table: Table) {
  const childList = childLists(organisationId, table, EventDate);
  return {
    get: (id: number) => getRow(table, EventDate, keys.eventDate(organisationId, id), "date"),
    /** One page of the dates that start within `[from, to)`, soonest first. */
    list: ({ from, to, ...page }: DatesQuery) => {
      const range = {
        from: from === undefined ? "0" : timeSortKey(from),
        to: to === undefined ? "~" : timeSortKey(to),
      };
      return listIndexedRows(table, EventDate, lists.dates(organisationId, range), page);
    },
    listOfEvent: childList(lists.eventDates, "event"),
  };
}
