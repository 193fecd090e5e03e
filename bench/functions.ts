import { endpoints } from "../functions/endpoints/index.ts";
import type { Endpoint } from "../functions/http/endpoint.ts";
import { bundleFunctions } from "../lib/bundleFunctions.ts";
import { functionEntryPoints } from "../lib/functionEntryPoints.ts";
import type { Step, Work } from "./worker.ts";

/** What the bench asks. It leaves alone what writes. */
export const readEndpoints = endpoints.filter(({ method }) => method === "GET");

/** The functions as they are deployed, and the bare one bundled in the same way. */
const directories = bundleFunctions({
  ...functionEntryPoints,
  bare: "bench/bareHandler.ts",
});

export const functionNames = Object.keys(directories).filter((name) => name !== "bare");

/** Where a function's bundle is. */
export function directoryOf(name: string): string {
  const directory = directories[name];
  if (directory === undefined) throw new Error(`There is no function ${name}.`);
  return directory;
}

/** Ids to put into `{id}`, by the path's first segment. */
export type Ids = Record<string, number>;

/** One request of an endpoint, as the gateway makes it of an HTTP request: first to the authorizer, then to the function. */
export function requestOf(endpoint: Endpoint, key: string, ids: Ids): Work & { authorizer: Step } {
  const { operationId, method, path } = endpoint;
  const id = String(ids[path.split("/")[2] ?? ""]);
  const requestContext = { requestId: "bench", path, domainName: "localhost" };
  return {
    authorizer: {
      directory: directoryOf("apiKeyAuthorizer"),
      event: {
        type: "TOKEN",
        authorizationToken: `Bearer ${key}`,
        methodArn: `arn:aws:execute-api:::/${method}${path}`,
      },
    },
    function: {
      directory: directoryOf(operationId),
      event: {
        httpMethod: method,
        path,
        headers: { Accept: "*/*", "User-Agent": "bench", Authorization: `Bearer ${key}` },
        pathParameters: { id },
        multiValueQueryStringParameters: null,
        requestContext,
      },
    },
  };
}
