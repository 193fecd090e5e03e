import { DeleteItemCommand } from "@aws-sdk/client-dynamodb";
import { toAttributes } from "../../functions/data/attributeValue.ts";
import { dynamoDb } from "../../functions/data/client.ts";
import { openTable } from "../../functions/data/table.ts";

/** Deletes items, which the service itself never does. */
export async function deleteItems(items: Record<string, unknown>[]): Promise<void> {
  for (const { PK, SK } of items) {
    await dynamoDb().send(new DeleteItemCommand({ TableName: openTable().name(), Key: toAttributes({ PK, SK }) }));
  }
}
