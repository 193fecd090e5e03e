import { DynamoDBClient } from "@aws-sdk/client-dynamodb";

/** DynamoDB answers in milliseconds; what takes longer than this will not answer in time for the client. */
const requestTimeoutMs = 1_000;
const connectionTimeoutMs = 1_000;
/** Three tries of a second each and their pauses stay far under the gateway's 29 seconds. */
const maxAttempts = 3;

let client: DynamoDBClient | undefined;

/** The process's one client, made at the first call, with connections that are kept open. */
export function dynamoDb(): DynamoDBClient {
  client ??= makeClient();
  return client;
}

function makeClient(): DynamoDBClient {
  const made = new DynamoDBClient({
    maxAttempts,
    cacheMiddleware: true,
    requestHandler: {
      connectionTimeout: connectionTimeoutMs,
      requestTimeout: requestTimeoutMs,
      throwOnRequestTimeout: true,
    },
  });
  // It copies every output through its schema even where nothing is logged.
  made.middlewareStack.remove("loggerMiddleware");
  return made;
}
