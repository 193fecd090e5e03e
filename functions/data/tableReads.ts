import { GetItemCommand, QueryCommand } from "@aws-sdk/client-dynamodb";
import { type Attributes, fromAttributes, toAttributes } from "./attributeValue.ts";
import { dynamoDb } from "./client.ts";
import { type ItemKey, idOfSortKey, type List, listKey } from "./keys.ts";
import { callTable, countUnits, type Table } from "./table.ts";

export type Item = Record<string, unknown>;

/** The item with this key as of now, or undefined. */
export async function getItem(table: Table, key: ItemKey): Promise<Item | undefined> {
  const input = { TableName: table.name(), Key: toAttributes({ ...key }), ConsistentRead: true, ...countUnits };
  const { Item } = await callTable(table, "GetItem", () => dynamoDb().send(new GetItemCommand(input)));
  return Item && fromAttributes(Item);
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
  const input = {
    TableName: table.name(),
    IndexName: list.index,
    KeyConditionExpression: "#partition = :partition",
    ExpressionAttributeNames: { "#partition": `${list.index}PK` },
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
  return { items: shown.map(fromAttributes), lastSortKey: hasMore ? shown.at(-1)?.[`${list.index}SK`]?.S : undefined };
}

function startKey(list: List, sortKey: string): Attributes {
  return toAttributes({ ...listKey(list, sortKey), ...list.rowKey(idOfSortKey(sortKey)) });
}
