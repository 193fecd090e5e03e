import { endpoints } from "../functions/endpoints/index.ts";
import type { Endpoint } from "../functions/http/endpoint.ts";
import { exampleOf } from "../functions/resources/exampleOf.ts";
import { Ticket } from "../functions/resources/ticket.ts";
import { bundleFunctions } from "../lib/bundleFunctions.ts";
import { functionEntryPoints } from "../lib/functionEntryPoints.ts";
import type { Request } from "./makeRequest.ts";

/** The endpoints that integrations call. */
export const readEndpoints = endpoints.filter(({ caller }) => caller.scope === "read");
export const writeEndpoints = endpoints.filter(({ caller }) => caller.scope?.startsWith("write:"));

/** The functions as they are deployed, and the clients to compare with, bundled in the same way. */
const directories = bundleFunctions({
  ...functionEntryPoints,
  ours: "bench/clients/ours.ts",
  sdkDefaults: "bench/clients/sdkDefaults.ts",
  documentClient: "bench/clients/documentClient.ts",
  withoutSdk: "bench/clients/withoutSdk.ts",
});

/** The directory of a function's or client's bundle. */
export function directoryOf(name: string): string {
  const directory = directories[name];
  if (directory === undefined) throw new Error(`No bundle is named ${name}.`);
  return directory;
}

const headers = { Accept: "*/*", "User-Agent": "bench", "Content-Type": "application/json" };

/** The queries without which an endpoint refuses a request. Generated tickets have the example's barcode. */
const requiredQueries: Record<string, Record<string, string[]>> = {
  listTickets: { barcode: [exampleOf(Ticket).barcode ?? ""] },
};

/**
 * One request of an endpoint, as the gateway makes it of an HTTP request: first to the authorizer, then to the function.
 *
 * @param id the value of `{id}` in the path.
 */
export function requestOf({ operationId, method, path, body }: Endpoint, key: string, id: number): Request {
  const authorization = `Bearer ${key}`;
  return {
    authorizer: {
      directory: directoryOf("apiKeyAuthorizer"),
      event: {
        type: "TOKEN",
        authorizationToken: authorization,
        methodArn: `arn:aws:execute-api:::/${method}${path}`,
      },
    },
    function: {
      directory: directoryOf(operationId),
      event: {
        httpMethod: method,
        path,
        headers: { ...headers, Authorization: authorization },
        body: body && JSON.stringify(exampleOf(body)),
        pathParameters: { id: String(id) },
        multiValueQueryStringParameters: requiredQueries[operationId] ?? null,
        requestContext: { requestId: "bench", path, domainName: "localhost" },
      },
    },
  };
}
