import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { Endpoint } from "../functions/api/endpoint.ts";
import { getEvent } from "../functions/endpoints/getEvent.ts";
import { listEvents } from "../functions/endpoints/listEvents.ts";
import { listOrders } from "../functions/endpoints/listOrders.ts";
import { recordLastUsed } from "../functions/keys/apiKeyHashes.ts";
import { apiKeyRepository } from "../functions/keys/apiKeyRepository.ts";
import { events } from "../functions/resources/event.ts";
import { defaultPerPage } from "../functions/resources/page.ts";
import { itemKeys } from "../functions/table/itemKeys.ts";
import { declaredList, listAttributes } from "../functions/table/lists.ts";
import { openTable } from "../functions/table/table.ts";
import { directoryOf } from "./functions.ts";
import { generatedId, sellingOrganisation, smallOrganisation } from "./generatedRecords.ts";
import { median, type Row } from "./row.ts";
import type { Request } from "./worker.ts";

const rounds = 15;
const warmUpRequests = 500;
const requestsPerRound = 200;

/**
 * The processor time of requests, compared with the same calls by an ordinary handler: in a process that has made many, and of a first request, from
 * loading the functions to their answers. DynamoDB's time does not count.
 */
export async function* measureProcessorTime(): AsyncGenerator<Row> {
  const { key, stored } = await createKey(smallOrganisation);
  const eventItem = itemKeys.event(smallOrganisation, generatedId);
  for (const [endpoint, call] of [
    [getEvent, { action: "GetItem", input: { ...table(), Key: eventItem, ConsistentRead: true } }],
    [listEvents, { action: "Query", input: { ...table(), ...firstEvents() } }],
  ] as const) {
    const hashItem = { ...table(), Key: itemKeys.apiKeyHash(stored.hash), ConsistentRead: true };
    const ordinary = [
      { directory: directoryOf("ordinaryAuthorizer"), event: { calls: [{ action: "GetItem", input: hashItem }] } },
      { directory: directoryOf("ordinaryEvents"), event: { calls: [call] } },
    ];
    yield* compare(endpoint.operationId, { "an ordinary handler": ordinary, ours: requestOf(endpoint, key) });
  }
  const seller = await createKey(sellingOrganisation);
  yield* compare(listOrders.operationId, {
    "the page alone": requestOf(listOrders, seller.key),
    "with tickets and payments": requestOf(listOrders, seller.key, "tickets,payments"),
  });
}

/** A key that was last used tomorrow, so that no request writes its own last use: requests write it at most once a minute. */
async function createKey(organisationId: number) {
  const createdBy = { name: "bench", subject: "bench" };
  const created = await apiKeyRepository(organisationId, openTable()).create("Bench", ["read"], createdBy);
  await recordLastUsed(openTable(), created.stored.hash, new Date(Date.now() + 86_400_000));
  return created;
}

const table = () => ({ TableName: openTable().name() });

/** The query of the first page of events, as it is usually written. */
function firstEvents() {
  const list = declaredList(events, "all", smallOrganisation);
  return {
    IndexName: list.index,
    KeyConditionExpression: `${listAttributes(list).partitionKey} = :partition`,
    ExpressionAttributeValues: { ":partition": list.partition },
    ScanIndexForward: list.direction === "ascending",
    Limit: defaultPerPage + 1,
  };
}

/** The events that the gateway makes of one request: the authorizer's, then the function's. */
function requestOf({ operationId, method, path }: Endpoint, key: string, expand?: string): Request {
  const authorizationToken = `Bearer ${key}`;
  const methodArn = `arn:aws:execute-api:::/${method}${path}`;
  const event = {
    httpMethod: method,
    path,
    headers: { Accept: "*/*", "User-Agent": "bench", Authorization: authorizationToken },
    body: null,
    pathParameters: { id: String(generatedId) },
    multiValueQueryStringParameters: expand === undefined ? null : { expand: [expand] },
    requestContext: { requestId: "bench", path, domainName: "localhost" },
  };
  return [
    { directory: directoryOf("apiKeyAuthorizer"), event: { type: "TOKEN", authorizationToken, methodArn } },
    { directory: directoryOf(operationId), event },
  ];
}

/** Measures candidates in turns, each round in the other order, so that other load on the machine affects all. The first is the baseline. */
async function* compare(operationId: string, candidates: Record<string, Request>): AsyncGenerator<Row> {
  const measured = Object.entries(candidates).map(([name, request]) => {
    return { name, request, worker: startWorker(), warm: [] as number[], cold: [] as number[] };
  });
  for (const { worker, request } of measured) await worker.measure(request, warmUpRequests);
  for (let round = 0; round < rounds; round++) {
    for (const { request, worker, warm, cold } of round % 2 === 0 ? measured : measured.toReversed()) {
      warm.push(await worker.measure(request, requestsPerRound));
      const newWorker = startWorker();
      cold.push(await newWorker.measure(request, 1));
      newWorker.stop();
    }
  }
  for (const { worker } of measured) worker.stop();
  for (const kind of ["warm", "cold"] as const) {
    const baseline = median(measured[0]?.[kind] ?? []);
    for (const { name, [kind]: times } of measured) {
      const what = `processor time, ${kind} ${operationId}: ${name}`;
      yield { what, unit: "ms", measured: median(times), baseline };
    }
  }
}

/** Starts a process that repeats requests. Its output is discarded; it ends with this process at the latest. */
function startWorker() {
  const child = fork(join(import.meta.dirname, "worker.ts"), {
    // Functions log as they do when deployed.
    env: { ...process.env, POWERTOOLS_LOG_LEVEL: "INFO", POWERTOOLS_METRICS_NAMESPACE: "bench" },
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const ended = once(child, "exit").then(() => Promise.reject(new Error("A worker ended.")));
  ended.catch(() => undefined);
  return {
    /** Makes this number of requests. @returns the processor time of one. */
    async measure(request: Request, times: number): Promise<number> {
      child.send({ request, times });
      const [ms] = await Promise.race([once(child, "message"), ended]);
      return ms;
    },
    stop: () => child.disconnect(),
  };
}
