import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import * as z from "zod";
import { PlainJsonProtocol } from "./plainJsonProtocol.ts";
import { requestHandler } from "./requestHandler.ts";
import { requestSigner } from "./requestSigner.ts";

/**
 * DynamoDB answers in milliseconds; what takes longer than a second will not answer in time for the client. A job that no client waits for
 * may allow more, and the local service does.
 */
const Environment = z.object({ DYNAMODB_TIMEOUT_MS: z.coerce.number().positive().default(1_000) });
/** Deployed, three tries of a second each and their pauses stay far under the gateway's 29 seconds. */
const maxAttempts = 3;

/** What the SDK does to each call and this service makes no use of. The logger copies every output even where nothing is logged. */
const unusedMiddleware = ["loggerMiddleware", "getUserAgentMiddleware", "recursionDetectionMiddleware"];

let client: DynamoDBClient | undefined;

/** The process's one client, made at the first call, with connections that are kept open. */
export function dynamoDb(): DynamoDBClient {
  client ??= makeClient();
  return client;
}

/** The SDK's client, without what its defaults cost a request: docs/decisions/0002-dynamodb-client.md tells what each part saves. */
function makeClient(): DynamoDBClient {
  const made: DynamoDBClient = new DynamoDBClient({
    maxAttempts,
    cacheMiddleware: true,
    requestHandler: requestHandler(Environment.parse(process.env).DYNAMODB_TIMEOUT_MS),
    signer: requestSigner({ credentials: () => made.config.credentials(), region: () => made.config.region() }),
    protocol: PlainJsonProtocol,
  });
  for (const name of unusedMiddleware) made.middlewareStack.remove(name);
  return made;
}
