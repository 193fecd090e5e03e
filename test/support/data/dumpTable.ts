import { ScanCommand } from "@aws-sdk/lib-dynamodb";
import { documentClient } from "../../../cli/table/scanTable.ts";
import { keys } from "../../../functions/table/keys.ts";
import { openTable } from "../../../functions/table/table.ts";

/** DynamoDB Local takes seconds for a page that reaches the size limit. */
const pageSize = 500;

/**
 * Every item of the table, ordered by key, without what differs between two writes of the same record: times of acceptance and revisions. Equal
 * tables give equal dumps.
 */
export async function dumpTable(): Promise<Record<string, unknown>[]> {
  return (await dumpItems()).map(({ GSI3PK: _partition, GSI3SK: _stamp, revision: _revision, ...item }) => item);
}

/** Every item of the table, ordered by key, except the mark of complete indexes. */
export async function dumpItems(): Promise<Record<string, unknown>[]> {
  const items: Record<string, unknown>[] = [];
  let ExclusiveStartKey: Record<string, unknown> | undefined;
  do {
    const input = { TableName: openTable().name(), ConsistentRead: true, Limit: pageSize, ExclusiveStartKey };
    const { Items = [], LastEvaluatedKey } = await documentClient().send(new ScanCommand(input));
    items.push(...Items);
    ExclusiveStartKey = LastEvaluatedKey;
  } while (ExclusiveStartKey);
  const { PK: mark } = keys.declarations();
  const keyOf = (item: Record<string, unknown>) => `${item.PK}\n${item.SK}`;
  return items.filter(({ PK }) => PK !== mark).sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
}
