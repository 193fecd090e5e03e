import { Attendee } from "../resources/attendee.ts";
import { keys, lists } from "./keys.ts";
import { childLists, getRow } from "./read.ts";
import type { Table } from "./table.ts";

/** One organisation's attendees. */
export function attendeeRepository(organisationId: number, table: Table) {
  const childList = childLists(organisationId, table, Attendee);
  return {
    get: (id: number) => getRow(table, Attendee, keys.attendee(organisationId, id), "attendee"),
    listOfDate: childList(lists.dateAttendees, "date"),
  };
}
