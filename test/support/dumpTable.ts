import { ScanCommand } from "@aws-sdk/client-dynamodb";
import { type Attributes, fromAttributes } from "../../functions/data/dynamodb/attributeValue.ts";
import { dynamoDb } from "../../functions/data/dynamodb/client.ts";
import { openTable } from "../../functions/data/table/table.ts";

/** DynamoDB Local takes seconds for a page that it has to end by its size. */
const pageSize = 500;

/** Every item of the table, ordered by key: two dumps are equal where the tables are. */
export async function dumpTable(): Promise<Record<string, unknown>[]> {
  const items: Record<string, unknown>[] = [];
  let ExclusiveStartKey: Attributes | undefined;
  do {
    const input = { TableName: openTable().name(), ConsistentRead: true, Limit: pageSize, ExclusiveStartKey };
    const { Items = [], LastEvaluatedKey } = await dynamoDb().send(new ScanCommand(input));
    items.push(...Items.map(fromAttributes));
    ExclusiveStartKey = LastEvaluatedKey;
  } while (ExclusiveStartKey);
  const keyOf = (item: Record<string, unknown>) => `${item.PK}\n${item.SK}`;
  return items.sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
}
