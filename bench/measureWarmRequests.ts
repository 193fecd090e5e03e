import type { Endpoint } from "../functions/http/endpoint.ts";
import { directoryOf, readEndpoints, requestOf } from "./functions.ts";
import { generatedId } from "./generatedRecords.ts";
import { median } from "./median.ts";
import { startRecorder } from "./recorder.ts";
import { recordRequest } from "./recordRequest.ts";
import type { Row } from "./row.ts";
import { startFunction } from "./runningFunction.ts";
import type { Round } from "./worker.ts";

const maximumProcessorRatio = 0.8;
const maximumWallRatio = 1;
const warmUpRequests = 400;
const requestsPerRound = 200;

/**
 * What a request costs a warm process, all of our code and the authorizer included, beside a bare handler that makes the same calls to
 * DynamoDB. Both take turns, and DynamoDB's part is answered from memory by another process.
 */
export async function measureWarmRequests(dynamoDbEndpoint: string, key: string, rounds: number): Promise<Row[]> {
  const rows: Row[] = [];
  for (const endpoint of readEndpoints) rows.push(...(await warmRequest(endpoint, dynamoDbEndpoint, key, rounds)));
  return rows;
}

async function warmRequest(endpoint: Endpoint, dynamoDbEndpoint: string, key: string, rounds: number): Promise<Row[]> {
  const work = requestOf(endpoint, key, generatedId);
  const { calls } = await recordRequest(work, dynamoDbEndpoint);
  const recorder = await startRecorder(dynamoDbEndpoint);
  const ours = await startFunction(work, recorder.url);
  const bare = await startFunction({ function: { directory: directoryOf("bare"), event: { calls } } }, recorder.url);
  const taken = { ours: [] as Round[], bare: [] as Round[] };
  for (const running of [ours, bare]) await running.ask(warmUpRequests);
  for (let round = 0; round < rounds; round++) {
    taken.ours.push(await ours.ask(requestsPerRound));
    taken.bare.push(await bare.ask(requestsPerRound));
    await recorder.calls();
  }
  await Promise.all([ours.stop(), bare.stop(), recorder.stop()]);

  const row = (what: string, of: "processorMicroseconds" | "wallMicroseconds", maximumRatio: number): Row => ({
    what: `${what} of a warm ${endpoint.operationId}`,
    unit: "µs",
    measured: median(taken.ours.map((round) => round[of])),
    baseline: median(taken.bare.map((round) => round[of])),
    maximumRatio,
    kind: "time",
  });
  return [
    row("processor time", "processorMicroseconds", maximumProcessorRatio),
    row("p50", "wallMicroseconds", maximumWallRatio),
  ];
}
