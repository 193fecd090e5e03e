import { setTimeout as wait } from "node:timers/promises";
import type { Item } from "./item.ts";
import type { ItemKey } from "./itemKeys.ts";
import { pauseMs } from "./retries.ts";
import { callTable, type Table } from "./table.ts";
import { ConditionFailed, isTransactionConflict } from "./tableErrors.ts";

/** A condition or an update in DynamoDB's expression language. */
export interface Expression {
  condition?: string;
  update?: string;
  names?: Record<string, string>;
  values?: Record<string, unknown>;
}

/** Changes by attribute name. */
interface Changes {
  set?: Item;
  /** Numbers; a missing attribute counts as 0. */
  add?: Record<string, number>;
  remove?: readonly string[];
}

/** The update that makes these changes if the condition is true. Undefined attributes are not set. */
export function updateOf({ set = {}, add = {}, remove = [] }: Changes, condition: Expression = {}): Expression {
  const sets = Object.entries(set).filter(([, value]) => value !== undefined);
  const written = [...sets, ...Object.entries(add)];
  const attributes = [...written.map(([name]) => name), ...remove];
  const parts = attributes.map((_, index) => {
    if (index < sets.length) return `#${index} = :${index}`;
    return index < written.length ? `#${index} :${index}` : `#${index}`;
  });
  const clause = (keyword: string, of: string[]) => (of.length > 0 ? [`${keyword} ${of.join(", ")}`] : []);
  return {
    ...condition,
    update: [
      ...clause("SET", parts.slice(0, sets.length)),
      ...clause("ADD", parts.slice(sets.length, written.length)),
      ...clause("REMOVE", parts.slice(written.length)),
    ].join(" "),
    names: { ...condition.names, ...Object.fromEntries(attributes.map((name, index) => [`#${index}`, name])) },
    values: { ...condition.values, ...Object.fromEntries(written.map(([, value], index) => [`:${index}`, value])) },
  };
}

export type TransactWrite =
  | { put: Item; condition?: Expression }
  | { key: ItemKey; change: Expression }
  | { delete: ItemKey; condition?: Expression };

/** A write takes milliseconds, so more consecutive conflicts are a fault. */
const maximumConflicts = 5;
const conflictPauseMs = 20;

/** @returns the replaced item with `ALL_OLD`, otherwise nothing. @throws ConditionFailed with the stored item. */
export async function putItem(
  table: Table,
  item: Item,
  condition: Expression = {},
  ReturnValues: "ALL_OLD" | "NONE" = "NONE",
): Promise<Item> {
  const input = {
    TableName: table.name(),
    Item: item,
    ...expression(condition),
    ReturnValues,
    ReturnValuesOnConditionCheckFailure: "ALL_OLD" as const,
  };
  return (await callTable(table, "PutItem", input)).Attributes ?? {};
}

/** @returns the item after the change; before it with `ALL_OLD`; nothing with `NONE`. @throws ConditionFailed with the stored item. */
export async function updateItem(
  table: Table,
  key: ItemKey,
  change: Expression,
  ReturnValues: "ALL_NEW" | "ALL_OLD" | "NONE" = "ALL_NEW",
): Promise<Item> {
  const input = {
    TableName: table.name(),
    Key: key,
    ...expression(change),
    ReturnValues,
    ReturnValuesOnConditionCheckFailure: "ALL_OLD" as const,
  };
  return (await callTable(table, "UpdateItem", input)).Attributes ?? {};
}

/**
 * Makes all writes or none, once: the SDK repeats a call with the same token. It retries conflicts with other writes to the same items after a
 * random pause, because the SDK does not.
 * @param retries of a conflict; callers that expect many retry by themselves.
 * @throws ConditionFailed if any condition is false.
 */
export async function transactWrite(table: Table, writes: TransactWrite[], retries = maximumConflicts): Promise<void> {
  const input = { TransactItems: writes.map((write) => transactItem(table.name(), write)) };
  for (let conflicts = 0; ; conflicts++) {
    try {
      await callTable(table, "TransactWriteItems", input);
      return;
    } catch (error) {
      if (!isTransactionConflict(error) || conflicts === retries) throw error;
      await wait(pauseMs(conflicts + 1, conflictPauseMs));
    }
  }
}

function expression({ condition, update, names, values }: Expression) {
  return {
    ConditionExpression: condition,
    UpdateExpression: update,
    ExpressionAttributeNames: names,
    ExpressionAttributeValues: values,
  };
}

function transactItem(TableName: string, write: TransactWrite) {
  if ("put" in write) {
    return { Put: { TableName, Item: write.put, ...expression(write.condition ?? {}) } };
  }
  if ("delete" in write) {
    return { Delete: { TableName, Key: write.delete, ...expression(write.condition ?? {}) } };
  }
  const { UpdateExpression = "", ...rest } = expression(write.change);
  return { Update: { TableName, Key: write.key, UpdateExpression, ...rest } };
}

/** @returns false if the write's condition does not hold. */
export async function isWritten(write: Promise<unknown>): Promise<boolean> {
  try {
    await write;
    return true;
  } catch (error) {
    if (error instanceof ConditionFailed) return false;
    throw error;
  }
}
