import { createHash } from "node:crypto";
import { type AttributeValue, DynamoDBClient, paginateScan } from "@aws-sdk/client-dynamodb";
import { BatchGetCommand, DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { changeTimeAttribute } from "../../functions/records/changeTime.ts";
import { recordItem } from "../../functions/records/recordItem.ts";
import { Record as InputRecord } from "../../functions/resources/record.ts";
import { itemKeys, itemTypeOf } from "../../functions/table/itemKeys.ts";

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

const ignored = new Set(
  [itemKeys.lastCounted(""), itemKeys.eventSummary(1, 1), itemKeys.dateSummary(1, 1)].map(itemTypeOf),
);
/** These differ between two writes of the same record. */
const ofWrite = new Set([changeTimeAttribute, "revision", "expires_at"]);

/**
 * Reads the whole table of a DynamoDB Local, with a client without a short timeout.
 *
 * @returns the number of items that are an organisation's data, and a digest of every item of the table, without what differs between two writes
 * of the same record. It leaves out the summaries, which the stream's consumer writes later, and the mark of complete indexes.
 */
export async function tableDigest(endpoint: string, TableName: string, organisationId: number) {
  const credentials = { accessKeyId: "local", secretAccessKey: "local" };
  const client = new DynamoDBClient({ endpoint, region: "local", credentials });
  const items: string[] = [];
  // DynamoDB Local takes seconds for a page that reaches the size limit.
  const pages = paginateScan({ client, pageSize: 500 }, { TableName, ConsistentRead: true });
  for await (const { Items = [] } of pages) {
    const imported = Items.filter(({ PK, SK }) => !ignored.has(itemTypeOf({ PK: PK?.S ?? "", SK: SK?.S ?? "" })));
    items.push(...imported.map(textOf));
  }
  const digest = createHash("sha256");
  for (const item of items.sort()) digest.update(item);
  const data = new RegExp(`^ORG#${organisationId}#(EVENT|DATE|CATEGORY)#`);
  return { count: items.filter((item) => data.test(item)).length, digest: digest.digest("hex") };
}

function textOf(item: Record<string, AttributeValue>): string {
  const fields = Object.entries(item).filter(([name]) => !ofWrite.has(name));
  return `${item.PK?.S} ${JSON.stringify(fields.sort())}`;
}
