import { execFile, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Endpoint } from "../functions/api/endpoint.ts";
import { getEvent } from "../functions/endpoints/getEvent.ts";
import { endpoints } from "../functions/endpoints/index.ts";
import { listEventDates } from "../functions/endpoints/listEventDates.ts";
import { listEvents } from "../functions/endpoints/listEvents.ts";
import { fromAttributes } from "../functions/table/item.ts";
import { directoryOf, requestOf } from "./functions.ts";
import { generatedId } from "./generatedRecords.ts";
import { makeRequest, type Request } from "./makeRequest.ts";
import type { Call, RecordingProxy } from "./recordingProxy.ts";
import { median, type Row } from "./row.ts";

/**
 * The processor time of requests, warm and cold, beside the same calls by an ordinary handler and without the SDK. The candidates take
 * turns. This process answers for DynamoDB, from memory.
 */
export async function* measureProcessorTime(key: string, proxy: RecordingProxy, effort: Effort): AsyncGenerator<Row> {
  const endpoints = [
    { endpoint: getEvent, ordinary: "ordinaryEvents" },
    { endpoint: listEvents, ordinary: "ordinaryEvents" },
    { endpoint: listEventDates, ordinary: "ordinaryDates" },
  ];
  for (const { endpoint, ordinary } of endpoints) {
    const candidates = await candidatesOf(endpoint, ordinary, key, proxy);
    yield* measureWarmRequest(endpoint, candidates, effort);
    yield* measureColdRequest(endpoint, candidates, proxy, effort.rounds);
  }
}

/** The processor time to load the bundle of each function on the request path in a new process. */
export function measureInitialisation(rounds: number): AsyncGenerator<Row> {
  const functions = ["apiKeyAuthorizer", "superAdminAuthorizer", ...endpoints.map(({ operationId }) => operationId)];
  const names = ["bare", "withoutSdk", "ordinaryAuthorizer", "ordinaryEvents", ...functions];
  const bundles = names.map((name) => ({ what: `processor time to load ${name}`, directory: directoryOf(name) }));
  return inTurns(bundles, rounds, "ms", async ({ directory }) => (await processorTime(directory)).milliseconds);
}

/** How often each candidate makes its request. */
interface Effort {
  rounds: number;
  warmUpRequests?: number;
  requestsPerRound?: number;
}

/** The processor time of a request in a process that has made many. */
async function* measureWarmRequest(
  { operationId }: Endpoint,
  candidates: readonly Candidate[],
  effort: Effort,
): AsyncGenerator<Row> {
  const { rounds, warmUpRequests = 500, requestsPerRound = 200 } = effort;
  const started = candidates.map(({ what, request }) => ({
    what: `warm ${operationId}: ${what}`,
    worker: startWorker(request),
  }));
  for (const { worker } of started) await worker.measure(warmUpRequests);
  yield* inTurns(started, rounds, "µs", ({ worker }) => worker.measure(requestsPerRound));
  for (const { worker } of started) worker.stop();
}

/**
 * The processor time of a first request over TLS: the authorizer in one new process and the function in another, each from loading its
 * bundle to its response. It excludes the start of Node.
 */
function measureColdRequest(
  { operationId }: Endpoint,
  candidates: readonly Candidate[],
  { withTls }: RecordingProxy,
  rounds: number,
): AsyncGenerator<Row> {
  const tls = { AWS_ENDPOINT_URL_DYNAMODB: withTls.url, NODE_EXTRA_CA_CERTS: withTls.certificateFile };
  const named = candidates.map((candidate) => ({ ...candidate, what: `cold ${operationId}: ${candidate.what}` }));
  return inTurns(named, rounds, "ms", ({ request }) => coldRequest(request, tls));
}

async function coldRequest(request: Request, environment: Record<string, string>): Promise<number> {
  const { authorizer, function: own } = request;
  if (!authorizer) throw new Error("The request has no authorizer.");
  const authorization = await processorTime(authorizer.directory, environment, authorizer.event);
  const requestContext = { ...own.event.requestContext, authorizer: authorization.answer.context };
  const response = await processorTime(own.directory, environment, { ...own.event, requestContext });
  if (response.answer.statusCode !== 200) throw new Error(`A request returned ${response.answer.statusCode}.`);
  return authorization.milliseconds + response.milliseconds;
}

