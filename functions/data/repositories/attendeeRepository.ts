import { Attendee } from "../../resources/attendee.ts";
import { keys, lists } from "../table/keys.ts";
import { childLists, getRow } from "../table/rows.ts";
import type { Table } from "../table/table.ts";

/** One organisation's attendees. */
export function attendeeRepository(organisationId: number, table: Table) {
  const childList = childLists(organisationId, table, Attendee);
  return {
    get: (id: number) => getRow(table, Attendee, keys.attendee(organisationId, id), "attendee"),
    listOfDate: childList(lists.dateAttendees, "date"),
  };
}
