import type { Item } from "../table/item.ts";
import { type ItemKey, keys } from "../table/keys.ts";
import { getItems } from "../table/reads.ts";
import type { Table } from "../table/table.ts";
import { type Context, Contribution, type Count, ordersOf, SummaryGeneration, summariesOf } from "./contribution.ts";
import { type Counted, countedOf } from "./summaryShares.ts";

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

/**
 * Reads what the counts of changes need, except those that were counted before.
 *
 * It reads contributions before their items. If another consumer counts an item after the first read, the write of this count fails; if before,
 * the contribution already includes it.
 */
export async function readCounts(
  table: Table,
  changes: Change[],
): Promise<{ counts: Count[]; context: Context; unreadable: Failure[] }> {
  const contributions = await readContributions(
    table,
    changes.map(({ key }) => key.PK),
  );
  const isSeen = ({ key, sequenceNumbers }: Change) => {
    const counted = Contribution.safeParse(contributions.get(key.PK)).data?.sequence_numbers ?? [];
    return sequenceNumbers.length > 0 && sequenceNumbers.every((number) => counted.includes(number));
  };
  const unseen = changes.filter((change) => !isSeen(change));
  const items = await readItems(
    table,
    unseen.map(({ key }) => key),
  );
  const read: Count[] = [];
  const unreadable: Failure[] = [];
  for (const { key, sequenceNumbers } of unseen) {
    try {
      const before = Contribution.optional().parse(contributions.get(key.PK));
      read.push({ key, sequenceNumbers, before, counted: countedOf(key, items.get(key.PK)) });
    } catch (error) {
      unreadable.push({ key, error });
    }
  }
  const { orders, errors } = await readOrders(table, read);
  const counts = read.filter((count) => {
    const bad = ordersOf(count).find((order) => errors.has(order));
    if (bad !== undefined) unreadable.push({ key: count.key, error: errors.get(bad) });
    return bad === undefined;
  });
  return { counts, context: { orders, generations: await readGenerations(table, counts, orders) }, unreadable };
}

/**
 * Reads the orders of counts that are not among the counts.
 * @returns them with the counts, and the errors of those that have no valid contribution.
 */
async function readOrders(table: Table, counts: Count[]) {
  const orders = new Map(counts.map((count) => [count.key.PK, count]));
  const others = [...new Set(counts.flatMap(ordersOf))].filter((order) => !orders.has(order));
  const contributions = await readContributions(table, others);
  const orderKeys = others.map((PK) => ({ PK, SK: keys.order(1, 1).SK }));
  const items = await readItems(table, orderKeys);
  const errors = new Map<string, unknown>();
  for (const key of orderKeys) {
    const { data: before, error } = Contribution.optional().safeParse(contributions.get(key.PK));
    const sequenceNumbers = before?.sequence_numbers ?? [];
    if (error) errors.set(key.PK, error);
    else orders.set(key.PK, { key, sequenceNumbers, before, counted: orderOf(key, items.get(key.PK)) });
  }
  return { orders, errors };
}

/** What an order counts. One that does not match its key is as unknown to its tickets; only its own change reports it. */
function orderOf(key: ItemKey, item: Item | undefined): Counted {
  try {
    return countedOf(key, item);
  } catch {
    return countedOf(key, undefined);
  }
}

async function readGenerations(
  table: Table,
  counts: Count[],
  orders: Context["orders"],
): Promise<Context["generations"]> {
  const summaries = new Map(counts.flatMap((count) => summariesOf(count, orders)).map((key) => [key.PK, key]));
  const items = await getItems(table, [...summaries.values()]);
  return new Map(items.map((item) => SummaryGeneration.parse(item)).map(({ PK, generation }) => [PK, generation]));
}

function readContributions(table: Table, partitions: string[]): Promise<Map<unknown, Item>> {
  return readItems(table, partitions.map(keys.contribution));
}

/** Reads items of different partitions. */
async function readItems(table: Table, itemKeys: ItemKey[]): Promise<Map<unknown, Item>> {
  return new Map((await getItems(table, itemKeys)).map((item) => [item.PK, item]));
}
