import type { Order } from "../../../functions/resources/order.ts";
import type { Ticket } from "../../../functions/resources/ticket.ts";
import type { Chance } from "./chance.ts";
import type { Line, Sale } from "./sale.ts";
import type { NewId } from "./saleIds.ts";
import type { SeatOf } from "./seats.ts";
import type { ShowDate } from "./show.ts";
import { instantText, msPerHour, nowMs } from "./time.ts";

/** Of those who may enter, so many come. */
const arrivalShare = 0.9;

/** What tickets are made with. */
export interface TicketOffice {
  seatOf: SeatOf;
  newId: NewId;
  chance: Chance;
}

/** The tickets of a sale's order, which have no attendees yet. */
export function ticketsOf(sale: Sale, order: Order, office: TicketOffice): Ticket[] {
  const { takenBack } = sale.outcome;
  const firstTaken = takenBack?.which === "last" ? sale.lines.length - 1 : 0;
  return sale.lines.map((line, index) => {
    const end = takenBack && index >= firstTaken ? takenBack : undefined;
    const checkedInMs = end ? undefined : arrival(sale.date, office.chance);
    return ticketOf(line, order, office, {
      status: end?.status ?? "valid",
      voidedMs: end?.atMs,
      checkedInMs,
    });
  });
}

/** When the holder comes, where that has happened: around the start, or at some hour of the day. */
function arrival({ startsMs, isDayAlone }: ShowDate, chance: Chance): number | undefined {
  const ms = startsMs + (isDayAlone ? 10 + 6 * chance.fraction() : chance.fraction() - 0.75) * msPerHour;
  return ms < nowMs && startsMs < nowMs && chance.happens(arrivalShare) ? ms : undefined;
}

interface Fate {
  status: Ticket["status"];
  voidedMs: number | undefined;
  checkedInMs: number | undefined;
}

function ticketOf({ category, price }: Line, order: Order, { seatOf, newId }: TicketOffice, fate: Fate): Ticket {
  const id = newId("ticket");
  const changedMs = fate.voidedMs ?? fate.checkedInMs;
  // A ticket that is not paid for has no code yet.
  const isIssued = order.paid_total >= order.total;
  return {
    id,
    order_id: order.id,
    event_id: order.event_id,
    date_id: order.date_id,
    ticket_category_id: category.id,
    attendee_id: null,
    status: fate.status,
    price,
    original_price: category.price,
    discount_id: price < category.price ? order.discount_id : null,
    barcode: isIssued ? `${id}${String(order.id).padStart(7, "0")}` : null,
    seat: seatOf(order.date_id, category),
    checked_in: fate.checkedInMs !== undefined,
    date_checked_in: fate.checkedInMs === undefined ? null : instantText(fate.checkedInMs),
    date_created: order.date_created,
    date_modified: changedMs === undefined ? order.date_modified : instantText(changedMs),
    date_voided: fate.voidedMs === undefined ? null : instantText(fate.voidedMs),
  };
}
