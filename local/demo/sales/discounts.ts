import type { Discount } from "../../../functions/resources/discount.ts";
import { instantMs } from "../../../functions/resources/instant.ts";
import type { TicketCategory } from "../../../functions/resources/ticketCategory.ts";
import type { Chance } from "./chance.ts";
import type { DiscountPlan } from "./sales.ts";
import type { Show } from "./show.ts";
import { instantText, msPerDay, nowMs } from "./time.ts";

/** Of those who could, so many enter a code. */
const codeShare = 0.15;

/** A discount that nobody has used yet. */
export function discountOf(plan: DiscountPlan, { event, dates, categories, opensMs }: Show, id: number): Discount {
  const [from, to] = plan.days ?? [];
  return {
    id,
    event_id: event.id,
    name: plan.name,
    code: plan.code,
    type: plan.percent === undefined ? "amount" : "percent",
    percent: plan.percent ?? null,
    amount: plan.amount ?? null,
    ticket_category_ids: categories
      .filter((_, index) => plan.categories?.includes(index))
      .map((category) => category.id),
    date_ids: dates.filter((_, index) => plan.dates?.includes(index)).map((date) => date.id),
    start_date: from === undefined ? null : instantText(opensMs + from * msPerDay),
    end_date: to === undefined ? null : instantText(opensMs + to * msPerDay),
    usage_limit: plan.usageLimit ?? null,
    times_used: 0,
    minimum_per_order: plan.minimumPerOrder ?? null,
    active: to === undefined || opensMs + to * msPerDay > nowMs,
    // When those without a name were made is not known any more.
    date_created: plan.name === null ? null : instantText(opensMs - 2 * msPerDay),
  };
}

/** What somebody is about to buy. */
export interface Purchase {
  dateId: number;
  createdMs: number;
  tickets: TicketCategory[];
}

/** Uses up the first discount that the purchase gets, if any: one without a code by itself, one with a code where the buyer knows it. */
export function useDiscount(discounts: Discount[], purchase: Purchase, chance: Chance): Discount | undefined {
  const used = discounts.find(
    (candidate) => isFor(candidate, purchase) && (candidate.code === null || chance.happens(codeShare)),
  );
  if (used) {
    used.times_used += 1;
    used.active &&= used.times_used !== used.usage_limit;
  }
  return used;
}

/** What a ticket costs with a discount, in pence. */
export function discountedPrice({ id, price }: TicketCategory, used: Discount | undefined): number {
  if (!used || !isForCategory(used, id)) return price;
  const off = used.amount ?? Math.round((price * (used.percent ?? 0)) / 100);
  return Math.max(price - off, 0);
}

function isFor(candidate: Discount, { dateId, createdMs, tickets }: Purchase): boolean {
  const { start_date, end_date, usage_limit, minimum_per_order, date_ids } = candidate;
  return (
    (start_date === null || instantMs(start_date) <= createdMs) &&
    (end_date === null || createdMs <= instantMs(end_date)) &&
    (usage_limit === null || candidate.times_used < usage_limit) &&
    tickets.length >= (minimum_per_order ?? 0) &&
    (date_ids.length === 0 || date_ids.includes(dateId)) &&
    tickets.some(({ id, price }) => price > 0 && isForCategory(candidate, id))
  );
}

function isForCategory({ ticket_category_ids }: Discount, categoryId: number): boolean {
  return ticket_category_ids.length === 0 || ticket_category_ids.includes(categoryId);
}
