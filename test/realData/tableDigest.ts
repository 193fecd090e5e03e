import { createHash } from "node:crypto";
import { type AttributeValue, DynamoDBClient, paginateScan } from "@aws-sdk/client-dynamodb";
import { acceptance } from "../../functions/records/acceptance.ts";
import { keys } from "../../functions/table/keys.ts";

const ignored = new Set([
  keys.contribution("").SK,
  keys.eventSummary(1, 1).SK,
  keys.dateSummary(1, 1).SK,
  keys.declarations().SK,
]);
/** These differ between two writes of the same record. */
const ofWrite = new Set([acceptance, "revision", "expires_at"]);

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
    const imported = Items.filter(({ SK }) => !ignored.has(SK?.S ?? ""));
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
