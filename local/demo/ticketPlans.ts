import type { TicketCategory } from "../../functions/resources/ticketCategory.ts";

interface Plan {
  /** How long one date lasts. */
  durationMinutes: number;
  /** From one date of an event to its next. */
  stepDays: number;
  /** What a date is called, by its place among `count`, from 0. */
  dateName: (index: number, count: number) => string | null;
  categories: CategoryRow[];
}

type CategoryRow = [
  name: string | null,
  description: string | null,
  /** Times the event's standard price. */
  price: number,
  people: number,
  sortIndex: number,
  limit: number | null,
  minimumPerOrder: number | null,
  isHidden?: "hidden",
];

const noName = () => null;
const firstAndLast = (index: number, count: number) =>
  count > 2 ? ({ 0: "First performance", [count - 1]: "Last performance" }[index] ?? null) : null;

/** How the demo sells tickets. Categories share sort indexes or stand before 0 where a back office would have it so. */
const plans = {
  seated: {
    durationMinutes: 150,
    stepDays: 1,
    dateName: firstAndLast,
    categories: [
      ["Stalls", "Rows A to P, closest to the stage.", 1, 1, 0, 10, null],
      ["Circle", null, 0.75, 1, 1, 10, null],
      ["Balcony", "High up; some seats have a restricted view.", 0.4, 1, 1, null, null],
      ["Box for four", "A private box with its own entrance. Sold as a whole.", 4.5, 4, -1, 1, 1],
      ["House seats", null, 0, 1, 99, null, null, "hidden"],
    ],
  },
  standing: {
    durationMinutes: 180,
    stepDays: 1,
    dateName: noName,
    categories: [
      ["Standing", "Doors open an hour before the first band.", 1, 1, 0, 8, null],
      ["Balcony, seated", null, 1.4, 1, 0, 4, null],
      ["Early entry for two", "In before everyone else, with a signed poster.", 3.2, 2, -10, 1, 1],
    ],
  },
  festival: {
    durationMinutes: 720,
    stepDays: 1,
    dateName: (index: number) => `Day ${index + 1}`,
    categories: [
      ["Festival pass", "Every stage, every day.", 2.6, 1, -5, 6, null],
      ["Day ticket", null, 1, 1, 0, 6, null],
      ["Family pass", "Two adults and up to three children under 16.", 6, 5, 1, 2, 1],
      ["Tent for two", "A pitched tent on the festival's own field.", 1.5, 2, 2, null, null],
      ["Crew & artists", null, 0, 1, 100, null, null, "hidden"],
    ],
  },
  museum: {
    durationMinutes: 420,
    stepDays: 7,
    dateName: noName,
    categories: [
      ["Adult", null, 1, 1, 0, 20, null],
      ["Concession", "Students, over 65s and visitors on benefits. Bring proof.", 0.6, 1, 1, 20, null],
      ["Under 16", "Free with an adult.", 0, 1, 2, 5, null],
      ["Family", "Two adults and three children.", 2.2, 5, 3, 2, null],
    ],
  },
  workshop: {
    durationMinutes: 120,
    stepDays: 7,
    dateName: (index: number, count: number) => (count > 1 ? `Session ${index + 1}` : null),
    categories: [
      [null, null, 1, 1, 0, 2, null],
      ["Pair", "Bring a friend.", 1.8, 2, 0, 1, null],
    ],
  },
  sports: {
    durationMinutes: 240,
    stepDays: 1,
    dateName: noName,
    categories: [
      ["Grandstand", "Covered, numbered seats.", 1, 1, 0, 8, null],
      ["Terrace", null, 0.5, 1, 1, 8, null],
      ["School group", "Ten pupils or more, teachers free.", 0.2, 1, 2, 60, 10],
      ["Box of ten", "Hot food and a balcony of one's own.", 14, 10, -1, 1, 1],
    ],
  },
  free: {
    durationMinutes: 90,
    stepDays: 7,
    dateName: noName,
    categories: [["Free entry", "Please book, so that we know how many of you are coming.", 0, 1, 0, 4, 1]],
  },
} satisfies Record<string, Plan>;

export type TicketPlan = keyof typeof plans;

/** How events of a kind are scheduled and sold. */
export function planOf(name: TicketPlan): Plan {
  return plans[name];
}

/** The ticket categories of an event with this standard price in pence, with ids from `firstId` on. */
export function ticketCategories(name: TicketPlan, standardPrice: number, firstId: number): TicketCategory[] {
  return planOf(name).categories.map(
    ([label, description, price, people, sort_index, limit, minimum_per_order, hidden], index) => ({
      id: firstId + index,
      name: label,
      description,
      price: Math.round((price * standardPrice) / 50) * 50,
      people,
      sort_index,
      limit,
      minimum_per_order,
      hidden: hidden !== undefined,
    }),
  );
}
