import type { Event } from "../../../functions/resources/event.ts";
import type { Order } from "../../../functions/resources/order.ts";
import type { Chance } from "./chance.ts";
import type { Sale } from "./sale.ts";
import type { Transfer } from "./stories.ts";
import { instantText } from "./time.ts";

const notes = [
  "Wheelchair place and a seat for a companion, agreed by telephone.",
  "Collects at the box office.",
  "School account, invoice to the bursar.",
  "Wishes to sit with the Dąbrowskas, who booked before.",
  "A birthday: programme signed by the company, please.\nSweets in the interval.",
  "Ringte billettkontoret: får plass ved utgangen.",
];

/** The order that a sale makes. */
export function orderOf(sale: Sale, event: Event, id: number, chance: Chance): Order {
  const { createdMs, discount, outcome, amounts } = sale;
  const { transfers, takenBack, status } = outcome;
  const modifiedMs = Math.max(createdMs, takenBack?.atMs ?? 0, ...transfers.map(({ completedMs }) => completedMs ?? 0));
  const paid_total = confirmed(transfers, "payment");
  // Only a standing order asks for more; what was paid back for a ticket of it is not asked for again.
  const isStanding = status === "paid" || status === "pending";
  return {
    id,
    event_id: event.id,
    date_id: sale.date.id,
    reference: reference(id),
    status,
    date_created: instantText(createdMs),
    date_modified: instantText(modifiedMs),
    date_cancelled: status === "cancelled" && takenBack ? instantText(takenBack.atMs) : null,
    ...sale.buyer,
    ...amounts,
    paid_total,
    refunded_total: confirmed(transfers, "refund"),
    balance: isStanding ? amounts.total - paid_total : 0,
    currency_symbol: event.currency_symbol,
    discount_id: discount?.id ?? null,
    discount_code: discount?.code ?? null,
    payment_method: transfers.length > 0 ? sale.channel.method : null,
    source: sale.channel.source,
    admin_note: chance.happens(0.05) ? chance.pick(notes) : null,
  };
}

function confirmed(transfers: Transfer[], type: Transfer["type"]): number {
  return transfers
    .filter((transfer) => transfer.type === type && transfer.status === "confirmed")
    .reduce((sum, { amount }) => sum + amount, 0);
}

/** Without what looks like something else in print. */
const letters = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ";
const referenceLength = 6;

/** Six characters that say nothing of the order before or after. An odd factor gives every id another. */
function reference(id: number): string {
  const scattered = (id * 700_000_001) % letters.length ** referenceLength;
  return Array.from({ length: referenceLength }, (_, place) =>
    letters.charAt(Math.floor(scattered / letters.length ** place) % letters.length),
  ).join("");
}
