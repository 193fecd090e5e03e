import { authorizationPattern } from "../functions/auth/apiKey.ts";
import { handler as apiKeyAuthorizer } from "../functions/authorizers/apiKey.ts";
import { endpoints } from "../functions/endpoints/index.ts";
import { lambda } from "../functions/http/lambda.ts";
import { createTable } from "./createTable.ts";
import { demoKeys } from "./demo/demoKeys.ts";
import { demoRecords } from "./demo/demoRecords.ts";
import { putDemoRecords } from "./demo/putDemoRecords.ts";
import { startDynamoDbLocal } from "./dynamodb.ts";
import { answer } from "./gateway/gateway.ts";
import { listen, portOf } from "./gateway/server.ts";
import { useLocalTable } from "./localTable.ts";
import { readServiceDescription, type ServiceDescription, writeServiceDescription } from "./serviceDescription.ts";

export const tableName = "ticketing";

export interface ServiceOptions {
  /** 0 for a free one. */
  port: number;
  /** Where DynamoDB Local keeps its data; in memory where left out. */
  directory?: string | undefined;
  /** A DynamoDB to use instead of starting one. */
  dynamoDbEndpoint?: string | undefined;
}

export interface Service {
  description: ServiceDescription;
  /** Ends everything that was started. */
  stop: () => Promise<void>;
}

/** Starts the whole service on this machine: table, demo data and gateway. */
export async function startService({ port, directory, dynamoDbEndpoint }: ServiceOptions): Promise<Service> {
  const handlers = new Map(endpoints.map((endpoint) => [endpoint.operationId, lambda(endpoint)]));
  const gateway = {
    endpoints,
    handlers,
    authorizer: apiKeyAuthorizer,
    identityValidationExpression: authorizationPattern,
  };
  // The port first: where it is taken, nothing else was started.
  const server = await listen((incoming) => answer(gateway, incoming), port);
  const dynamoDb = dynamoDbEndpoint === undefined ? await startDynamoDbLocal(directory) : external(dynamoDbEndpoint);
  const stop = async () => {
    server.close();
    server.closeAllConnections();
    await dynamoDb.stop();
  };
  useLocalTable(dynamoDb.endpoint, tableName);
  await createTable(tableName);
  await putDemoRecords(demoRecords());
  const earlier = await readServiceDescription();
  const baseUrl = `http://localhost:${portOf(server)}`;
  const description = {
    base_url: baseUrl,
    docs_url: `${baseUrl}/docs`,
    dynamodb_endpoint: dynamoDb.endpoint,
    table_name: tableName,
    organisations: await demoKeys(earlier?.organisations ?? []),
  };
  await writeServiceDescription(description);
  return { description, stop };
}

function external(endpoint: string) {
  return { endpoint, stop: async () => undefined };
}
