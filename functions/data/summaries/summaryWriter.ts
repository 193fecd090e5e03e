import { randomUUID } from "node:crypto";
import { ConditionFailed } from "../table/errors.ts";
import { type ItemKey, keys } from "../table/keys.ts";
import { getItems } from "../table/reads.ts";
import type { Table } from "../table/table.ts";
import { putItem, transactWrite } from "../table/writes.ts";
import {
  Contribution,
  type Count,
  contributionItem,
  type Generations,
  SummaryGeneration,
  summariesOf,
  writesOf,
} from "./contribution.ts";
import { sharesOf } from "./summaryShares.ts";

/** An item that changed, or may have. */
export interface Change {
  key: ItemKey;
  /** The numbers of the stream's records that say so; where there are none, the item is counted in any case. */
  sequenceNumbers: string[];
}

/** An item that could not be counted, and why. */
export interface Failure {
  key: ItemKey;
  error: unknown;
}

/** DynamoDB's limit of one transaction. */
const maximumWrites = 100;
/** Whoever loses a race has lost it to one who counted the item. So many in a row mean that something is wrong. */
const maximumTries = 10;

/**
 * Brings the summaries in line with what these items say now, no two of which may be the same. An item that cannot be counted does not
 * keep the others from it. docs/decisions/0009-summaries.md tells why this is right whatever runs at the same time.
 *
 * @returns the items that were not counted.
 * @throws Problem `service_unavailable` where the items could not be read.
 */
export async function countItems(table: Table, changes: Change[]): Promise<Failure[]> {
  const failures: Failure[] = [];
  let left = changes;
  for (let tries = 0; left.length > 0; tries++) {
    const { counts, unreadable } = await readCounts(table, left);
    const generations = await readGenerations(table, counts);
    const failed = await writeCounts(table, counts, generations);
    const isLost = ({ error }: Failure) => error instanceof ConditionFailed && tries < maximumTries;
    const lost = new Set(failed.filter(isLost).map(({ key }) => key));
    failures.push(...unreadable, ...failed.filter((failure) => !isLost(failure)));
    left = left.filter(({ key }) => lost.has(key));
  }
  return failures;
}

/** Makes a summary anew, at 0. What is counted in it so far is not counted any more: all its items are to be counted again. */
export async function resetSummary(table: Table, { PK, SK }: ItemKey): Promise<void> {
  await putItem(table, { PK, SK, generation: randomUUID(), date_generated: new Date().toISOString() });
}

/** Forgets what is counted of an item. Only right where every summary that it could be counted in has been made anew since. */
export async function resetContribution(table: Table, itemPartition: string): Promise<void> {
  await putItem(table, contributionItem(itemPartition, [], []));
}

/**
 * Reads what is counted of the items, and only then the items: whoever counts later than the first read makes the write of this one
 * fail, whoever counted earlier is known.
 */
async function readCounts(table: Table, changes: Change[]) {
  const contributionKeys = changes.map(({ key }) => keys.contribution(key.PK));
  const contributions = byPartition(await getItems(table, contributionKeys));
  const seen = ({ key, sequenceNumbers }: Change) => {
    const counted = Contribution.safeParse(contributions.get(key.PK)).data?.sequence_numbers ?? [];
    return sequenceNumbers.length > 0 && sequenceNumbers.every((number) => counted.includes(number));
  };
  const unseen = changes.filter((change) => !seen(change));
  const itemKeys = unseen.map(({ key }) => key);
  const items = byPartition(await getItems(table, itemKeys));
  const counts: Count[] = [];
  const unreadable: Failure[] = [];
  for (const { key, sequenceNumbers } of unseen) {
    try {
      const before = Contribution.optional().parse(contributions.get(key.PK));
      counts.push({ key, sequenceNumbers, before, shares: sharesOf(key, items.get(key.PK)) });
    } catch (error) {
      unreadable.push({ key, error });
    }
  }
  return { counts, unreadable };
}

async function readGenerations(table: Table, counts: Count[]): Promise<Generations> {
  const summaries = new Map(counts.flatMap(summariesOf).map((key) => [key.PK, key]));
  const items = await getItems(table, [...summaries.values()]);
  return new Map(items.map((item) => SummaryGeneration.parse(item)).map(({ PK, generation }) => [PK, generation]));
}

/** Writes the counts of each event one transaction after another, since two at once would get in each other's way. */
async function writeCounts(table: Table, counts: Count[], generations: Generations): Promise<Failure[]> {
  const events = Map.groupBy(counts, (count) => summariesOf(count)[0]?.PK);
  const writeEvent = async (ofEvent: Count[]) => {
    const failures: Failure[] = [];
    for (const counted of transactionsOf(ofEvent)) {
      try {
        await transactWrite(table, writesOf(counted, generations, new Date()));
      } catch (error) {
        failures.push(...counted.map(({ key }) => ({ key, error })));
      }
    }
    return failures;
  };
  return (await Promise.all([...events.values()].map(writeEvent))).flat();
}

/** Divides counts so that those of each part, with the summaries that they change, fit into one transaction. */
function transactionsOf(counts: Count[]): Count[][] {
  const parts: Count[][] = [];
  let part: Count[] = [];
  let summaries = new Set<string>();
  for (const count of counts) {
    const own = summariesOf(count).map(({ PK }) => PK);
    const withOwn = new Set([...summaries, ...own]);
    if (part.length + 1 + withOwn.size > maximumWrites) {
      parts.push(part);
      part = [];
      summaries = new Set(own);
    } else summaries = withOwn;
    part.push(count);
  }
  return [...parts, part];
}

function byPartition(items: Record<string, unknown>[]): Map<unknown, Record<string, unknown>> {
  return new Map(items.map((item) => [item.PK, item]));
}
