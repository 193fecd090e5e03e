import { Logger } from "@aws-lambda-powertools/logger";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import {
  DynamoDBDocumentClient,
  GetCommand,
  type GetCommandInput,
  QueryCommand,
  type QueryCommandInput,
} from "@aws-sdk/lib-dynamodb";
import middy from "@middy/core";
import httpErrorHandler from "@middy/http-error-handler";
import httpHeaderNormalizer from "@middy/http-header-normalizer";
import type * as z from "zod";

type DocumentCall = { action: "GetItem"; input: GetCommandInput } | { action: "Query"; input: QueryCommandInput };

/**
 * A handler as it is usually written: middy, zod, Powertools, and lib-dynamodb at its defaults. It makes the calls of its event one after another,
 * returns the rows of the last, parsed by the schema, as JSON, and logs a line.
 */
export function ordinaryHandler(row: z.ZodType) {
  const logger = new Logger();
  const client = DynamoDBDocumentClient.from(new DynamoDBClient({}));
  return middy<{ calls: DocumentCall[] }>()
    .use(httpHeaderNormalizer())
    .use(httpErrorHandler())
    .handler(async ({ calls }) => {
      let rows: object[] = [];
      for (const call of calls) rows = await send(client, call);
      logger.info("request", { rows: rows.length });
      return { statusCode: 200, body: JSON.stringify(rows.map((item) => row.parse(item))) };
    });
}

async function send(client: DynamoDBDocumentClient, { action, input }: DocumentCall): Promise<object[]> {
  if (action === "Query") return (await client.send(new QueryCommand(input))).Items ?? [];
  const { Item = {} } = await client.send(new GetCommand(input));
  return [Item];
}
