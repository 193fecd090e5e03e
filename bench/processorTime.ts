import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { Endpoint } from "../functions/api/endpoint.ts";
import { getEvent } from "../functions/endpoints/getEvent.ts";
import { listEvents } from "../functions/endpoints/listEvents.ts";
import { fromAttributes } from "../functions/table/item.ts";
import { directoryOf, requestOf } from "./functions.ts";
import { generatedId } from "./generatedRecords.ts";
import { makeRequest, type Request, type Step } from "./makeRequest.ts";
import type { Call, RecordingProxy } from "./recordingProxy.ts";
import { median, type Row } from "./row.ts";

/** How often each candidate makes its request. */
interface Effort {
  rounds: number;
  warmUpRequests?: number;
  requestsPerRound?: number;
}

/**
 * The processor time of requests beside the same calls by an ordinary handler: in a process that has made many, and of a first request. The
 * candidates take turns. This process answers for DynamoDB, from memory.
 */
export async function* measureProcessorTime(key: string, proxy: RecordingProxy, effort: Effort): AsyncGenerator<Row> {
  const { rounds, warmUpRequests = 500, requestsPerRound = 200 } = effort;
  for (const endpoint of [getEvent, listEvents]) {
    const candidates = await candidatesOf(endpoint, key, proxy);
    const started = candidates.map((candidate) => ({ ...candidate, worker: startWorker() }));
    for (const { worker, request } of started) await worker.measure(request, warmUpRequests);
    yield* inTurns(`warm ${endpoint.operationId}`, started, rounds, async ({ worker, request }) => {
      const { ms } = await worker.measure(request, requestsPerRound);
      return ms;
    });
    for (const { worker } of started) worker.stop();
    yield* inTurns(`cold ${endpoint.operationId}`, candidates, rounds, ({ request }) => coldRequest(request));
  }
}

/** The processor time to load the bundles that docs/decisions/0002-dynamodb-client.md compares, each in a new process. */
export function measureInitialisation(rounds: number): AsyncGenerator<Row> {
  const names = ["bare", "ordinaryEvents", "getEvent", "apiKeyAuthorizer", "listChanges", "createApiKey"];
  const bundles = names.map((what) => ({ what, directory: directoryOf(what) }));
  return inTurns("load", bundles, rounds, async ({ directory }) => (await inNewProcess({ directory })).ms);
}

/** Each function of a request in a new process, from loading its bundle to its answer. It excludes the start of Node. */
async function coldRequest(request: Request): Promise<number> {
  let total = 0;
  let context: object | undefined;
  for (const { directory, event } of request) {
    const requestContext = { ...event?.requestContext, authorizer: context };
    const { ms, answer } = await inNewProcess({ directory, event: { ...event, requestContext } });
    total += ms;
    context = answer?.context;
  }
  return total;
}

async function inNewProcess(step: Step) {
  const worker = startWorker();
  try {
    return await worker.measure([step], 1);
  } finally {
    worker.stop();
  }
}

/** The same request by two candidates. The first is the baseline. */
async function candidatesOf(endpoint: Endpoint, key: string, { takeCalls }: RecordingProxy) {
  const request = requestOf(endpoint, key, generatedId);
  takeCalls();
  await makeRequest(request);
  const [authorization, ...reads] = takeCalls();
  if (authorization === undefined) throw new Error("The authorizer made no call.");
  const ordinary: Request = [
    { directory: directoryOf("ordinaryAuthorizer"), event: { calls: [asDocument(authorization)] } },
    { directory: directoryOf("ordinaryEvents"), event: { calls: reads.map(asDocument) } },
  ];
  return [
    { what: "an ordinary handler", request: ordinary },
    { what: "ours", request },
  ];
}

/** The same call as it is usually made: for whole items, with the plain values that lib-dynamodb takes. */
function asDocument({ action, wholeInput: input }: Call): { action: string; input: object } {
  const { Key, ExpressionAttributeValues: values } = input;
  const plain = {
    ...(Key && { Key: fromAttributes(Key) }),
    ...(values && { ExpressionAttributeValues: fromAttributes(values) }),
  };
  return { action, input: { ...input, ...plain } };
}

/** Measures milliseconds in turns, each round in the other order, so that other load on the machine affects all. The first is the baseline. */
async function* inTurns<Candidate extends { what: string }>(
  title: string,
  candidates: Candidate[],
  rounds: number,
  measure: (candidate: Candidate) => Promise<number>,
): AsyncGenerator<Row> {
  const taken = candidates.map((candidate) => ({ candidate, times: [] as number[] }));
  for (let round = 0; round < rounds; round++) {
    for (const { candidate, times } of round % 2 === 0 ? taken : taken.toReversed())
      times.push(await measure(candidate));
  }
  const [baseline] = taken.map(({ times }) => median(times));
  for (const { candidate, times } of taken)
    yield { what: `processor time, ${title}: ${candidate.what}`, unit: "ms", measured: median(times), baseline };
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
    /** Makes this number of requests. @returns the processor time of one, and the last answer. */
    async measure(request: Request, times: number): Promise<{ ms: number; answer?: { context?: object } }> {
      child.send({ request, times });
      const [measured] = await Promise.race([once(child, "message"), ended]);
      return measured;
    },
    stop: () => child.disconnect(),
  };
}
