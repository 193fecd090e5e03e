import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { BatchGetCommand, DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { recordItem } from "../../functions/records/recordItem.ts";
import { Record as InputRecord } from "../../functions/resources/record.ts";

/** DynamoDB's limit for a BatchGetItem. */
const maximumBatch = 100;

/**
 * The items of records in a DynamoDB Local, as sorted texts.
 *
 * @param lines the records' lines of an input file, each with another key.
 */
export async function storedItems(endpoint: string, TableName: string, lines: readonly string[]): Promise<string[]> {
  const credentials = { accessKeyId: "local", secretAccessKey: "local" };
  const documents = DynamoDBDocumentClient.from(new DynamoDBClient({ endpoint, region: "local", credentials }));
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
  return items.sort();
}
