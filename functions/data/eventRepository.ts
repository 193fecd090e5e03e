import type * as z from "zod";
import type { PageQuery } from "../http/page.ts";
import { BalancePayment } from "../resources/balancePayment.ts";
import { Discount } from "../resources/discount.ts";
import { Event } from "../resources/event.ts";
import { EventDate } from "../resources/eventDate.ts";
import { Payment } from "../resources/payment.ts";
import { TicketCategory } from "../resources/ticketCategory.ts";
import { keys, type List, lists } from "./keys.ts";
import { getRow, listRows, ofExistingParent } from "./read.ts";
import type { Table } from "./table.ts";

/** One organisation's events and what hangs on them. */
export function eventRepository(organisationId: number, table: Table) {
  const get = (id: number) => getRow(table, Event, keys.event(organisationId, id), "event");

  const children =
    <Schema extends z.ZodType>(schema: Schema, list: (organisationId: number, eventId: number) => List) =>
    async (id: number, page: PageQuery) =>
      ofExistingParent(await listRows(table, schema, list(organisationId, id), page), () => get(id));

  return {
    get,
    list: (page: PageQuery) => listRows(table, Event, lists.events(organisationId), page),
    listDates: children(EventDate, lists.eventDates),
    listTicketCategories: children(TicketCategory, lists.eventTicketCategories),
    listDiscounts: children(Discount, lists.eventDiscounts),
    listPayments: children(Payment, lists.eventPayments),
    listBalancePayments: children(BalancePayment, lists.eventBalancePayments),
  };
}
