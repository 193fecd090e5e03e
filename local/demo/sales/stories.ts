import type { Order } from "../../../functions/resources/order.ts";
import type { Payment } from "../../../functions/resources/payment.ts";
import type { Chance } from "./chance.ts";
import { msPerDay, msPerMinute, nowMs } from "./time.ts";

/** Money that goes, or was to go, from a buyer or back to one. A refund pays back the transfer before it. */
export interface Transfer {
  type: Payment["type"];
  status: Payment["status"];
  /** In pence. */
  amount: number;
  createdMs: number;
  completedMs: number | null;
  reason: string | null;
}

/** What becomes of an order. */
export interface Outcome {
  status: Order["status"];
  transfers: Transfer[];
  /** When tickets were taken back, what they are since, and which: all, or the last of several. */
  takenBack?: { atMs: number; status: "void" | "refunded"; which: "all" | "last" };
}

/** What an order costs, in pence. */
export interface Bill {
  total: number;
  feeTotal: number;
  /** Of the last of several tickets; 0 where there is but one. */
  lastPrice: number;
  createdMs: number;
  /** Until when its story goes on: to the show, or to the day on which the demo data is true. */
  endsMs: number;
}

/** What is not paid by then is for others to buy. */
const expiryMs = 30 * msPerMinute;

const refundReasons = ["Illness", "Asked for by the buyer", "Booked twice", "Travel disruption"];

/** Every way in which an order can go. */
const stories = {
  paid: ({ total, createdMs }) => ({ status: "paid", transfers: [payment(total, createdMs)] }),
  retried: ({ total, createdMs }) => ({
    status: "paid",
    transfers: [failed(total, createdMs), payment(total, createdMs + 5 * msPerMinute)],
  }),
  expired: ({ total, createdMs }, chance) => ({
    status: "expired",
    transfers: chance.happens(0.5) ? [failed(total, createdMs)] : [],
    takenBack: { atMs: createdMs + expiryMs, status: "void", which: "all" },
  }),
  refunded: (bill, chance) => paidBack(bill, bill.total, chance, { status: "refunded", tickets: "refunded" }),
  /** The fee is kept. */
  cancelledLate: (bill, chance) =>
    paidBack(bill, bill.total - bill.feeTotal, chance, { status: "cancelled", tickets: "void" }),
  oneTicketRefunded: (bill, chance) =>
    paidBack(bill, bill.lastPrice, chance, { status: "paid", tickets: "refunded", which: "last" }),
  /** An invoice was sent, and nothing has come. */
  awaited: ({ total, createdMs }) => ({ status: "pending", transfers: [open("pending", total, createdMs)] }),
  /** Half has come, the rest has not. */
  deposit: ({ total, createdMs }) => ({
    status: "pending",
    transfers: [payment(half(total), createdMs), open("pending", total - half(total), createdMs)],
  }),
  instalments: ({ total, createdMs, endsMs }, chance) => ({
    status: "paid",
    transfers: [
      payment(half(total), createdMs),
      payment(total - half(total), until(createdMs + msPerMinute, endsMs, chance)),
    ],
  }),
  withdrawn: ({ total, createdMs, endsMs }, chance) => {
    const atMs = until(createdMs, endsMs, chance);
    const transfers: Transfer[] = [{ ...open("cancelled", total, createdMs), completedMs: atMs }];
    return { status: "cancelled", transfers, takenBack: { atMs, status: "void", which: "all" } };
  },
} satisfies Record<string, (bill: Bill, chance: Chance) => Outcome>;

type Story = keyof typeof stories;

/** How often an order goes which way: for nothing, on the web, at the counter, on account, on account of late. */
const likelihood = {
  free: [
    ["paid", 92],
    ["withdrawn", 8],
  ],
  web: [
    ["paid", 80],
    ["retried", 5],
    ["oneTicketRefunded", 5],
    ["refunded", 5],
    ["cancelledLate", 2],
    ["expired", 5],
  ],
  counter: [
    ["paid", 97],
    ["refunded", 3],
  ],
  account: [
    ["paid", 3],
    ["instalments", 5],
    ["withdrawn", 2],
  ],
  recent: [
    ["awaited", 1],
    ["deposit", 1],
  ],
} satisfies Record<string, [Story, number][]>;

/** How long an account may be open. */
const accountDays = 28;

/** What becomes of an order that is placed in this way. */
export function outcomeOf(bill: Bill, way: "web" | "counter" | "account", chance: Chance): Outcome {
  const isOpen = bill.createdMs > nowMs - accountDays * msPerDay && bill.endsMs === nowMs;
  const kind = bill.total === 0 ? "free" : way === "account" && isOpen ? "recent" : way;
  const likely: [Story, number][] = likelihood[kind];
  const [story] = chance.pickWeighted(
    likely.filter(([name]) => name !== "oneTicketRefunded" || bill.lastPrice > 0),
    ([, weight]) => weight,
  );
  const outcome: Outcome = stories[story](bill, chance);
  return { ...outcome, transfers: outcome.transfers.filter(({ amount }) => amount > 0) };
}

interface PaidBack {
  /** What the order and those of its tickets are since. */
  status: "paid" | "cancelled" | "refunded";
  tickets: "void" | "refunded";
  which?: "all" | "last";
}

function paidBack(bill: Bill, amount: number, chance: Chance, { status, tickets, which = "all" }: PaidBack): Outcome {
  const paid = payment(bill.total, bill.createdMs);
  const atMs = until(bill.createdMs + 5 * msPerMinute, bill.endsMs, chance);
  const refund = { ...payment(amount, atMs), type: "refund" as const, reason: chance.pick(refundReasons) };
  return { status, transfers: [paid, refund], takenBack: { atMs, status: tickets, which } };
}

function payment(amount: number, createdMs: number): Transfer {
  const completedMs = createdMs + 2 * msPerMinute;
  return { type: "payment", status: "confirmed", amount, createdMs, completedMs, reason: null };
}

function failed(amount: number, createdMs: number): Transfer {
  return { ...payment(amount, createdMs), status: "failed", reason: "Declined by the bank" };
}

function open(status: "pending" | "cancelled", amount: number, createdMs: number): Transfer {
  return { ...payment(amount, createdMs), status, completedMs: null };
}

function half(amount: number): number {
  return Math.floor(amount / 2);
}

/** Some time from then on, within some weeks and before the end. */
function until(fromMs: number, endsMs: number, chance: Chance): number {
  const lastMs = Math.min(fromMs + accountDays * msPerDay, endsMs - 5 * msPerMinute);
  return fromMs + Math.floor(chance.fraction() * (lastMs - fromMs));
}