/** One way to make a request: in one process if warm, in two if cold. */
interface Candidate {
  what: string;
  request: Request;
}

/** Ours and others. The first is the baseline. */
async function candidatesOf(endpoint: Endpoint, ordinary: string, key: string, { takeCalls }: RecordingProxy) {
  const request = requestOf(endpoint, key, generatedId);
  takeCalls();
  await makeRequest(request);
  const [authorization, ...reads] = takeCalls();
  if (authorization === undefined) throw new Error("The authorizer made no call.");
  // The rows last: a list reads its parent beside its rows.
  const own = reads.sort((one, other) => one.action.localeCompare(other.action));
  const made = (authorizer: string, name: string, callsOf: (calls: Call[]) => object[]): Request => ({
    authorizer: { directory: directoryOf(authorizer), event: { calls: callsOf([authorization]) } },
    function: { directory: directoryOf(name), event: { calls: callsOf(own) } },
  });
  return [
    { what: "an ordinary handler", request: made("ordinaryAuthorizer", ordinary, (calls) => calls.map(asDocument)) },
    { what: "without the SDK", request: made("withoutSdk", "withoutSdk", (calls) => calls) },
    { what: "ours", request },
  ] as const;
}

/** The call with the plain values that lib-dynamodb takes, and for whole items, as it is usually made. */
function asDocument({ action, wholeInput: input }: Call): { action: string; input: object } {
  const { Key, ExpressionAttributeValues: values } = input;
  const plain = {
    ...(Key && { Key: fromAttributes(Key) }),
    ...(values && { ExpressionAttributeValues: fromAttributes(values) }),
  };
  return { action, input: { ...input, ...plain } };
}

/** Measures candidates in turns, each round in the other order, so that other load on the machine affects all of them. The first is the baseline. */
async function* inTurns<Candidate extends { what: string }>(
  candidates: Candidate[],
  rounds: number,
  unit: string,
  measure: (candidate: Candidate) => Promise<number>,
): AsyncGenerator<Row> {
  const taken = candidates.map((candidate) => ({ candidate, times: [] as number[] }));
  for (let round = 0; round < rounds; round++) {
    for (const { candidate, times } of round % 2 === 0 ? taken : taken.toReversed())
      times.push(await measure(candidate));
  }
  const [baseline] = taken.map(({ times }) => median(times));
  for (const { candidate, times } of taken) yield { what: candidate.what, unit, measured: median(times), baseline };
}

/**
 * The processor time that a new process takes to load a bundle and, with an event, to call its handler once. It excludes the start of
 * Node itself.
 */
async function processorTime(directory: string, environment: Record<string, string> = {}, event?: object) {
  // Lambda's runtime has opened the streams before it loads a function.
  const program = `
    process.stdout; process.stderr;
    const before = process.cpuUsage();
    const { handler } = await import(${JSON.stringify(`${directory}/index.js`)});
    const event = ${JSON.stringify(event ?? null)};
    const answer = event && (await handler(event, { getRemainingTimeInMillis: () => 8_000 }));
    const { user, system } = process.cpuUsage(before);
    console.log(JSON.stringify({ milliseconds: (user + system) / 1_000, answer }));
    process.exit();`;
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", program], {
    // Functions log as they do when deployed.
    env: { ...process.env, POWERTOOLS_LOG_LEVEL: "INFO", POWERTOOLS_METRICS_NAMESPACE: "bench", ...environment },
  });
  const [line = ""] = stdout.trimEnd().split("\n").slice(-1);
  return JSON.parse(line);
}

/** Starts a process that repeats a request. Its output is discarded; it ends with this process at the latest. */
function startWorker(request: Request) {
  const child = fork(join(import.meta.dirname, "worker.ts"), [JSON.stringify(request)], {
    // Functions log as they do when deployed.
    env: { ...process.env, POWERTOOLS_LOG_LEVEL: "INFO", POWERTOOLS_METRICS_NAMESPACE: "bench" },
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const ended = once(child, "exit").then(() => Promise.reject(new Error("A worker ended.")));
  ended.catch(() => undefined);
  return {
    /** Makes this number of requests and returns the processor time of one, in microseconds. */
    async measure(requests: number): Promise<number> {
      child.send(requests);
      const [microseconds] = await Promise.race([once(child, "message"), ended]);
      return microseconds;
    },
    stop: () => child.disconnect(),
  };
}
