import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import {
  DynamoDBDocumentClient,
  GetCommand,
  type GetCommandInput,
  QueryCommand,
  type QueryCommandInput,
} from "@aws-sdk/lib-dynamodb";

/** A call with plain values. */
type DocumentCall = { action: "GetItem"; input: GetCommandInput } | { action: "Query"; input: QueryCommandInput };

const client = DynamoDBDocumentClient.from(new DynamoDBClient({}));

/** Makes the calls one after another and returns the rows of the last as JSON, as sdkHandler does. */
export async function handler({ calls }: { calls: DocumentCall[] }) {
  let rows: object[] = [];
  for (const call of calls) rows = await send(call);
  return { statusCode: 200, body: JSON.stringify(rows) };
}

async function send({ action, input }: DocumentCall): Promise<object[]> {
  if (action === "Query") return (await client.send(new QueryCommand(input))).Items ?? [];
  const { Item = {} } = await client.send(new GetCommand(input));
  return [Item];
}
