import { fromAttributes } from "../functions/data/dynamodb/attributeValue.ts";
import { getEvent } from "../functions/endpoints/getEvent.ts";
import { listEvents } from "../functions/endpoints/listEvents.ts";
import type { Endpoint } from "../functions/http/endpoint.ts";
import { directoryOf, requestOf } from "./functions.ts";
import { generatedId } from "./generatedRecords.ts";
import { makeRequest, type Request } from "./makeRequest.ts";
import { median } from "./median.ts";
import type { Call } from "./recordingProxy.ts";
import type { Row } from "./row.ts";
import { startWorker } from "./startWorker.ts";

/** How often each candidate makes its request. */
interface Effort {
  rounds: number;
  warmUpRequests?: number;
  requestsPerRound?: number;
}

/**
 * The processor time of a warm request, and of its one call besides the authorizer's, each beside the same calls through other clients.
 * All take turns, and this process plays DynamoDB from memory.
 */
export async function* measureProcessorTime(key: string, takeCalls: () => Call[], effort: Effort): AsyncGenerator<Row> {
  for (const endpoint of [getEvent, listEvents]) yield* compare(endpoint, key, takeCalls, effort);
}

async function* compare(endpoint: Endpoint, key: string, takeCalls: () => Call[], effort: Effort) {
  const request = requestOf(endpoint, key, generatedId);
  takeCalls();
  await makeRequest(request);
  const calls = takeCalls();
  const own = calls.slice(1);
  const [{ action, answerBytes } = { action: "", answerBytes: 0 }] = own;
  const warm = `warm ${endpoint.operationId}`;
  const call = `one ${action}, ${(answerBytes / 1_000).toPrecision(2)} KB`;
  yield* alternate(
    [
      { what: `${warm}: same calls without the SDK`, request: clientRequest("withoutSdk", calls) },
      { what: `${warm}: same calls, the SDK at its defaults`, request: clientRequest("sdkDefaults", calls) },
      { what: `${warm}: authorizer and function`, request },
    ],
    effort,
  );
  yield* alternate(
    [
      { what: `${call}: without the SDK`, request: clientRequest("withoutSdk", own) },
      { what: `${call}: client-dynamodb at its defaults`, request: clientRequest("sdkDefaults", own) },
      { what: `${call}: lib-dynamodb`, request: clientRequest("documentClient", own.map(asDocument)) },
      { what: `${call}: our client`, request: clientRequest("ours", own) },
    ],
    effort,
  );
}

interface Candidate {
  what: string;
  request: Request;
}

/** Measures candidates in turn. The first is the baseline of the others. */
async function* alternate(candidates: Candidate[], effort: Effort): AsyncGenerator<Row> {
  const { rounds, warmUpRequests = 500, requestsPerRound = 200 } = effort;
  const taken = candidates.map(({ what, request }) => ({ what, worker: startWorker(request), times: [] as number[] }));
  for (const { worker } of taken) await worker.measure(warmUpRequests);
  for (let round = 0; round < rounds; round++) {
    for (const { worker, times } of taken) times.push(await worker.measure(requestsPerRound));
  }
  for (const { worker } of taken) worker.stop();
  const [baseline] = taken.map(({ times }) => median(times));
  for (const { what, times } of taken) yield { what, unit: "µs", measured: median(times), baseline };
}

function clientRequest(client: string, calls: { action: string; input: object }[]): Request {
  return { function: { directory: directoryOf(client), event: { calls } } };
}

/** The call with the plain values that lib-dynamodb takes. */
function asDocument({ action, input }: Call): { action: string; input: object } {
  const { Key, ExpressionAttributeValues: values } = input;
  const plain = {
    ...(Key && { Key: fromAttributes(Key) }),
    ...(values && { ExpressionAttributeValues: fromAttributes(values) }),
  };
  return { action, input: { ...input, ...plain } };
}
