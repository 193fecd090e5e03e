import { randomUUID } from "node:crypto";
import * as z from "zod";
import type { Item } from "../table/item.ts";
import { type ItemKey, keys } from "../table/keys.ts";
import type { TransactWrite } from "../table/writes.ts";
import { addCounters, type Counters, type Share } from "./summaryShares.ts";

const CountedShare = z.object({
  PK: z.string(),
  SK: z.string(),
  /** The summary's generation in which this is counted: in any other, it is not. */
  generation: z.string().optional(),
  counters: z.record(z.string(), z.int()),
});
export type CountedShare = z.infer<typeof CountedShare>;

/** What is counted of an item so far; it stands beside the item. */
export const Contribution = z.object({
  PK: z.string(),
  /** Another one after every write. */
  revision: z.string(),
  /** The numbers of the stream's records that were counted last, all of this item. */
  sequence_numbers: z.array(z.string()),
  shares: z.array(CountedShare),
});
export type Contribution = z.infer<typeof Contribution>;

/**
 * What of a summary is to be known for counting. One that was never made anew has no generation. In one whose generation is damaged nothing
 * can be counted until it is made anew.
 */
export const SummaryGeneration = z.object({ PK: z.string(), generation: z.string().optional().catch("damaged") });

/** An item that is to be counted: what is counted of it, and what it says now. */
export interface Count {
  key: ItemKey;
  sequenceNumbers: string[];
  before: Contribution | undefined;
  shares: Share[];
}

/** The generations of summaries, by partition key. */
export type Generations = ReadonlyMap<string, string | undefined>;

/** The summaries that a count may change. */
export function summariesOf({ before, shares }: Count): ItemKey[] {
  return [...(before?.shares ?? []), ...shares].map(({ PK, SK }) => ({ PK, SK }));
}

/** The writes that count items, to be done in one transaction. No two counts may be of one item. */
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

/** The item that says what is counted of another, by that one's partition key. */
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
  const entries = Object.entries(counters);
  const additions = entries.map((_entry, index) => `#counter${index} :counter${index}`).join(", ");
  const change = {
    condition: generation === undefined ? "attribute_not_exists(generation)" : "generation = :generation",
    update: `SET date_generated = :now ADD ${additions}`,
    names: Object.fromEntries(entries.map(([name], index) => [`#counter${index}`, name])),
    values: {
      ...Object.fromEntries(entries.map(([, value], index) => [`:counter${index}`, value])),
      ":now": now.toISOString(),
      ":generation": generation,
    },
  };
  return { key, change };
}

function inGeneration(shares: Share[], generations: Generations): CountedShare[] {
  return shares.map(({ PK, SK, counters }) => ({ PK, SK, generation: generations.get(PK), counters }));
}
