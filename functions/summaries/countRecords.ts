import { logger } from "../log/logger.ts";
import { CallLimit } from "../table/callLimit.ts";
import { type Attributes, fromAttributes, type Item, isTombstone } from "../table/item.ts";
import { type ItemKey, itemKeys } from "../table/itemKeys.ts";
import { getItems } from "../table/reads.ts";
import { type Pause, retryWhileThrottled } from "../table/retries.ts";
import type { Table } from "../table/table.ts";
import { ConditionFailed, Unavailable } from "../table/tableErrors.ts";
import { transactWrite } from "../table/writes.ts";
import { type CountedItem, countedSortKeys, isKeptAfterDeletion, ownerOf, parseCountedItem } from "./countedItem.ts";
import { type Count, countAgain, firstSummary, transactionsOf, writesOf } from "./lastCounted.ts";

interface ChangedItem {
  key: ItemKey;
  sequenceNumber: string;
  before: Attributes | undefined;
  after: Attributes | undefined;
}

/** An item, with its owners before and after a change. */
interface ItemToCount {
  key: ItemKey;
  owners: string[];
}

export interface CountFailure {
  key: ItemKey;
  error: unknown;
}

/** @returns the number of changed items, and the first record of each that was not counted. */
export async function countRecords<Changed extends ChangedItem>(table: Table, records: Changed[], pause: Pause) {
  const byItem = Map.groupBy(
    records.filter(({ key }) => countedSortKeys.includes(key.SK)),
    ({ key }) => key.PK,
  );
  const items = [...byItem.values()].flatMap(itemToCount);
  const failures = await countItems(table, items, pause).catch((error: unknown) =>
    items.map(({ key }) => ({ key, error })),
  );
  for (const { key, error } of failures) logger.error("An item was not counted.", { key, error });
  const notCounted = failures.flatMap(({ key }) => (byItem.get(key.PK) ?? []).slice(0, 1));
  return { items: byItem.size, notCounted };
}

function itemToCount(records: ChangedItem[]): ItemToCount[] {
  return records.slice(0, 1).map(({ key }) => {
    const images = records.flatMap(({ before, after }) => [before ?? [], after ?? []].flat());
    const owners = images
      .map(fromAttributes)
      .filter((item) => !isTombstone(item))
      .map((item) => ownerOf(key, item));
    return { key, owners: [...new Set(owners)] };
  });
}

/**
 * Updates the summaries to the current content of different items, and retries while the table is unavailable. An item that cannot be counted
 * counts nothing, and does not stop the others.
 *
 * The summaries become exact, however often and in whatever order records arrive. A transaction changes summaries and `lastCounted` by the same
 * delta, so a summary is always the sum of all `lastCounted`. These finally match the stored items: consider the last change of an item, and an
 * owner before or after it. When the change's record is counted, the consumer reads the owner's `lastCounted`, then the item, consistently, and
 * writes the result with a new revision, even if nothing changed. A consumer that read `lastCounted` earlier then fails to write. One that reads
 * it later also reads the item later, so it counts the same content.
 * @returns the items that cannot be counted.
 * @throws GivenUp if the table accepts nothing for too long.
 * @throws AbortError if a pause is interrupted.
 */
export async function countItems(table: Table, items: ItemToCount[], pause: Pause): Promise<CountFailure[]> {
  const lasting = new Map<string, CountFailure>();
  const count = async (left: ItemToCount[]): Promise<ItemToCount[]> => {
    const failures = await countOnce(table, left);
    for (const failure of failures) if (!isPassing(failure.error)) lasting.set(failure.key.PK, failure);
    const failedOf = (isWanted: (error: unknown) => boolean) => {
      const keys = new Set(failures.filter(({ error }) => isWanted(error)).map(({ key }) => key.PK));
      return left.filter(({ key }) => keys.has(key.PK));
    };
    const unfinished = failedOf((error) => error === rowsLeft);
    if (unfinished.length === 0) return failedOf(isPassing);
    const again = failedOf((error) => isPassing(error) && error !== rowsLeft).filter(
      (item) => !unfinished.includes(item),
    );
    return [...again, ...(await count(unfinished))];
  };
  await retryWhileThrottled(items, count, pause);
  return [...lasting.values()];
}

interface OwnerCount extends Count {
  items: ItemToCount[];
}

async function countOnce(table: Table, items: ItemToCount[]): Promise<CountFailure[]> {
  const failures: CountFailure[] = [];
  const byOwner = Map.groupBy(
    items.flatMap((item) => item.owners.map((owner) => ({ owner, item }))),
    ({ owner }) => owner,
  );
  const lastCounted = await readByPartition(table, [...byOwner.keys()].map(itemKeys.lastCounted));
  // Read after lastCounted: see countItems.
  const stored = await readByPartition(
    table,
    items.map(({ key }) => key),
  );
  const countedWith = (owner: string, key: ItemKey): CountedItem | undefined => {
    const item = stored.get(key.PK);
    try {
      return item && ownerOf(key, item) === owner ? parseCountedItem(key, item) : undefined;
    } catch (error) {
      failures.push({ key, error });
      return undefined;
    }
  };
  const counts = [...byOwner].flatMap(([owner, pairs]): OwnerCount[] => {
    const own = pairs.map(({ item }) => item);
    const current = own
      .filter(({ key }) => stored.has(key.PK) || !isKeptAfterDeletion(key))
      .map(({ key }) => ({ key, counted: countedWith(owner, key) }));
    try {
      return [{ items: own, ...countAgain(owner, lastCounted.get(owner), current) }];
    } catch (error) {
      failures.push(...failed(own, error));
      return [];
    }
  });
  const byEvent = Map.groupBy(counts, firstSummary);
  const written = await Promise.all([...byEvent.values()].map((some) => writeInTurn(table, transactionsOf(some))));
  return [...failures, ...written.flat()];
}

async function readByPartition(table: Table, itemKeys: ItemKey[]): Promise<Map<unknown, Item>> {
  return new Map((await getItems(table, itemKeys)).map((item) => [item.PK, item]));
}

const callLimit = new CallLimit();

/** A part was counted, and the next transaction continues. */
const rowsLeft = new Unavailable(new Error("More rows of summaries are left than fit into a transaction."));

/** Writes one after another, because transactions of one event conflict. */
async function writeInTurn(table: Table, transactions: OwnerCount[][]): Promise<CountFailure[]> {
  const failures: CountFailure[] = [];
  for (const counts of transactions) failures.push(...(await write(table, counts)));
  return failures;
}

async function write(table: Table, counts: OwnerCount[]): Promise<CountFailure[]> {
  try {
    await callLimit.run(() => transactWrite(table, writesOf(counts)));
    return counts.flatMap(({ items, isComplete }) => (isComplete ? [] : failed(items, rowsLeft)));
  } catch (error) {
    if (isPassing(error) || counts.length === 1) return counts.flatMap(({ items }) => failed(items, error));
    // A count that DynamoDB refuses must not stop the others.
    const alone = counts.map((count) => [count]);
    return writeInTurn(table, alone);
  }
}

/** True if another try, which reads again, may succeed. */
function isPassing(error: unknown): boolean {
  return error instanceof Unavailable || error instanceof ConditionFailed;
}

function failed(items: ItemToCount[], error: unknown): CountFailure[] {
  return items.map(({ key }) => ({ key, error }));
}
