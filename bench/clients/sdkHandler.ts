import {
  type DynamoDBClient,
  GetItemCommand,
  type GetItemCommandInput,
  QueryCommand,
  type QueryCommandInput,
} from "@aws-sdk/client-dynamodb";
import { type Attributes, fromAttributes } from "../../functions/data/dynamodb/attributeValue.ts";

/** A call in DynamoDB's terms. */
export type ClientCall =
  | { action: "GetItem"; input: GetItemCommandInput }
  | { action: "Query"; input: QueryCommandInput };

/** A handler that makes the calls of its event one after another and returns the rows of the last as JSON. */
export function sdkHandler(client: () => DynamoDBClient) {
  return async ({ calls }: { calls: ClientCall[] }) => {
    let rows: Attributes[] = [];
    for (const call of calls) rows = await send(client(), call);
    return { statusCode: 200, body: JSON.stringify(rows.map(fromAttributes)) };
  };
}

async function send(client: DynamoDBClient, { action, input }: ClientCall): Promise<Attributes[]> {
  if (action === "Query") return (await client.send(new QueryCommand(input))).Items ?? [];
  const { Item = {} } = await client.send(new GetItemCommand(input));
  return [Item];
}
