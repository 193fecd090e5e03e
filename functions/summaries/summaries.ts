import { logger } from "../log/logger.ts";
import { ConditionFailed, Unavailable } from "../table/errors.ts";
import { type Attributes, fromAttributes } from "../table/item.ts";
import type { ItemKey } from "../table/keys.ts";
import type { Table } from "../table/table.ts";
import { type Pause, untilTaken } from "../table/untilTaken.ts";
import type { Change, Failure } from "./countReader.ts";
import { countedOf, countedSortKeys, countsAnything } from "./summaryShares.ts";
import { countItems } from "./summaryWriter.ts";

/** A changed item, whose current content is read from the table, and its content after the change. */
interface ChangedItem {
  key: ItemKey;
  sequenceNumber: string;
  change: "INSERT" | "MODIFY" | "REMOVE";
  after: Attributes | undefined;
}

/**
 * Counts the changed items of a batch.
 * @returns the number of items, and the first record of each that was not counted.
 */
export async function countRecords<Changed extends ChangedItem>(table: Table, records: Changed[], pause: Pause) {
  const byItem = Map.groupBy(
    records.filter((record) => countedSortKeys.includes(record.key.SK) && !createsNothingCounted(record)),
    ({ key }) => key.PK,
  );
  const changes = [...byItem.values()].flatMap(changeOf);
  const failures = await countUntilTaken(table, changes, pause).catch((error: unknown) =>
    // Those that were counted are recognised by their numbers.
    changes.map(({ key }) => ({ key, error })),
  );
  for (const { key, error } of failures) logger.error("An item was not counted.", { key, error });
  const notCounted = failures.flatMap(({ key }) => (byItem.get(key.PK) ?? []).slice(0, 1));
  return { items: byItem.size, notCounted };
}

/**
 * Updates the summaries to the current content of these items, and tries again while the table is unavailable.
 *
 * @returns the items that cannot be counted.
 * @throws GivenUp if the table accepts nothing for too long.
 * @throws AbortError if a pause is interrupted.
 */
export async function countUntilTaken(table: Table, changes: Change[], pause: Pause): Promise<Failure[]> {
  const lasting: Failure[] = [];
  const count = async (left: Change[]) => {
    const failures = await countItems(table, left);
    const isPassing = ({ error }: Failure) => error instanceof Unavailable || error instanceof ConditionFailed;
    lasting.push(...failures.filter((failure) => !isPassing(failure)));
    const passing = new Set(failures.filter(isPassing).map(({ key }) => key));
    return left.filter(({ key }) => passing.has(key));
  };
  await untilTaken(changes, count, pause);
  return lasting;
}

/**
 * Whether a record is of a new item that counts nothing, such as a ticket category that admits one person. It needs no count: the summaries are
 * the same without the item, and a change that makes it count has a record of its own.
 */
function createsNothingCounted({ key, change, after }: ChangedItem): boolean {
  if (change !== "INSERT" || after === undefined) return false;
  try {
    return !countsAnything(countedOf(key, fromAttributes(after)));
  } catch {
    // The count reports the invalid item.
    return false;
  }
}

/** Merges the records of one item. */
function changeOf(records: ChangedItem[]): Change[] {
  const sequenceNumbers = records.map(({ sequenceNumber }) => sequenceNumber);
  return records.slice(0, 1).map(({ key }) => ({ key, sequenceNumbers }));
}
