import { ScanCommand } from "@aws-sdk/client-dynamodb";
import { type Attributes, fromAttributes } from "../functions/data/attributeValue.ts";
import { dynamoDb } from "../functions/data/client.ts";
import type { Table } from "../functions/data/table.ts";
import type { Item } from "../functions/data/tableReads.ts";

/**
 * The items of the table whose partition key begins so, by pages of what DynamoDB reads at a time. No index is asked, so none
 * can be behind; all of the table is read, whatever the prefix.
 */
export async function* scanTable(table: Table, prefix: string): AsyncGenerator<Item[]> {
  let ExclusiveStartKey: Attributes | undefined;
  do {
    const input = {
      TableName: table.name(),
      ConsistentRead: true,
      FilterExpression: "begins_with(PK, :prefix)",
      ExpressionAttributeValues: { ":prefix": { S: prefix } },
      ExclusiveStartKey,
    };
    const { Items = [], LastEvaluatedKey } = await dynamoDb().send(new ScanCommand(input));
    yield Items.map(fromAttributes);
    ExclusiveStartKey = LastEvaluatedKey;
  } while (ExclusiveStartKey);
}
