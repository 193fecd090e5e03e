import type { TicketCategory } from "../../../functions/resources/ticketCategory.ts";
import type { Chance } from "./chance.ts";

/** What goes into an order: the category of each ticket. */
export function basket(categories: TicketCategory[], chance: Chance): TicketCategory[] {
  const isAllFree = categories.every(({ hidden, price }) => hidden || price === 0);
  const first = chance.pickWeighted(categories, (category) => demand(category, isAllFree));
  const others = categories.filter((category) => category !== first && isForOne(category));
  const second = isForOne(first) && others.length > 0 && chance.happens(0.1) ? [chance.pick(others)] : [];
  return [first, ...second].flatMap((category) => Array<TicketCategory>(quantity(category, chance)).fill(category));
}

/** How many buy a category, compared with the event's others. What is free beside what is not comes with it, never alone. */
function demand(category: TicketCategory, isAllFree: boolean): number {
  if (category.hidden) return 0.3;
  if (category.price === 0 && !isAllFree) return 0;
  return isForOne(category) ? 6 : 1 / Math.sqrt(category.people * (category.minimum_per_order ?? 1));
}

/** Whether a ticket is sold by itself, for one person, to anybody. */
function isForOne({ people, minimum_per_order, hidden }: TicketCategory): boolean {
  return people === 1 && (minimum_per_order ?? 1) === 1 && !hidden;
}

function quantity({ limit, minimum_per_order }: TicketCategory, chance: Chance): number {
  return Math.min((minimum_per_order ?? 1) + chance.pick([0, 0, 0, 0, 0, 0, 1, 3]), limit ?? Number.POSITIVE_INFINITY);
}
