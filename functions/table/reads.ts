import { setTimeout as wait } from "node:timers/promises";
import { type Item, isTombstone } from "./item.ts";
import type { ItemKey } from "./itemKeys.ts";
import { type List, listAttributes, listKey } from "./lists.ts";
import { pauseMs } from "./retries.ts";
import { callTable, type Table } from "./table.ts";
import { Unavailable } from "./tableErrors.ts";

/** False for a tombstone. The read is eventually consistent: it costs half a unit for up to 4 KB and may not see the last second's writes. */
export async function itemExists(table: Table, key: ItemKey): Promise<boolean> {
  const { PK, SK } = key;
  const input = { TableName: table.name(), Key: { PK, SK }, ProjectionExpression: "PK, deleted" };
  const { Item } = await callTable(table, "GetItem", input);
  return Item !== undefined && !isTombstone(Item);
}

/** Reads an item consistently. Returns undefined if it does not exist or is a tombstone. */
export async function getItem(table: Table, key: ItemKey): Promise<Item | undefined> {
  const { PK, SK } = key;
  const { Item } = await callTable(table, "GetItem", {
    TableName: table.name(),
    Key: { PK, SK },
    ConsistentRead: true,
  });
  return Item && !isTombstone(Item) ? Item : undefined;
}

/** DynamoDB's limit for one call. */
const maximumBatch = 100;
/** Retries for keys that DynamoDB did not process, each after a longer pause. */
const maximumRetries = 5;
const retryPauseMs = 40;

interface BatchOptions {
  /** True by default. Otherwise a read costs half as much and may not see the last second's writes. */
  isConsistent?: boolean;
  /** The attributes to return, besides the keys. By default all. */
  attributes?: readonly string[];
}

/** Reads items in any order, without missing items and tombstones. The keys must differ. */
export async function getItems(table: Table, keys: ItemKey[], options: BatchOptions = {}): Promise<Item[]> {
  const items = await getStored(table, keys, options);
  return items.filter((item) => !isTombstone(item));
}

/** Reads items and tombstones in any order, without missing ones. The keys must differ. */
export async function getStored(table: Table, keys: ItemKey[], options: BatchOptions = {}): Promise<Item[]> {
  const items: Item[] = [];
  for (let start = 0; start < keys.length; start += maximumBatch) {
    const Keys = keys.slice(start, start + maximumBatch).map(({ PK, SK }) => ({ PK, SK }));
    items.push(...(await getBatch(table, Keys, options)));
  }
  return items;
}

/** @throws Unavailable if items are still missing after all retries. */
async function getBatch(
  table: Table,
  Keys: Item[],
  { isConsistent: ConsistentRead = true, attributes }: BatchOptions,
): Promise<Item[]> {
  const projection = attributes && projectionOf(["PK", "SK", ...attributes]);
  const items: Item[] = [];
  let missing: Item[] = Keys;
  for (let retries = 0; missing.length > 0; retries++) {
    if (retries > maximumRetries) throw new Unavailable(new Error("DynamoDB did not return all items of a batch."));
    if (retries > 0) await wait(pauseMs(retries, retryPauseMs));
    const RequestItems = { [table.name()]: { Keys: missing, ConsistentRead, ...projection } };
    const { Responses, UnprocessedKeys } = await callTable(table, "BatchGetItem", { RequestItems });
    items.push(...(Responses?.[table.name()] ?? []));
    missing = UnprocessedKeys?.[table.name()]?.Keys ?? [];
  }
  return items;
}

interface ListOptions {
  after?: string | undefined;
  attributes?: readonly string[] | undefined;
}

function projectionOf(names: string[]) {
  return {
    ProjectionExpression: names.map((_, index) => `#${index}`).join(),
    ExpressionAttributeNames: Object.fromEntries(names.map((name, index) => [`#${index}`, name])),
  };
}

/**
 * Reads at most `limit` rows of a list after a position. It queries one row more, to know whether more follow. It always makes one call:
 * DynamoDB stops a query at 1 MB, so a page of large rows may have fewer than `limit`. As JSON, 1 MB may become 6 MB, so the rows may still be too
 * many for a response.
 * @param options.after the sort key of the last row already shown.
 * @param options.attributes the attributes to return besides keys; by default all. Fewer bytes take less time, but the same units.
 * @returns the rows in the list's order; the last row's sort key if more follow; the stored bytes that DynamoDB read, rounded up.
 */
