import { DynamoDBClient, paginateScan } from "@aws-sdk/client-dynamodb";
import { BatchGetCommand, DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { recordItem } from "../../functions/data/records/recordItem.ts";
import { Record as InputRecord } from "../../functions/resources/record.ts";

/** DynamoDB's limit for a BatchGetItem. */
const maximumBatch = 100;

/**
 * The items of records in a DynamoDB Local.
 *
 * @param lines the records' lines of an input file, each with another key.
 * @returns the items as sorted texts, and the number of records' items in the whole table. The stream's consumer changes other items meanwhile.
 */
export async function storedItems(endpoint: string, TableName: string, lines: readonly string[]) {
  const credentials = { accessKeyId: "local", secretAccessKey: "local" };
  const client = new DynamoDBClient({ endpoint, region: "local", credentials });
  const documents = DynamoDBDocumentClient.from(client);
  const all = lines.map((line) => recordItem(InputRecord.parse(JSON.parse(line))));
  const items: string[] = [];
  for (let start = 0; start < all.length; start += maximumBatch) {
    let Keys = all.slice(start, start + maximumBatch).map(({ PK, SK }): Record<string, unknown> => ({ PK, SK }));
    while (Keys.length > 0) {
      const RequestItems = { [TableName]: { Keys, ConsistentRead: true } };
      const { Responses, UnprocessedKeys } = await documents.send(new BatchGetCommand({ RequestItems }));
      items.push(...(Responses?.[TableName] ?? []).map((item) => JSON.stringify(Object.entries(item).sort())));
      Keys = UnprocessedKeys?.[TableName]?.Keys ?? [];
    }
  }
  return { items: items.sort(), count: await countOf(client, TableName, new Set(all.map(({ SK }) => SK))) };
}

async function countOf(client: DynamoDBClient, TableName: string, sortKeys: ReadonlySet<string>): Promise<number> {
  const values = Object.fromEntries([...sortKeys].map((key, index) => [`:k${index}`, { S: key }]));
  const input = {
    TableName,
    Select: "COUNT" as const,
    FilterExpression: `SK IN (${Object.keys(values).join(", ")})`,
    ExpressionAttributeValues: values,
  };
  let count = 0;
  for await (const { Count = 0 } of paginateScan({ client }, input)) count += Count;
  return count;
}
