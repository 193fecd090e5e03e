import { type LocalDynamoDb, startDynamoDbLocal } from "@ticketing/local-aws/dynamodb";
import { UsageError } from "@ticketing/local-aws/usage-error";
import { accepts, runningService } from "./localService.ts";
import type { Service } from "./serve.ts";

/** Longer than for DynamoDB, so that a busy machine responds slowly instead of with 503; shorter than a function's timeout. */
const dynamoDbLocalTimeoutMs = 5_000;

export interface ServiceOptions {
  /** 0 for a free one. */
  port: number;
  /** An existing directory for DynamoDB Local's data; in memory by default. */
  directory?: string | undefined;
  /** A DynamoDB to use instead of starting one. */
  dynamoDbEndpoint?: string | undefined;
}

/** @throws UsageError if the port or a directory is taken, or no DynamoDB is available. */
export async function startService({ port, directory, dynamoDbEndpoint }: ServiceOptions): Promise<Service> {
  // First, so that nothing else starts if one runs already.
  await assertOnlyService();
  await assertPortFree(port);
  const owner = `process ${process.pid}${port === 0 ? "" : `, port ${port}`}`;
  const dynamoDb = dynamoDbEndpoint === undefined ? ownDynamoDb(directory, owner) : external(dynamoDbEndpoint);
  // serve() awaits it later, and reports its failure then.
  dynamoDb.catch(() => undefined);
  // Java and Node each take a second or more to load their programs, so load them in parallel.
  const { serve } = await import("./serve.ts");
  return serve(port, dynamoDb);
}

function ownDynamoDb(directory: string | undefined, owner: string): Promise<LocalDynamoDb> {
  process.env.DYNAMODB_TIMEOUT_MS ??= String(dynamoDbLocalTimeoutMs);
  return startDynamoDbLocal(directory, owner);
}

async function external(endpoint: string): Promise<LocalDynamoDb> {
  return { endpoint, ended: new Promise(() => undefined), stop: async () => undefined };
}

/** @throws UsageError if the service that `.local` describes is running: `npm run ops` uses that one, and both would write the same files. */
async function assertOnlyService(): Promise<void> {
  const service = await runningService("base_url");
  if (service)
    throw new UsageError(
      `The service already runs at ${service.base_url}. Stop it first, or start another in its own clone.`,
    );
}

/** A client may resolve `localhost` to either. */
const addresses = ["127.0.0.1", "::1"];

/**
 * Listening on one address does not show that the port is free: another program may listen on the other and receive some of the
 * requests.
 * @throws UsageError if a program listens on either address.
 */
export async function assertPortFree(port: number): Promise<void> {
  const taken = await Promise.all(addresses.map((host) => accepts(host, port)));
  if (taken.includes(true)) {
    throw new UsageError(`Port ${port} is taken. Choose another: npm start -- --port N, or 0 for a free one.`);
  }
}
