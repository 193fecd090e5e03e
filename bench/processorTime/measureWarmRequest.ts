import type { Endpoint } from "../../functions/http/endpoint.ts";
import { median } from "../median.ts";
import type { Row } from "../row.ts";
import type { Candidate } from "./candidates.ts";
import { startWorker } from "./startWorker.ts";

/** How often each candidate makes its request. */
export interface Effort {
  rounds: number;
  warmUpRequests?: number;
  requestsPerRound?: number;
}

/** The processor time of a request in a process that has made many. */
export async function* measureWarmRequest(
  endpoint: Endpoint,
  candidates: Candidate[],
  effort: Effort,
): AsyncGenerator<Row> {
  const { rounds, warmUpRequests = 500, requestsPerRound = 200 } = effort;
  const taken = candidates.map(({ what, request }) => ({ what, worker: startWorker(request), times: [] as number[] }));
  for (const { worker } of taken) await worker.measure(warmUpRequests);
  for (let round = 0; round < rounds; round++) {
    for (const { worker, times } of taken) times.push(await worker.measure(requestsPerRound));
  }
  for (const { worker } of taken) worker.stop();
  const [baseline] = taken.map(({ times }) => median(times));
  for (const { what, times } of taken) {
    yield { what: `warm ${endpoint.operationId}: ${what}`, unit: "µs", measured: median(times), baseline };
  }
}
