import { appendFile, mkdir, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import type { LocalDynamoDb } from "@ticketing/local-aws/dynamodb";
import { answer, type GatewayAnswer, portOf, type RequestHandler } from "@ticketing/local-aws/gateway";
import { logTo } from "@ticketing/local-aws/log";
import { type MemoryQueue, startDelivery } from "@ticketing/local-aws/queues";
import { startSignIn } from "@ticketing/local-aws/sign-in";
import { type Subscription, startStreamFeed } from "@ticketing/local-aws/stream";
import { UsageError } from "@ticketing/local-aws/usage-error";
import { lambda } from "../functions/api/lambda.ts";
import { defaultRateLimit, rateLimitEnvironment, rateLimitHeaders } from "../functions/api/rateLimit.ts";
import { handler as storeRecords } from "../functions/feed/feed.ts";
import { handler as apiKeyAuthorizer } from "../functions/keys/apiKeyAuthorizer.ts";
import { authorizationPattern } from "../functions/keys/apiKeySecret.ts";
import { handler as countUsage } from "../functions/keys/countUsage.ts";
import { logger } from "../functions/log/logger.ts";
import { routes } from "../functions/mcp/routes.ts";
import { defaultClaims, idTokenPattern, signInEnvironment } from "../functions/people/signInSettings.ts";
import { handler as superAdminAuthorizer } from "../functions/people/superAdminAuthorizer.ts";
import { mayBecomeEvent, handler as outgoingEvents } from "../functions/stream/outgoingEvents.ts";
import { maximumRetries, batchSize as streamBatchSize, streamedSortKeys } from "../functions/stream/streamLimits.ts";
import { handler as tableStream } from "../functions/stream/tableStream.ts";
import { backOff } from "../functions/table/retries.ts";
import { openTable } from "../functions/table/table.ts";
import { describeError, Unavailable } from "../functions/table/tableErrors.ts";
import { scheduleAll } from "../functions/webhooks/activeWebhooks.ts";
import {
  maximumConcurrency as maximumWebhookBatches,
  sweepMinutes,
  batchSize as webhookBatchSize,
  consumerTimeoutMs as webhookTimeoutMs,
} from "../functions/webhooks/deliveryLimits.ts";
import { handler as webhooks } from "../functions/webhooks/webhooks.ts";
import { createTable } from "./createTable.ts";
import { type DemoOrganisation, demoKeys } from "./demo/demoKeys.ts";
import { people, signInOptions } from "./demo/demoPeople.ts";
import { loadDemoRecords } from "./demo/demoRecords.ts";
import { gatewayOf, listenLocally } from "./gateway.ts";
import {
  readServiceDescription,
  type ServiceDescription,
  useLocalTable,
  writeServiceDescription,
} from "./localService.ts";
import { localWebsite } from "./localWebsite.ts";
import { startLogDelivery } from "./logDelivery.ts";
import { startLocalQueues, useLocalQueues } from "./queues.ts";

export const tableName = "ticketing";

export interface Service {
  description: ServiceDescription;
  /** Settles when the DynamoDB that it started has ended, with the reason in a few words. */
  dynamoDbEnded: Promise<string>;
  stop: () => Promise<void>;
}

const gateway = gatewayOf(routes, lambda, {
  apiKey: { authorizer: apiKeyAuthorizer, identityValidationExpression: authorizationPattern },
  superAdmin: { authorizer: superAdminAuthorizer, identityValidationExpression: idTokenPattern },
});

/** Starts to listen while DynamoDB may still be starting. @throws UsageError if the port is taken or the DynamoDB is not usable. */
export async function serve(port: number, startingDynamoDb: Promise<LocalDynamoDb>): Promise<Service> {
  logTo(logger);
  const ready = Promise.withResolvers<RequestHandler>();
  // Early requests wait until the service is ready.
  const server = await listenLocally(async (...exchange) => (await ready.promise)(...exchange), port);
  const baseUrl = `http://localhost:${portOf(server)}`;
  const [signIn, dynamoDb] = await Promise.all([startSignIn(baseUrl, signInOptions), startingDynamoDb]);
  const signInSettings = { issuer: signIn.issuer, clientId: signIn.clientId, ...defaultClaims };
  Object.assign(process.env, signInEnvironment(signInSettings), rateLimitEnvironment(defaultRateLimit), {
    BASE_URL: baseUrl,
  });
  const organisations = await prepareTable(dynamoDb.endpoint);
  const queues = await startLocalQueues();
  useLocalQueues(queues);
  const feed = startDelivery(queues.feed, storeRecords);
  const webhooks = startWebhooks(queues.webhooks);
  const description = {
    process_id: process.pid,
    base_url: baseUrl,
    docs_url: `${baseUrl}/docs`,
    developer_area_url: `${baseUrl}/developer`,
    issuer: signIn.issuer,
    dynamodb_endpoint: dynamoDb.endpoint,
    table_name: tableName,
    feed_queue_url: queues.queueUrl,
    feed_dead_letter_queue_url: queues.deadLetterQueueUrl,
    people: people.map(({ email, password, organisation_id, role }) => ({ email, password, organisation_id, role })),
    organisations,
  };
  await writeServiceDescription(description);
  const website = localWebsite(signInSettings, baseUrl);
  const changes = startStreamFeed(
    tableName,
    [{ wants: ({ SK }) => streamedSortKeys.includes(SK), consumer: tableStream }, await subscribeEventFile()],
    { batchSize: streamBatchSize, maximumRetries },
  );
  const log = startLogDelivery(countUsage);
  const stopping = new AbortController();
  void changes.caughtUp.then(() => wakeAll(stopping.signal));
  ready.resolve(async (incoming, outgoing) => {
    if (signIn.handle(incoming, outgoing)) return undefined;
    return (await website(incoming)) ?? asDistributed(await answer(gateway, incoming));
  });
  const stop = async () => {
    stopping.abort();
    server.close();
    server.closeAllConnections();
    await feed.stop();
    await webhooks.stop();
    await queues.stop();
    await changes.stop();
    await log.stop();
    await dynamoDb.stop();
  };
  return { description, dynamoDbEnded: dynamoDb.ended, stop };
}

/** Adds what the distribution adds. The local service announces the default limits and accepts every rate. */
function asDistributed(response: GatewayAnswer): GatewayAnswer {
  return { ...response, headers: { ...response.headers, ...rateLimitHeaders(defaultRateLimit) } };
}

/** Delivers webhooks, also to this machine. The key of the secrets is well known: it protects only a developer's experiments. */
function startWebhooks(queue: MemoryQueue) {
  Object.assign(process.env, { WEBHOOK_LOCAL_KEY: "local", WEBHOOKS_ALLOW_LOOPBACK: "yes" });
  const options = {
    batchSize: webhookBatchSize,
    maximumConcurrency: maximumWebhookBatches,
    timeoutMs: webhookTimeoutMs,
    retryMs: null,
  };
  const delivery = startDelivery(queue, webhooks, options);
  const sweep = () =>
    void webhooks({ source: "aws.events" }).catch((error) => logger.error("The sweep of webhooks failed.", { error }));
  const timer = setInterval(sweep, sweepMinutes * 60_000).unref();
  return {
    async stop() {
      clearInterval(timer);
      await delivery.stop();
    },
  };
}

/** The wake-ups of an earlier run are lost with its queue. */
async function wakeAll(signal: AbortSignal): Promise<void> {
  logger.info("The summaries are up to date.");
  await scheduleAll(openTable(), { pause: backOff(signal), signal }).catch((error: unknown) => {
    if (!signal.aborted) logger.error("Webhooks were not woken.", { error });
  });
}

async function prepareTable(endpoint: string): Promise<DemoOrganisation[]> {
  useLocalTable(endpoint, tableName);
  try {
    const { addedStream } = await createTable(tableName);
    if (addedStream)
      console.log(`The table had no stream, so one was added. Earlier changes are not counted. To count them, stop the service, then:
  npm run ops -- summaries rebuild --all --endpoint ${endpoint} --table ${tableName}`);
  } catch (error) {
    throw new UsageError(`No usable DynamoDB at ${endpoint} (${describeError(error)}).`, { cause: error });
  }
  try {
    await loadDemoRecords();
    const earlier = await readServiceDescription();
    return await demoKeys(earlier?.organisations ?? []);
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    const problem = `DynamoDB at ${endpoint} did not store the demo data in time (${describeError(error)}).`;
    throw new UsageError(`${problem} If this machine is busy, start again later.`, { cause: error });
  }
}

/** Outgoing events, one per line, with the EventBridge fields that rules match. */
const eventFile = ".local/events.ndjson";

/** Replaces the pipe and the event bus: converts changes to events and appends them to a file, which starts empty. */
async function subscribeEventFile(): Promise<Subscription> {
  await mkdir(dirname(eventFile), { recursive: true });
  // Readable only by its owner: notes contain personal data.
  await writeFile(eventFile, "", { mode: 0o600 });
  return {
    wants: mayBecomeEvent,
    async consumer({ Records }) {
      const events = await outgoingEvents(Records);
      const lines = events.map(({ detail_type, detail }) => ({
        source: "ticketing",
        "detail-type": detail_type,
        detail,
      }));
      await appendFile(eventFile, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
      return { batchItemFailures: [] };
    },
  };
}
