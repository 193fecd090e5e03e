import type { Discount } from "../../../functions/resources/discount.ts";
import type { TicketCategory } from "../../../functions/resources/ticketCategory.ts";
import { basket } from "./basket.ts";
import type { Chance } from "./chance.ts";
import { discountedPrice, useDiscount } from "./discounts.ts";
import { nobody, type Person, somebody } from "./people.ts";
import { chooseDate, type Show, type ShowDate } from "./show.ts";
import { type Outcome, outcomeOf } from "./stories.ts";
import { nowMs } from "./time.ts";

/** A way to buy. Who buys at the counter often gives no name; what is bought on account is typed in by hand. */
interface Channel {
  way: "web" | "counter" | "account";
  source: string | null;
  method: string;
  provider: string | null;
  /** Of a hundred orders. */
  share: number;
}
const channels: Channel[] = [
  { way: "web", source: "web", method: "card", provider: "Tidepay", share: 60 },
  { way: "web", source: "app", method: "wallet", provider: "Tidepay", share: 15 },
  { way: "counter", source: "box office", method: "card", provider: "Tidepay terminal", share: 10 },
  { way: "counter", source: "box office", method: "cash", provider: null, share: 5 },
  { way: "account", source: null, method: "bank transfer", provider: null, share: 10 },
];
/** For what is hidden from buyers. */
const guestList: Channel = { way: "counter", source: "guest list", method: "none", provider: null, share: 0 };

/** A ticket that is bought, with what it costs the buyer in pence. */
export interface Line {
  category: TicketCategory;
  price: number;
}

/** Somebody buys tickets for a date. */
export interface Sale {
  createdMs: number;
  date: ShowDate;
  lines: Line[];
  discount: Discount | undefined;
  amounts: Amounts;
  channel: Channel;
  buyer: Person;
  outcome: Outcome;
}

/** The order's fields of what it costs, in pence. */
type Amounts = Record<"subtotal" | "discount_total" | "fee_total" | "tax_total" | "total", number>;

/** Decides who buys what at a moment, and what becomes of it. */
export function sell(show: Show, discounts: Discount[], createdMs: number, chance: Chance): Sale {
  const date = chooseDate(show, createdMs, chance);
  const tickets = basket(show.categories, chance);
  const isGuest = tickets.some(({ hidden }) => hidden);
  const channel = isGuest ? guestList : chance.pickWeighted(channels, ({ share }) => share);
  const discount = useDiscount(discounts, { dateId: date.id, createdMs, tickets }, chance);
  const lines = tickets.map((category) => ({ category, price: discountedPrice(category, discount) }));
  const amounts = amountsOf(lines, channel.way === "web" ? (show.sales.fee ?? 0) : 0, show.sales.taxPercent ?? 0);
  const bill = {
    total: amounts.total,
    feeTotal: amounts.fee_total,
    lastPrice: lines.slice(1).at(-1)?.price ?? 0,
    createdMs,
    endsMs: Math.min(date.startsMs, nowMs),
  };
  const outcome = outcomeOf(bill, channel.way, chance);
  const buyer = channel.way === "counter" && chance.happens(0.5) ? nobody : somebody(chance);
  return { createdMs, date, lines, discount, amounts, channel, buyer, outcome };
}

function amountsOf(lines: Line[], fee: number, taxPercent: number): Amounts {
  const subtotal = lines.reduce((sum, { category }) => sum + category.price, 0);
  const charged = lines.reduce((sum, { price }) => sum + price, 0);
  const fee_total = fee * lines.filter(({ price }) => price > 0).length;
  const tax_total = Math.round((charged * taxPercent) / 100);
  const discount_total = subtotal - charged;
  return { subtotal, discount_total, fee_total, tax_total, total: charged + fee_total + tax_total };
}
