import { ScanCommand } from "@aws-sdk/client-dynamodb";
import { dynamoDb } from "../dynamodb/client.ts";
import { markIndexed } from "./indexes.ts";
import type { Table } from "./table.ts";

/**
 * Marks a table without items as complete, because only records of earlier versions of this service lack attributes. Other tables stay as
 * they are.
 *
 * @returns whether the table is now marked.
 */
export async function markNewTable(table: Table): Promise<boolean> {
  const input = { TableName: table.name(), ConsistentRead: true, Select: "COUNT" as const, Limit: 1 };
  const { Count, LastEvaluatedKey } = await dynamoDb().send(new ScanCommand(input));
  if (Count !== 0 || LastEvaluatedKey !== undefined) return false;
  await markIndexed(table);
  return true;
}
