import type { Endpoint } from "../../functions/api/endpoint.ts";
import { fromAttributes } from "../../functions/table/dynamodb/attributeValue.ts";
import { directoryOf, requestOf } from "../functions.ts";
import { generatedId } from "../generatedRecords.ts";
import { makeRequest, type Request } from "../makeRequest.ts";
import type { Call, RecordingProxy } from "../recordingProxy.ts";

/** One way to make a request: in one process if warm, in two if cold. */
export interface Candidate {
  what: string;
  request: Request;
}

/** Ours and others. The first is the baseline. */
export async function candidatesOf(endpoint: Endpoint, ordinary: string, key: string, { takeCalls }: RecordingProxy) {
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
  ];
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
