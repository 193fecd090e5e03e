import { BatchGetItemCommand, DynamoDBClient, GetItemCommand, QueryCommand } from "@aws-sdk/client-dynamodb";
import { type Attributes, fromAttributes } from "../functions/data/dynamodb/attributeValue.ts";

/**
 * What a request cannot do without: the same calls to DynamoDB, one after another, with the SDK at its defaults, and the rows of the
 * last as JSON. No key is checked, nothing is parsed, ordered, tagged or logged.
 */
const client = new DynamoDBClient({});

export async function handler({ calls }: { calls: { action: string; input: never }[] }) {
  let rows: Attributes[] = [];
  for (const { action, input } of calls) {
    rows = await (reads[action] ?? getItem)(input);
  }
  return { statusCode: 200, body: JSON.stringify(rows.map(fromAttributes)) };
}

const reads: Partial<Record<string, (input: never) => Promise<Attributes[]>>> = {
  Query: query,
  BatchGetItem: batchGetItem,
};

async function batchGetItem(input: never): Promise<Attributes[]> {
  const { Responses = {} } = await client.send(new BatchGetItemCommand(input));
  return Object.values(Responses).flat();
}

async function getItem(input: never): Promise<Attributes[]> {
  const { Item = {} } = await client.send(new GetItemCommand(input));
  return [Item];
}

async function query(input: never): Promise<Attributes[]> {
  const { Items = [] } = await client.send(new QueryCommand(input));
  return Items;
}
