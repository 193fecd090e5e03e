/** How an event sells. */
export interface Sales {
  /** Its name in the programme. */
  event: string;
  orders: number;
  /** Booking fee for each ticket that is bought on the web and not free, in pence. */
  fee?: number;
  /** Added to what the tickets cost; 0 where prices include it. */
  taxPercent?: number;
  /** For how many of the tickets somebody is named, from 0 to 1. */
  named?: number;
  /** What those are asked. */
  questions?: string[];
  discounts?: DiscountPlan[];
}

/** Takes off either a percentage or an amount in pence. */
export interface DiscountPlan {
  name: string | null;
  code: string | null;
  percent?: number;
  amount?: number;
  /** The ticket categories that it is for, by their place in the event's plan; all where left out. */
  categories?: number[];
  /** The dates that it is for, by their place, both from 0; all where left out. */
  dates?: number[];
  /** The first and last day on sale on which it holds, from 0; always where left out. */
  days?: [from: number, to: number];
  usageLimit?: number;
  minimumPerOrder?: number;
}

const earlyBirds: DiscountPlan = { name: "Early birds", code: null, percent: 10, days: [0, 25] };
const groups: DiscountPlan = { name: "Groups of four or more", code: null, percent: 15, minimumPerOrder: 4 };
const press: DiscountPlan = { name: null, code: "PRESS", percent: 100, usageLimit: 5 };
const friends = (amount: number): DiscountPlan => ({ name: "Friends", code: "FRIEND", amount, categories: [0] });

const festivalQuestions = ["Which day do you arrive?", "Do you need a place on the viewing platform?"];
const courseQuestions = ["Have you done this before?", "Is there anything that we should know about?"];

/** The arts centre: a festival that is over and a play that is on with hundreds of orders, one to come, and some with a few. */
export const riversideSales: Sales[] = [
  {
    event: "Tide Lines Festival 2026",
    orders: 200,
    fee: 150,
    named: 0.4,
    questions: festivalQuestions,
    discounts: [earlyBirds, { name: "Neighbours", code: "NINEELMS", amount: 700, usageLimit: 15 }, press],
  },
  {
    event: "Little Wolves",
    orders: 200,
    fee: 120,
    discounts: [groups, { ...friends(500), name: "Friends of the centre" }, press],
  },
  { event: "The Cherry Orchard", orders: 60, fee: 120, discounts: [earlyBirds, friends(600), groups] },
  { event: "Ghosts on Tour", orders: 30, fee: 100, discounts: [{ ...friends(400), dates: [1, 2] }] },
  { event: "Les Revenants", orders: 9, discounts: [{ name: "Tarif réduit", code: "ÉTUDIANT", percent: 50 }] },
  { event: "Ink & Iron: A Printmaking Course", orders: 9, named: 1, questions: courseQuestions },
  { event: "Carols on the Terrace", orders: 9, named: 0.3 },
];

/** The festival: a marathon that is over and a concert to come with hundreds of orders, an exhibition that is on, and some with a few. */
export const northernLightsSales: Sales[] = [
  {
    event: "Midnight Sun Marathon 2026",
    orders: 200,
    fee: 900,
    named: 0.2,
    questions: ["Do you follow a runner? Which number?"],
    discounts: [earlyBirds, { name: "Tromsø residents", code: "NORDLYS", amount: 10_000, usageLimit: 20 }],
  },
  {
    event: "Under the Ice: Sound and Light",
    orders: 60,
    fee: 300,
    discounts: [{ name: "Second visit", code: "IGJEN", percent: 25, days: [60, 300] }, press],
  },
  { event: "Lucia Concert 2026", orders: 200, fee: 1_200, discounts: [earlyBirds, { ...friends(5_000), dates: [0] }] },
  { event: "Harvest of Sounds", orders: 9, fee: 800, named: 1, questions: festivalQuestions },
  { event: "How to Photograph the Aurora", orders: 9, named: 1, questions: courseQuestions },
  { event: "Peer Gynt", orders: 9, taxPercent: 8.875, discounts: [friends(1_000)] },
  { event: "Fringe: The Last Lighthouse", orders: 9, fee: 80, discounts: [{ ...press, usageLimit: 1 }] },
  { event: "New Year's Swim", orders: 9, named: 0.8, questions: ["Can you swim?"] },
];
