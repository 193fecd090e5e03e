import { BatchWriteCommand } from "@aws-sdk/lib-dynamodb";
import type { ItemKey } from "../../functions/table/keys.ts";
import { callTable, countUnits, type Table } from "../../functions/table/table.ts";
import { type Pause, untilTaken } from "../../functions/table/untilTaken.ts";
import { documentClient } from "../../local/dynamodb/documentClient.ts";

/** BatchWriteItem's limit. */
const maximumBatch = 25;

/**
 * Deletes items. Missing items are ignored. Only the CLI deletes; no function of the service does.
 *
 * @param onDeleted gets the keys of each deleted batch.
 * @throws GivenUp if the table keeps rejecting the deletes.
 */
export async function deleteItems<Key extends ItemKey>(
  table: Table,
  keys: Key[],
  onDeleted: (keys: Key[]) => void,
  pause: Pause,
): Promise<void> {
  const deleteSome = async (some: Key[]) => {
    const refused = await deleteBatch(table, some);
    onDeleted(some.filter((key) => !refused.includes(key)));
    return refused;
  };
  for (let start = 0; start < keys.length; start += maximumBatch) {
    await untilTaken(keys.slice(start, start + maximumBatch), deleteSome, pause);
  }
}

/** @returns the keys that DynamoDB did not process. */
async function deleteBatch<Key extends ItemKey>(table: Table, keys: Key[]): Promise<Key[]> {
  const requests = keys.map(({ PK, SK }) => ({ DeleteRequest: { Key: { PK, SK } } }));
  const input = { RequestItems: { [table.name()]: requests }, ...countUnits };
  const { UnprocessedItems } = await callTable(table, "BatchWriteItem", () =>
    documentClient().send(new BatchWriteCommand(input)),
  );
  const left = (UnprocessedItems?.[table.name()] ?? []).map(({ DeleteRequest }) => DeleteRequest?.Key);
  return keys.filter(({ PK, SK }) => left.some((key) => key?.PK === PK && key?.SK === SK));
}
