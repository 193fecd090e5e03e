import type { IncomingMessage } from "node:http";
import { authorizationPattern } from "../functions/auth/apiKeySecret.ts";
import { idTokenPattern } from "../functions/auth/idTokenPattern.ts";
import { defaultClaims, signInEnvironment } from "../functions/auth/signInSettings.ts";
import { handler as apiKeyAuthorizer } from "../functions/authorizers/apiKeyAuthorizer.ts";
import { handler as superAdminAuthorizer } from "../functions/authorizers/superAdminAuthorizer.ts";
import { handler as storeRecords } from "../functions/consumers/feed.ts";
import { handler as summaries } from "../functions/consumers/summaries.ts";
import { delivery } from "../functions/consumers/summariesDelivery.ts";
import { endpoints } from "../functions/endpoints/index.ts";
import { lambda } from "../functions/http/lambda.ts";
import { logger } from "../functions/log/logger.ts";
import { assertPortFree } from "./assertPortFree.ts";
import { createTable } from "./createTable.ts";
import { type DemoOrganisation, demoKeys } from "./demo/demoKeys.ts";
import { seedProgrammes, seedSales } from "./demo/seedDemoData.ts";
import { type LocalDynamoDb, startDynamoDbLocal } from "./dynamodb.ts";
import { subscribeEventFile } from "./eventFile.ts";
import { answer } from "./gateway/gateway.ts";
import { listen, portOf, type RequestHandler } from "./gateway/server.ts";
import { useLocalTable } from "./localTable.ts";
import { localWebsite } from "./localWebsite.ts";
import { startLocalFeed } from "./queue/localFeed.ts";
import { readServiceDescription, type ServiceDescription, writeServiceDescription } from "./serviceDescription.ts";
import { people } from "./signIn/people.ts";
import { startSignIn } from "./signIn/signIn.ts";
import { startStreamFeed } from "./streamFeed.ts";
import { untilAvailable } from "./untilAvailable.ts";
import { UsageError } from "./usageError.ts";

export const tableName = "ticketing";
/** More than DynamoDB gets, so that a busy machine gives slow answers and not 503; less than a function's own time. */
const dynamoDbLocalTimeoutMs = 5_000;

export interface ServiceOptions {
  /** 0 for a free one. */
  port: number;
  /** An existing directory where DynamoDB Local keeps its data; in memory where left out. */
  directory?: string | undefined;
  /** A DynamoDB to use instead of starting one. */
  dynamoDbEndpoint?: string | undefined;
}

export interface Service {
  description: ServiceDescription;
  /** Settles when the DynamoDB that it started has ended, with the reason in a few words. */
  dynamoDbEnded: Promise<string>;
  /** Settles when the demo sales and their summaries are there. Until then, what asks for them waits. */
  loaded: Promise<void>;
  /** Ends everything that was started. */
  stop: () => Promise<void>;
}

const gateway = {
  endpoints,
  handlers: new Map(endpoints.map((endpoint) => [endpoint.operationId, lambda(endpoint)])),
  authorizers: {
    apiKey: { authorizer: apiKeyAuthorizer, identityValidationExpression: authorizationPattern },
    superAdmin: { authorizer: superAdminAuthorizer, identityValidationExpression: idTokenPattern },
  },
};

/**
 * Starts the whole service on this machine: table, demo data, sign-in, website and gateway.
 *
 * @throws UsageError where the port is taken or there is no DynamoDB to be had.
 */
export async function startService({ port, directory, dynamoDbEndpoint }: ServiceOptions): Promise<Service> {
  const ready = Promise.withResolvers<RequestHandler>();
  // The port first: where it is taken, nothing else is started. A request that comes early waits.
  await assertPortFree(port);
  const server = await listen(async (...exchange) => (await ready.promise)(...exchange), port);
  const baseUrl = `http://localhost:${portOf(server)}`;
  const signIn = await startSignIn(baseUrl);
  const signInSettings = { issuer: signIn.issuer, clientId: signIn.clientId, ...defaultClaims };
  Object.assign(process.env, signInEnvironment(signInSettings));
  const dynamoDb = dynamoDbEndpoint === undefined ? await ownDynamoDb(directory) : external(dynamoDbEndpoint);
  const organisations = await prepareTable(dynamoDb.endpoint);
  const feed = await startLocalFeed(storeRecords);
  const description = {
    base_url: baseUrl,
    docs_url: `${baseUrl}/docs`,
    developer_area_url: `${baseUrl}/developer`,
    issuer: signIn.issuer,
    dynamodb_endpoint: dynamoDb.endpoint,
    table_name: tableName,
    feed_queue_url: feed.queueUrl,
    feed_dead_letter_queue_url: feed.deadLetterQueueUrl,
    people: people.map(({ email, password, organisation_id, role }) => ({ email, password, organisation_id, role })),
    organisations,
  };
  await writeServiceDescription(description);
  const website = localWebsite(signInSettings);
  // Changes are followed only then: both at once would be in each other's way.
  const subscriptions = [{ sortKeys: delivery.sortKeys, consumer: summaries }, await subscribeEventFile()];
  const changes = untilAvailable(seedSales).then((counted) => startStreamFeed(tableName, subscriptions, counted));
  const loaded = changes.then(() => logger.info("The demo data is loaded."));
  ready.resolve(async (incoming, outgoing) => {
    if (signIn.handle(incoming, outgoing)) return undefined;
    const file = await website(incoming);
    if (file) return file;
    if (isOfSales(incoming)) await loaded;
    return answer(gateway, incoming);
  });
  const stop = async () => {
    server.close();
    server.closeAllConnections();
    await feed.stop();
    await changes.then(({ stop }) => stop()).catch(() => undefined);
    await dynamoDb.stop();
  };
  return { description, dynamoDbEnded: dynamoDb.ended, loaded, stop };
}

/** Whether a request asks for what is loaded after the start: all but keys, events, dates and ticket categories. */
function isOfSales({ url = "" }: IncomingMessage): boolean {
  return !/^\/(admin\/|v1\/(key|events(\/[^/]*(\/(dates|ticket-categories))?)?)(\?|$))/.test(url);
}

/** Makes the table, with demo data and keys. */
async function prepareTable(endpoint: string): Promise<DemoOrganisation[]> {
  useLocalTable(endpoint, tableName);
  try {
    await createTable(tableName);
  } catch (error) {
    throw new UsageError(`There is no usable DynamoDB at ${endpoint} (${reasonOf(error)}).`, { cause: error });
  }
  await untilAvailable(seedProgrammes);
  const earlier = await readServiceDescription();
  return untilAvailable(() => demoKeys(earlier?.organisations ?? []));
}

function ownDynamoDb(directory: string | undefined): Promise<LocalDynamoDb> {
  process.env.DYNAMODB_TIMEOUT_MS ??= String(dynamoDbLocalTimeoutMs);
  return startDynamoDbLocal(directory);
}

function external(endpoint: string): LocalDynamoDb {
  return { endpoint, ended: new Promise(() => undefined), stop: async () => undefined };
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // An error of the network says less in its message than in its code.
  const [text = ""] = ("code" in error ? String(error.code) : error.message).split("\n");
  return text;
}