export async function listItems(
  table: Table,
  list: List,
  limit: number,
  { after, attributes }: ListOptions = {},
): Promise<{ items: Item[]; lastSortKey: string | undefined; bytes: number }> {
  const { sortKey } = listAttributes(list);
  const condition = keyCondition(list, after);
  const projection = attributes && projectionOf([...new Set(["PK", "SK", sortKey, ...attributes])]);
  const input = {
    TableName: table.name(),
    IndexName: list.index,
    // DynamoDB does not support consistent reads of an index.
    ConsistentRead: list.index === undefined && !list.isEventual,
    ...projection,
    ...condition,
    ExpressionAttributeNames: { ...projection?.ExpressionAttributeNames, ...condition.ExpressionAttributeNames },
    ScanIndexForward: list.direction === "ascending",
    Limit: limit + 1,
    ExclusiveStartKey: after === undefined ? undefined : startKey(list, after),
  };
  const { Items = [], LastEvaluatedKey, ConsumedCapacity } = await callTable(table, "Query", input);
  const bytes = (ConsumedCapacity?.CapacityUnits ?? 0) * (input.ConsistentRead ? bytesOfUnit : 2 * bytesOfUnit);
  const shown = Items.slice(0, limit);
  const hasMore = Items.length > limit || LastEvaluatedKey !== undefined;
  return { items: shown, lastSortKey: hasMore ? shown.at(-1)?.[sortKey] : undefined, bytes };
}

/** DynamoDB allows 50, but returns a statement's pages one after another: three concurrent statements take a third of the time. */
export const maximumPartitions = 17;
/** As JSON: enough for the children of a page's orders, and cheap enough to discard. */
const maximumStatementBytes = 400_000;
/** DynamoDB ends a page after ten rows or 1 MB (https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ql-operators.html). */
const maximumStatementPages = 16;

/**
 * Reads at most {@link maximumPartitions} lists of the same name by one statement, which queries each.
 * @param options.attributes as in {@link listItems}.
 * @returns all rows by their list's partition, in the list's order; undefined if there are too many.
 */
export async function readSmallLists(
  table: Table,
  lists: readonly List[],
  { attributes }: ListOptions,
): Promise<Map<unknown, Item[]> | undefined> {
  const [{ index, direction } = {}] = lists;
  const { partitionKey, sortKey } = listAttributes({ index });
  const names = attributes && [...new Set(["PK", "SK", partitionKey, sortKey, ...attributes])];
  const selected = names?.map((name) => `"${name}"`).join() ?? "*";
  const marks = lists.map(() => "?").join();
  const Statement = `SELECT ${selected} FROM "${table.name()}"."${index}" WHERE "${partitionKey}" IN [${marks}]`;
  const Parameters = lists.map(({ partition }) => partition);
  const items: Item[] = [];
  let bytes = 0;
  let NextToken: string | undefined;
  for (let pages = 0; pages < maximumStatementPages && bytes < maximumStatementBytes; pages++) {
    const output = await callTable(table, "ExecuteStatement", { Statement, Parameters, NextToken });
    items.push(...(output.Items ?? []));
    NextToken = output.NextToken;
    if (NextToken === undefined) {
      const order = direction === "ascending" ? 1 : -1;
      items.sort((one, other) => (String(one[sortKey]) < String(other[sortKey]) ? -order : order));
      return Map.groupBy(items, (item) => item[partitionKey]);
    }
    bytes += Buffer.byteLength(JSON.stringify(output.Items));
  }
  return undefined;
}

/** The bytes that a consistent read gets for one unit; eventually consistent reads cost half. */
const bytesOfUnit = 4 * 1024;

/** More than the rows of most short lists, and few enough for one call. */
const wholeListLimit = 1_000;

/** Every row of a short list, usually in one call. @param options.attributes as in {@link listItems}. */
export async function listAllItems(table: Table, list: List, options?: Omit<ListOptions, "after">): Promise<Item[]> {
  return (await listFirstItems(table, list, Infinity, options)).items;
}

/**
 * The rows of a list up to about this number of stored bytes, and whether more follow.
 * @param options.attributes as in {@link listItems}.
 */
export async function listFirstItems(
  table: Table,
  list: List,
  maximumBytes: number,
  options?: Omit<ListOptions, "after">,
) {
  const all: Item[] = [];
  let bytesRead = 0;
  let after: string | undefined;
  do {
    const { items, lastSortKey, bytes } = await listItems(table, list, wholeListLimit, { ...options, after });
    all.push(...items);
    bytesRead += bytes;
    after = lastSortKey;
  } while (after !== undefined && bytesRead < maximumBytes);
  return { items: all, hasMore: after !== undefined };
}

/** DynamoDB needs only the start key. The condition on the sort key keeps DynamoDB Local from stepping over all earlier rows. */
function keyCondition({ partition, range, direction, ...list }: List, after?: string) {
  const { partitionKey, sortKey } = listAttributes(list);
  const isAscending = direction === "ascending";
  const fromPosition = after === undefined ? "" : ` AND #sortKey ${isAscending ? ">=" : "<="} :after`;
  const condition = range ? " AND #sortKey BETWEEN :from AND :to" : fromPosition;
  const start = after !== undefined && (isAscending ? { ":from": after } : { ":to": after });
  return {
    KeyConditionExpression: `#partition = :partition${condition}`,
    ExpressionAttributeNames: { "#partition": partitionKey, ...(condition && { "#sortKey": sortKey }) },
    ExpressionAttributeValues: {
      ":partition": partition,
      ...(range ? { ":from": range.from, ":to": range.to, ...start } : after !== undefined && { ":after": after }),
    },
  };
}

function startKey(list: List, sortKey: string): Item {
  return { ...listKey(list, sortKey), ...list.rowKey(sortKey) };
}
