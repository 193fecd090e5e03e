import type * as z from "zod";
import type { PageQuery } from "../http/page.ts";
import { Attendee } from "../resources/attendee.ts";
import { EventDate } from "../resources/eventDate.ts";
import { Ticket } from "../resources/ticket.ts";
import { keys, type List, lists } from "./keys.ts";
import { StoredOrder } from "./orderItem.ts";
import { getRow, listRows, ofExistingParent } from "./read.ts";
import type { Table } from "./table.ts";

/** One organisation's event dates and what hangs on them. */
export function dateRepository(organisationId: number, table: Table) {
  const get = (id: number) => getRow(table, EventDate, keys.eventDate(organisationId, id), "date");

  const children =
    <Schema extends z.ZodType>(schema: Schema, list: (organisationId: number, dateId: number) => List) =>
    async (id: number, page: PageQuery) =>
      ofExistingParent(await listRows(table, schema, list(organisationId, id), page), () => get(id));

  return {
    get,
    listOrders: children(StoredOrder, lists.dateOrders),
    listTickets: children(Ticket, lists.dateTickets),
    listAttendees: children(Attendee, lists.dateAttendees),
  };
}
