import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";

/** Longer than a request's: no caller of the API waits for a command. */
const requestHandler = { connectionTimeout: 1_000, requestTimeout: 30_000, throwOnRequestTimeout: true };

let client: DynamoDBDocumentClient | undefined;

/**
 * The process's only document client, created on first use, for commands, the local service and tests. Functions use `dynamoDb()`, which
 * costs less of each request: docs/decisions/0002-dynamodb-client.md has the figures.
 */
export function documentClient(): DynamoDBDocumentClient {
  client ??= DynamoDBDocumentClient.from(new DynamoDBClient({ requestHandler }));
  return client;
}
