import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import * as z from "zod";
import type { Item } from "../table/item.ts";
import { type ItemKey, keys } from "../table/keys.ts";
import { type TransactWrite, updateOf } from "../table/writes.ts";
import type { Counters } from "./counters.ts";
import { addShares, type Counted, type Share, type Shares, sharesOf, sharesOfOrder } from "./summaryShares.ts";

const StoredShare = z.object({
  PK: z.string(),
  SK: z.string(),
  /** The only generation of the summary in which this share counts. */
  generation: z.string().optional(),
  /** By default those of the share before it: most items count the same for their event and their date. */
  counters: z.record(z.string(), z.int()).optional(),
});
type StoredShare = z.infer<typeof StoredShare>;

interface CountedShare extends Share {
  generation?: string | undefined;
}

const StoredShares = z.array(StoredShare).transform((shares) => {
  let last: Counters = {};
  return shares.map(({ counters = last, ...share }): CountedShare => {
    last = counters;
    return { ...share, counters };
  });
});

/** What was counted of an item last. It is stored beside the item. */
export const Contribution = z.object({
  PK: z.string(),
  /** Every write changes it. */
  revision: z.string(),
  /** The numbers of the item's stream records that were counted last. */
  sequence_numbers: z.array(z.string()),
  /** The item's part of the summaries, or of an order's tally. */
  shares: StoredShares,
  /** The partition of the order in whose tally the shares count, instead of in the summaries. */
  order: z.string().optional(),
  /** Of an order: the sum of the shares of its tickets and payments. */
  tally: StoredShares.optional(),
});
export type Contribution = z.infer<typeof Contribution>;

/**
 * The part of a summary that counting needs. A summary that was never reset has no generation. If the generation is damaged, counting fails
 * until the summary is reset.
 */
export const SummaryGeneration = z.object({ PK: z.string(), generation: z.string().optional().catch("damaged") });

/** An item to count: what was counted of it last, and what it counts now. */
export interface Count {
  key: ItemKey;
  sequenceNumbers: string[];
  before: Contribution | undefined;
  counted: Counted;
}

/** What counts are computed from, besides themselves. */
export interface Context {
  /** The orders of all counts, by partition key. */
  orders: ReadonlyMap<string, Count>;
  /** The generations of summaries, by partition key. */
  generations: ReadonlyMap<string, string | undefined>;
}

/** DynamoDB's limit for one transaction. */
export const maximumWrites = 100;

/** The partitions of the orders in whose tallies an item counts, before and now. An order's is its own. */
export function ordersOf({ before, counted }: Pick<Count, "before" | "counted">): string[] {
  return [...new Set([before?.order, counted.order])].filter((order) => order !== undefined);
}

/** The keys of the summaries that a count may change. */
export function summariesOf(count: Count, orders: Context["orders"]): ItemKey[] {
  const counts = [count, ...ordersOf(count).flatMap((order) => orders.get(order) ?? [])];
  return counts.flatMap(({ before, counted }) => [
    ...(before?.shares ?? []),
    ...(before?.tally ?? []),
    ...counted.summaries,
  ]);
}

/** A transaction that counts items and their orders. */
export interface Plan {
  writes: TransactWrite[];
  /** Whether nothing is left to count. */
  isComplete: boolean;
}

/** What a plan changes. */
interface Changes {
  contributions: Counting[];
  summaries: Shares;
  isComplete: boolean;
}

interface Counting extends Pick<Contribution, "order"> {
  count: Count;
  shares: Share[];
  tally?: Shares;
}

/**
 * Plans one transaction for counts of different items. It may have too many writes. A single count has at most as many as a transaction may
 * have: if its order changes more summaries, some are left.
 */
export function planOf(counts: Count[], context: Context, now: Date): Plan {
  const { contributions, summaries, isComplete } = changesOf(counts, context);
  const { generations } = context;
  const puts = contributions.map((counting) => putContribution(counting, generations, isComplete));
  const updates = [...summaries.values()].map((share) => addToSummary(share, generations.get(share.PK), now));
  return { writes: [...puts, ...updates], isComplete };
}

