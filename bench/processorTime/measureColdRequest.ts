import type { Endpoint } from "../../functions/api/endpoint.ts";
import type { Request } from "../makeRequest.ts";
import type { RecordingProxy } from "../recordingProxy.ts";
import type { Row } from "../row.ts";
import type { Candidate } from "./candidates.ts";
import { processorTime } from "./inNewProcess.ts";
import { inTurns } from "./inTurns.ts";

/**
 * The processor time of a first request over TLS: the authorizer in one new process and the function in another, each from loading its
 * bundle to its response. It excludes the start of Node.
 */
export function measureColdRequest(
  { operationId }: Endpoint,
  candidates: Candidate[],
  { withTls }: RecordingProxy,
  rounds: number,
): AsyncGenerator<Row> {
  const environment = { AWS_ENDPOINT_URL_DYNAMODB: withTls.url, NODE_EXTRA_CA_CERTS: withTls.certificateFile };
  const named = candidates.map(({ what, request }) => ({ what: `cold ${operationId}: ${what}`, request }));
  return inTurns(named, rounds, "ms", ({ request }) => coldRequest(request, environment));
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
