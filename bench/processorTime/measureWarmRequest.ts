import type { Endpoint } from "../../functions/api/endpoint.ts";
import type { Row } from "../row.ts";
import type { Candidate } from "./candidates.ts";
import { inTurns } from "./inTurns.ts";
import { startWorker } from "./startWorker.ts";

/** How often each candidate makes its request. */
export interface Effort {
  rounds: number;
  warmUpRequests?: number;
  requestsPerRound?: number;
}

/** The processor time of a request in a process that has made many. */
export async function* measureWarmRequest(
  { operationId }: Endpoint,
  candidates: Candidate[],
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
