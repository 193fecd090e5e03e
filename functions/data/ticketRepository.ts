import { Ticket } from "../resources/ticket.ts";
import { keys } from "./keys.ts";
import { getRow } from "./read.ts";
import type { Table } from "./table.ts";

/** One organisation's tickets, by id. */
export function ticketRepository(organisationId: number, table: Table) {
  return { get: (id: number) => getRow(table, Ticket, keys.ticket(organisationId, id), "ticket") };
}
