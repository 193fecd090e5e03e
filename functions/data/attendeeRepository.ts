import { Attendee } from "../resources/attendee.ts";
import { keys } from "./keys.ts";
import { getRow } from "./read.ts";
import type { Table } from "./table.ts";

/** One organisation's attendees, by id. */
export function attendeeRepository(organisationId: number, table: Table) {
  return { get: (id: number) => getRow(table, Attendee, keys.attendee(organisationId, id), "attendee") };
}
