import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import * as z from "zod";
import { PlainJsonProtocol } from "./plainJsonProtocol.ts";
import { requestHandler } from "./requestHandler.ts";
import { requestSigner } from "./requestSigner.ts";

/**
 * DynamoDB responds in milliseconds; after a second, the response would come too late for the caller. Jobs without a waiting caller, and the
 * local service, may set a longer timeout.
 */
const Environment = z.object({ DYNAMODB_TIMEOUT_MS: z.coerce.number().positive().default(1_000) });
/** Three attempts of a second each, with their pauses, stay far below the gateway's 29 seconds. */
const maxAttempts = 3;

/** SDK middleware that this service does not use. The logger copies every output even if it logs nothing. */
const unusedMiddleware = ["loggerMiddleware", "getUserAgentMiddleware", "recursionDetectionMiddleware"];

let client: DynamoDBClient | undefined;

/** The process's only client, created on first use. It keeps its connections open. */
export function dynamoDb(): DynamoDBClient {
  client ??= makeClient();
  return client;
}

/** The SDK's client without its expensive defaults: docs/decisions/0002-dynamodb-client.md lists what each part saves. */
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