function changesOf(counts: Count[], { orders, generations }: Context): Changes {
  const current = (shares: CountedShare[] = []) =>
    sumOf(shares.filter((share) => share.generation === generations.get(share.PK)));
  const touched = new Map(
    counts
      .flatMap(ordersOf)
      .flatMap((order) => orders.get(order) ?? [])
      .map((count) => [count.key.PK, { count, tally: current(count.before?.tally) }]),
  );
  const summaries: Shares = new Map();
  const targetOf = (order = "") => touched.get(order)?.tally ?? summaries;
  const contributions: Counting[] = [];
  for (const count of counts.filter(({ key }) => !touched.has(key.PK))) {
    const { before, counted } = count;
    const shares = sharesOf(counted);
    addShares(targetOf(before?.order), current(before?.shares).values(), -1);
    addShares(targetOf(counted.order), shares, 1);
    contributions.push({ count, shares, order: counted.order });
  }
  const room = maximumWrites - contributions.length - touched.size;
  let isComplete = true;
  for (const { count, tally } of touched.values()) {
    const after = sharesOfOrder(count.counted, tally);
    const moved = moveShares(current(count.before?.shares), after, { summaries, room });
    isComplete &&= moved.isComplete;
    contributions.push({ count, shares: moved.shares, tally });
  }
  return { contributions, summaries, isComplete };
}

function sumOf(shares: Share[]): Shares {
  const sum: Shares = new Map();
  addShares(sum, shares, 1);
  return sum;
}

/**
 * Adds an order's differences to the summaries, while there is room for another summary.
 * @returns the shares that are counted then.
 */
function moveShares(before: Shares, after: Shares, { summaries, room }: { summaries: Shares; room: number }) {
  let isComplete = true;
  const shares = [...new Set([...before.keys(), ...after.keys()])].flatMap((PK) => {
    const [old, wanted] = [before, after].map((all) => all.get(PK));
    const difference = sumOf(wanted ? [wanted] : []);
    addShares(difference, old ? [old] : [], -1);
    const isLeft = difference.size > 0 && !summaries.has(PK) && summaries.size >= room;
    isComplete &&= !isLeft;
    if (!isLeft) addShares(summaries, difference.values(), 1);
    return (isLeft ? old : wanted) ?? [];
  });
  return { shares, isComplete };
}

/** The stored form of a contribution of the item in a partition. */
export function contributionItem(
  partition: string,
  fields: Pick<Contribution, "order"> & { sequence_numbers: string[]; shares: StoredShare[]; tally?: StoredShare[] },
): Item & ItemKey {
  return { ...keys.contribution(partition), revision: randomUUID(), ...fields };
}

/** An incomplete count leaves the numbers, so that the next delivery of the records counts the rest. */
function putContribution(
  { count, shares, order, tally }: Counting,
  generations: Context["generations"],
  isComplete: boolean,
): TransactWrite {
  const { key, before, sequenceNumbers } = count;
  const sequence_numbers = isComplete ? sequenceNumbers : (before?.sequence_numbers ?? []);
  const stored = (all: Share[]) => storedShares(all, generations);
  return {
    put: contributionItem(key.PK, {
      sequence_numbers,
      shares: stored(shares),
      order,
      ...(tally && tally.size > 0 && { tally: stored([...tally.values()]) }),
    }),
    condition: before
      ? { condition: "revision = :read", values: { ":read": before.revision } }
      : { condition: "attribute_not_exists(PK)" },
  };
}

function storedShares(shares: Share[], generations: Context["generations"]): StoredShare[] {
  return shares.map(({ PK, SK, counters }, index) => {
    const isRepeated = isDeepStrictEqual(counters, shares[index - 1]?.counters);
    return { PK, SK, generation: generations.get(PK), ...(!isRepeated && { counters }) };
  });
}

function addToSummary({ PK, SK, counters }: Share, generation: string | undefined, now: Date): TransactWrite {
  const isCurrent =
    generation === undefined
      ? { condition: "attribute_not_exists(generation)" }
      : { condition: "generation = :generation", values: { ":generation": generation } };
  const change = updateOf({ set: { date_generated: now.toISOString() }, add: counters }, isCurrent);
  return { key: { PK, SK }, change };
}
