import { assertPortFree } from "./assertPortFree.ts";
import { type LocalDynamoDb, startDynamoDbLocal } from "./dynamodb/startDynamoDbLocal.ts";
import type { Service } from "./serve.ts";

/** More than DynamoDB gets, so that a busy machine gives slow responses and not 503; less than a function's own time. */
const dynamoDbLocalTimeoutMs = 5_000;

export interface ServiceOptions {
  /** 0 for a free one. */
  port: number;
  /** An existing directory where DynamoDB Local keeps its data; in memory by default. */
  directory?: string | undefined;
  /** A DynamoDB to use instead of starting one. */
  dynamoDbEndpoint?: string | undefined;
}

/**
 * Starts the whole service on this machine: table, demo data, sign-in, website and gateway.
 *
 * @throws UsageError where the port is taken or no DynamoDB is available.
 */
export async function startService({ port, directory, dynamoDbEndpoint }: ServiceOptions): Promise<Service> {
  // The port first: where it is taken, nothing else is started.
  await assertPortFree(port);
  const dynamoDb = dynamoDbEndpoint === undefined ? ownDynamoDb(directory) : external(dynamoDbEndpoint);
  // serve() awaits it later, and reports its failure then.
  dynamoDb.catch(() => undefined);
  // Java and Node take a second or more each to load their programs, which they can do at the same time.
  const { serve } = await import("./serve.ts");
  return serve(port, dynamoDb);
}

function ownDynamoDb(directory: string | undefined): Promise<LocalDynamoDb> {
  process.env.DYNAMODB_TIMEOUT_MS ??= String(dynamoDbLocalTimeoutMs);
  return startDynamoDbLocal(directory);
}

async function external(endpoint: string): Promise<LocalDynamoDb> {
  return { endpoint, ended: new Promise(() => undefined), stop: async () => undefined };
}
