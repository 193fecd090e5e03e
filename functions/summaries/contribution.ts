import { randomUUID } from "node:crypto";
import * as z from "zod";
import type { Item } from "../table/attributeValue.ts";
import { type ItemKey, keys } from "../table/keys.ts";
import { type TransactWrite, updateOf } from "../table/writes.ts";
import { addCounters, type Counters, type Share } from "./summaryShares.ts";

const CountedShare = z.object({
  PK: z.string(),
  SK: z.string(),
  /** The only generation of the summary in which this share is counted. */
  generation: z.string().optional(),
  counters: z.record(z.string(), z.int()),
});
type CountedShare = z.infer<typeof CountedShare>;

/** An item's part of the summaries, as counted last. It is stored beside the item. */
export const Contribution = z.object({
  PK: z.string(),
  /** Every write changes it. */
  revision: z.string(),
  /** The numbers of the item's stream records that were counted last. */
  sequence_numbers: z.array(z.string()),
  shares: z.array(CountedShare),
});
export type Contribution = z.infer<typeof Contribution>;

/**
 * The part of a summary that counting needs. A summary that was never reset has no generation. If the generation is damaged, counting fails
 * until the summary is reset.
 */
export const SummaryGeneration = z.object({ PK: z.string(), generation: z.string().optional().catch("damaged") });

/** An item to count: what is counted of it so far, and its current shares. */
export interface Count {
  key: ItemKey;
  sequenceNumbers: string[];
  before: Contribution | undefined;
  shares: Share[];
}

/** The generations of summaries, by partition key. */
export type Generations = ReadonlyMap<string, string | undefined>;

/** The keys of the summaries that a count may change. */
export function summariesOf({ before, shares }: Count): ItemKey[] {
  return [...(before?.shares ?? []), ...shares].map(({ PK, SK }) => ({ PK, SK }));
}

/** The writes that count items, for one transaction. The counts must be of different items. */
export function writesOf(counts: Count[], generations: Generations, now: Date): TransactWrite[] {
  const changes = new Map<string, ItemKey & { counters: Counters }>();
  const add = ({ PK, SK, counters }: Share, factor: 1 | -1) => {
    changes.set(PK, { PK, SK, counters: addCounters(changes.get(PK)?.counters ?? {}, counters, factor) });
  };
  for (const { before, shares } of counts) {
    for (const share of before?.shares ?? []) if (share.generation === generations.get(share.PK)) add(share, -1);
    for (const share of shares) add(share, 1);
  }
  const summaryWrites = [...changes.values()]
    .filter(({ counters }) => Object.keys(counters).length > 0)
    .map(({ PK, SK, counters }) => addToSummary({ PK, SK }, counters, generations.get(PK), now));
  return [...counts.map((count) => putContribution(count, generations)), ...summaryWrites];
}

/** The stored form of a contribution, by the partition key of the counted item. */
export function contributionItem(
  itemPartition: string,
  shares: CountedShare[],
  sequence_numbers: string[],
): Item & ItemKey {
  return { ...keys.contribution(itemPartition), revision: randomUUID(), sequence_numbers, shares };
}

function putContribution({ key, sequenceNumbers, before, shares }: Count, generations: Generations): TransactWrite {
  return {
    put: contributionItem(key.PK, inGeneration(shares, generations), sequenceNumbers),
    condition: before
      ? { condition: "revision = :read", values: { ":read": before.revision } }
      : { condition: "attribute_not_exists(PK)" },
  };
}

function addToSummary(key: ItemKey, counters: Counters, generation: string | undefined, now: Date): TransactWrite {
  const isCurrent =
    generation === undefined
      ? { condition: "attribute_not_exists(generation)" }
      : { condition: "generation = :generation", values: { ":generation": generation } };
  const change = updateOf({ set: { date_generated: now.toISOString() }, add: counters }, isCurrent);
  return { key, change };
}

function inGeneration(shares: Share[], generations: Generations): CountedShare[] {
  return shares.map(({ PK, SK, counters }) => ({ PK, SK, generation: generations.get(PK), counters }));
}
