import { setTimeout as wait } from "node:timers/promises";
import { BatchGetItemCommand, GetItemCommand, QueryCommand } from "@aws-sdk/client-dynamodb";
import { serviceUnavailable } from "../../problem.ts";
import { type Attributes, fromAttributes, toAttributes } from "../dynamodb/attributeValue.ts";
import { dynamoDb } from "../dynamodb/client.ts";
import { type Item, isTombstone } from "./item.ts";
import { type ItemKey, type List, listAttributes, listKey } from "./keys.ts";
import { callTable, countUnits, type Table } from "./table.ts";

/** The item with this key as of now; undefined where there is none, or only a tombstone. */
export async function getItem(table: Table, key: ItemKey): Promise<Item | undefined> {
  const input = { TableName: table.name(), Key: toAttributes({ ...key }), ConsistentRead: true, ...countUnits };
  const { Item } = await callTable(table, "GetItem", () => dynamoDb().send(new GetItemCommand(input)));
  const item = Item && fromAttributes(Item);
  return item && !isTombstone(item) ? item : undefined;
}

/** DynamoDB's limit of one call. */
const maximumBatch = 100;
/** What DynamoDB leaves out for being busy is asked for so many times more, each after a longer pause. */
const maximumRetries = 5;
const retryPauseMs = 20;

/** The items with these keys as of now, in no order; those that do not exist, or were deleted, are left out. No key may be named twice. */
export async function getItems(table: Table, keys: ItemKey[]): Promise<Item[]> {
  const items: Item[] = [];
  for (let start = 0; start < keys.length; start += maximumBatch) {
    const Keys = keys.slice(start, start + maximumBatch).map((key) => toAttributes({ ...key }));
    items.push(...(await getBatch(table, Keys)));
  }
  return items.filter((item) => !isTombstone(item));
}

/** @throws Problem `service_unavailable` where DynamoDB goes on leaving items out. */
async function getBatch(table: Table, Keys: Attributes[]): Promise<Item[]> {
  const items: Item[] = [];
  let missing = Keys;
  for (let retries = 0; missing.length > 0; retries++) {
    if (retries > maximumRetries) throw serviceUnavailable(new Error("DynamoDB does not give all items of a batch."));
    if (retries > 0) await wait(Math.random() * retryPauseMs * 2 ** retries);
    const input = { RequestItems: { [table.name()]: { Keys: missing, ConsistentRead: true } }, ...countUnits };
    const { Responses, UnprocessedKeys } = await callTable(table, "BatchGetItem", () =>
      dynamoDb().send(new BatchGetItemCommand(input)),
    );
    items.push(...(Responses?.[table.name()] ?? []).map(fromAttributes));
    missing = UnprocessedKeys?.[table.name()]?.Keys ?? [];
  }
  return items;
}

/**
 * The rows of a list after a position, at most `limit`. Asks for one row more, so that the last page is known to be the last.
 * It is one call always: DynamoDB ends it at 1 MB, which also keeps a response under Lambda's 6 MB, so a page of large
 * rows may hold fewer than the limit.
 *
 * @param after the sort key of the last row already shown.
 * @returns the rows in the list's order, and the last one's sort key where more follow.
 */
export async function listItems(
  table: Table,
  list: List,
  limit: number,
  after?: string,
): Promise<{ items: Item[]; lastSortKey: string | undefined }> {
  const { partitionKey, sortKey } = listAttributes(list);
  const input = {
    TableName: table.name(),
    IndexName: list.index,
    // An index cannot be.
    ConsistentRead: list.index === undefined,
    KeyConditionExpression: "#partition = :partition",
    ExpressionAttributeNames: { "#partition": partitionKey },
    ExpressionAttributeValues: { ":partition": { S: list.partition } },
    ScanIndexForward: list.direction === "ascending",
    Limit: limit + 1,
    ExclusiveStartKey: after === undefined ? undefined : startKey(list, after),
    ...countUnits,
  };
  const { Items = [], LastEvaluatedKey } = await callTable(table, "Query", () =>
    dynamoDb().send(new QueryCommand(input)),
  );
  const shown = Items.slice(0, limit);
  const hasMore = Items.length > limit || LastEvaluatedKey !== undefined;
  return { items: shown.map(fromAttributes), lastSortKey: hasMore ? shown.at(-1)?.[sortKey]?.S : undefined };
}

/** More than an order has tickets, and few enough for one call. */
const wholeListLimit = 1_000;

/** Every row of a list that is short: in one call, unless it is not. */
export async function listAllItems(table: Table, list: List): Promise<Item[]> {
  const all: Item[] = [];
  let after: string | undefined;
  do {
    const { items, lastSortKey } = await listItems(table, list, wholeListLimit, after);
    all.push(...items);
    after = lastSortKey;
  } while (after !== undefined);
  return all;
}

/** A part of a list that ascends: from `since` on, or after a row's sort key where that is later, and before `before`. */
export interface Range {
  since: string;
  after: string | undefined;
  before: string;
}

/**
 * The rows of a part of an ascending list, at most `limit`, each with its sort key.
 * @returns `lastSortKey` where more follow.
 */
export async function listRange(table: Table, list: List, limit: number, { since, after, before }: Range) {
  // No sort key lies between one and the same with one character more.
  const from = after === undefined || after < since ? since : `${after}0`;
  if (from > before) return { items: [], lastSortKey: undefined };
  const names = listAttributes(list);
  const input = {
    TableName: table.name(),
    IndexName: list.index,
    KeyConditionExpression: "#partition = :partition AND #sortKey BETWEEN :from AND :before",
    ExpressionAttributeNames: { "#partition": names.partitionKey, "#sortKey": names.sortKey },
    ExpressionAttributeValues: { ":partition": { S: list.partition }, ":from": { S: from }, ":before": { S: before } },
    Limit: limit + 1,
    ...countUnits,
  };
  const { Items = [], LastEvaluatedKey } = await callTable(table, "Query", () =>
    dynamoDb().send(new QueryCommand(input)),
  );
  const items = Items.slice(0, limit).map((attributes) => ({
    item: fromAttributes(attributes),
    sortKey: attributes[names.sortKey]?.S ?? "",
  }));
  const hasMore = Items.length > limit || LastEvaluatedKey !== undefined;
  return { items, lastSortKey: hasMore ? items.at(-1)?.sortKey : undefined };
}

function startKey(list: List, sortKey: string): Attributes {
  return toAttributes({ ...listKey(list, sortKey), ...list.rowKey(sortKey) });
}
