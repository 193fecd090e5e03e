import assert from "node:assert/strict";
import { BatchWriteItemCommand } from "@aws-sdk/client-dynamodb";
import { toAttributes } from "../../functions/data/dynamodb/attributeValue.ts";
import { dynamoDb } from "../../functions/data/dynamodb/client.ts";
import { openTable } from "../../functions/data/table/table.ts";

/** DynamoDB's limit of one call. */
const maximumBatch = 25;

/** Deletes items, which the service itself never does. */
export async function deleteItems(items: Record<string, unknown>[]): Promise<void> {
  for (let start = 0; start < items.length; start += maximumBatch) {
    const batch = items.slice(start, start + maximumBatch);
    const requests = batch.map(({ PK, SK }) => ({ DeleteRequest: { Key: toAttributes({ PK, SK }) } }));
    const input = { RequestItems: { [openTable().name()]: requests } };
    const { UnprocessedItems } = await dynamoDb().send(new BatchWriteItemCommand(input));
    assert.deepEqual(UnprocessedItems, {});
  }
}
