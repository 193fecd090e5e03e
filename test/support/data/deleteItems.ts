import assert from "node:assert/strict";
import { BatchWriteCommand } from "@aws-sdk/lib-dynamodb";
import { documentClient } from "../../../cli/table/scanTable.ts";
import { openTable } from "../../../functions/table/table.ts";

/** DynamoDB's limit for one call. */
const maximumBatch = 25;

/** Deletes items; the service itself never does. */
export async function deleteItems(items: Record<string, unknown>[]): Promise<void> {
  for (let start = 0; start < items.length; start += maximumBatch) {
    const batch = items.slice(start, start + maximumBatch);
    const requests = batch.map(({ PK, SK }) => ({ DeleteRequest: { Key: { PK, SK } } }));
    const input = { RequestItems: { [openTable().name()]: requests } };
    const { UnprocessedItems } = await documentClient().send(new BatchWriteCommand(input));
    assert.deepEqual(UnprocessedItems, {});
  }
}
