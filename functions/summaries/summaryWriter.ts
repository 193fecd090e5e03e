import { randomUUID } from "node:crypto";
import { ConditionFailed, isTransactionConflict } from "../table/errors.ts";
import { type ItemKey, keys } from "../table/keys.ts";
import { Pace } from "../table/pace.ts";
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

/** An item that may have changed. */
export interface Change {
  key: ItemKey;
  /** The numbers of the item's stream records. If empty, the item is always counted. */
  sequenceNumbers: string[];
}

/** An item that could not be counted. */
export interface Failure {
  key: ItemKey;
  error: unknown;
}

/** DynamoDB's limit for one transaction. */
const maximumWrites = 100;
/** Losing a race means that another consumer counted the item, so more losses in a row are a fault. */
const maximumRetries = 10;

/**
 * Updates the summaries to the current content of these items, which must be different items. An item that cannot be counted does not stop the
 * others. docs/decisions/0009-summaries.md explains why concurrent calls are safe.
 *
 * @returns the items that were not counted.
 * @throws Problem `service_unavailable` if the items cannot be read.
 */
export async function countItems(table: Table, changes: Change[]): Promise<Failure[]> {
  const failures: Failure[] = [];
  let left = changes;
  for (let retries = 0; left.length > 0; retries++) {
    const { counts, unreadable } = await readCounts(table, left);
    const generations = await readGenerations(table, counts);
    const failed = await writeCounts(table, counts, generations);
    const isLost = ({ error }: Failure) =>
      (error instanceof ConditionFailed || isTransactionConflict(error)) && retries < maximumRetries;
    const lost = new Set(failed.filter(isLost).map(({ key }) => key));
    failures.push(...unreadable, ...failed.filter((failure) => !isLost(failure)));
    left = left.filter(({ key }) => lost.has(key));
  }
  return failures;
}

/** Resets a summary to 0 in a new generation. Earlier contributions no longer count in it, so all its items must be counted again. */
export async function resetSummary(table: Table, { PK, SK }: ItemKey): Promise<void> {
  await putItem(table, { PK, SK, generation: randomUUID(), date_generated: new Date().toISOString() });
}

/** Clears an item's contribution. Only safe after every summary that may count it was reset. */
export async function resetContribution(table: Table, itemPartition: string): Promise<void> {
  await putItem(table, contributionItem(itemPartition, [], []));
}

/**
 * Reads the contributions first and the items second. If another consumer counts an item after the first read, the write of this count fails;
 * if before, the contribution already includes it.
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

const pace = new Pace();

/** Writes the transactions of one event one after another, because they would conflict with each other. */
async function writeCounts(table: Table, counts: Count[], generations: Generations): Promise<Failure[]> {
  const events = Map.groupBy(counts, (count) => summariesOf(count)[0]?.PK);
  const writeEvent = async (eventCounts: Count[]) => {
    const failures: Failure[] = [];
    for (const counted of transactionsOf(eventCounts)) {
      try {
        await pace.run(() => transactWrite(table, writesOf(counted, generations, new Date()), 0));
      } catch (error) {
        failures.push(...counted.map(({ key }) => ({ key, error })));
      }
    }
    return failures;
  };
  return (await Promise.all([...events.values()].map(writeEvent))).flat();
}

/** Divides counts into parts that each fit into one transaction, with the summaries that they change. */
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
