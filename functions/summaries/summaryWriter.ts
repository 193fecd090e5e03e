import { randomBytes } from "node:crypto";
import { ConditionFailed, isTransactionConflict } from "../table/errors.ts";
import type { ItemKey } from "../table/keys.ts";
import { Pace } from "../table/pace.ts";
import type { Table } from "../table/table.ts";
import { putItem, transactWrite } from "../table/writes.ts";
import {
  type Context,
  type Count,
  contributionItem,
  maximumWrites,
  ordersOf,
  type Plan,
  planOf,
  summariesOf,
} from "./contribution.ts";
import { type Change, type Failure, readCounts } from "./countReader.ts";

/** Losing a race means that another consumer counted the item, so more losses in a row are a fault. */
const maximumRetries = 10;

/**
 * Updates the summaries to the current content of these items, which must be different items. An item that cannot be counted does not stop the
 * others. docs/decisions/0009-summaries.md explains why concurrent calls are safe.
 *
 * @returns the items that were not counted.
 * @throws Unavailable if the items cannot be read.
 */
export async function countItems(table: Table, changes: Change[]): Promise<Failure[]> {
  const failures: Failure[] = [];
  let left = changes;
  for (let retries = 0; left.length > 0; ) {
    const { counts, context, unreadable } = await readCounts(table, left);
    const { failed, unfinished } = await writeCounts(table, counts, context);
    const isLost = ({ error }: Failure) =>
      (error instanceof ConditionFailed || isTransactionConflict(error)) && retries < maximumRetries;
    const lost = failed.filter(isLost);
    failures.push(...unreadable, ...failed.filter((failure) => !isLost(failure)));
    const again = new Set([...lost, ...unfinished].map(({ key }) => key));
    left = left.filter(({ key }) => again.has(key));
    retries = lost.length > 0 ? retries + 1 : 0;
  }
  return failures;
}

/** For a generation. Short, because every share contains one. */
const randomName = () => randomBytes(6).toString("base64url");

/** Resets a summary to 0 in a new generation. Earlier contributions no longer count in it, so all its items must be counted again. */
export async function resetSummary(table: Table, { PK, SK }: ItemKey): Promise<void> {
  await putItem(table, { PK, SK, generation: randomName(), date_generated: new Date().toISOString() });
}

/** Clears an item's contribution. Only safe after every summary that may count it was reset. */
export async function resetContribution(table: Table, itemPartition: string): Promise<void> {
  await putItem(table, contributionItem(itemPartition, { sequence_numbers: [], shares: [] }));
}

interface Outcome {
  failed: Failure[];
  /** To be counted again, from what is stored then. */
  unfinished: Count[];
}

async function writeCounts(table: Table, counts: Count[], context: Context): Promise<Outcome> {
  const outcomes = await Promise.all(groupsOf(counts, context).map((group) => writeGroup(table, group, context)));
  return {
    failed: outcomes.flatMap(({ failed }) => failed),
    unfinished: outcomes.flatMap(({ unfinished }) => unfinished),
  };
}

interface Group {
  partitions: ReadonlySet<string>;
  counts: Count[];
}

/** Groups that change no item in common. Within each, counts of the same order follow each other. */
function groupsOf(counts: Count[], { orders }: Context): Count[][] {
  const byOrder = [...Map.groupBy(counts, firstOrder).values()].flat();
  const groups = byOrder.reduce<Group[]>((all, count) => {
    const own = [...ordersOf(count), ...summariesOf(count, orders).map(({ PK }) => PK)];
    const joined = all.filter(({ partitions }) => own.some((one) => partitions.has(one)));
    const partitions = new Set([...joined.flatMap((group) => [...group.partitions]), ...own]);
    return [
      ...all.filter((group) => !joined.includes(group)),
      { partitions, counts: [...joined.flatMap((group) => group.counts), count] },
    ];
  }, []);
  return groups.map((group) => group.counts);
}

const pace = new Pace();

/**
 * Writes transactions one after another, because they would conflict with each other. Each order is in one of them: after that, what was read of it
 * is out of date.
 */
async function writeGroup(table: Table, group: Count[], context: Context): Promise<Outcome> {
  const outcome: Outcome = { failed: [], unfinished: [] };
  const written = new Set<string>();
  const isCurrent = (count: Count) => !ordersOf(count).some((order) => written.has(order));
  for (let left = group; left.length > 0; ) {
    const { counts, plan } = largestPart(left, context);
    try {
      await pace.run(() => transactWrite(table, plan.writes, 0));
      if (!plan.isComplete) outcome.unfinished.push(...counts);
    } catch (error) {
      outcome.failed.push(...counts.map(({ key }) => ({ key, error })));
    }
    for (const order of counts.flatMap(ordersOf)) written.add(order);
    const others = left.slice(counts.length);
    outcome.unfinished.push(...others.filter((count) => !isCurrent(count)));
    left = others.filter(isCurrent);
  }
  return outcome;
}

interface Part {
  counts: Count[];
  plan: Plan;
}

/** A plan for as many of the counts as fit into one transaction, at least one. It does not divide the counts of an order, if it need not. */
function largestPart(all: Count[], context: Context): Part {
  const first = (size: number): Part => {
    const counts = all.slice(0, size);
    return { counts, plan: planOf(counts, context, new Date()) };
  };
  const fits = ({ plan }: Part) => plan.isComplete && plan.writes.length <= maximumWrites;
  let largest = first(1);
  for (let tooMany = Math.min(all.length, maximumWrites) + 1; tooMany - largest.counts.length > 1; ) {
    const tried = first(Math.floor((largest.counts.length + tooMany) / 2));
    if (fits(tried)) largest = tried;
    else tooMany = tried.counts.length;
  }
  const next = all[largest.counts.length];
  const begun = largest.counts.findIndex(
    (count) => next && firstOrder(next) !== "" && firstOrder(count) === firstOrder(next),
  );
  const undivided = begun > 0 ? first(begun) : largest;
  return fits(undivided) ? undivided : largest;
}

/** The partition of an order of a count, or an empty text. */
function firstOrder(count: Count): string {
  return ordersOf(count)[0] ?? "";
}
