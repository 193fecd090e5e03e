import type { Record as InputRecord } from "../../../functions/resources/record.ts";
import { attendeeOf, friend } from "./attendeeOf.ts";
import { chanceFrom } from "./chance.ts";
import { discountOf } from "./discounts.ts";
import { orderOf } from "./orderOf.ts";
import { donationOf, paymentsOf } from "./paymentsOf.ts";
import { sell } from "./sale.ts";
import { type NewId, saleIds } from "./saleIds.ts";
import type { Sales } from "./sales.ts";
import { seatPlan } from "./seats.ts";
import { moment, showOf } from "./show.ts";
import { type TicketOffice, ticketsOf } from "./ticketsOf.ts";

/** So many orders come with a gift. */
const donationShare = 0.015;

/**
 * What was sold for events of an organisation: orders with their tickets, attendees and payments as they came in, then the
 * discounts, which know how often they were used.
 *
 * @param programme the records of the events, their dates and ticket categories.
 */
export function saleRecords(organisationId: number, programme: InputRecord[], sales: Sales[]): InputRecord[] {
  const office = { newId: saleIds(organisationId), chance: chanceFrom(organisationId), seatOf: seatPlan() };
  const shows = sales.map((row) => openShow(row, programme, office.newId));
  const sold = shows
    .flatMap((show) => Array.from({ length: show.sales.orders }, () => ({ show, ms: moment(show, office.chance) })))
    .toSorted((a, b) => a.ms - b.ms)
    .flatMap(({ show, ms }) => orderRecords(show, ms, office));
  const discounts = shows.flatMap((show) => show.discounts.map((data) => ({ type: "discount" as const, data })));
  return [...sold, ...discounts].map((record) => ({ ...record, organisation_id: organisationId }));
}

type OpenShow = ReturnType<typeof openShow>;

function openShow(sales: Sales, programme: InputRecord[], newId: NewId) {
  const show = showOf(sales, programme);
  return { ...show, discounts: (sales.discounts ?? []).map((plan) => discountOf(plan, show, newId("discount"))) };
}

/** An order that is placed at a moment, with everything that belongs to it. */
function orderRecords(show: OpenShow, createdMs: number, office: TicketOffice) {
  const { newId, chance } = office;
  const sale = sell(show, show.discounts, createdMs, chance);
  const order = orderOf(sale, show.event, newId("order"), chance);
  const tickets = ticketsOf(sale, order, office).map((ticket, index) => {
    const isNamed = sale.buyer.last_name !== null && chance.happens(show.sales.named ?? 0);
    if (!isNamed) return { ticket, attendees: [] };
    const person = index === 0 ? sale.buyer : friend(chance);
    const attendee = attendeeOf(ticket, { ...person, id: newId("attendee") }, show.sales.questions ?? [], chance);
    return { ticket: { ...ticket, attendee_id: attendee.id }, attendees: [attendee] };
  });
  const gifts = chance.happens(donationShare) ? [donationOf(order, newId)] : [];
  return [
    { type: "order" as const, data: order },
    ...tickets.map(({ ticket }) => ({ type: "ticket" as const, data: ticket })),
    ...tickets.flatMap(({ attendees }) => attendees.map((data) => ({ type: "attendee" as const, data }))),
    ...[...paymentsOf(sale, order, newId), ...gifts].map((data) => ({ type: "payment" as const, data })),
  ];
}
