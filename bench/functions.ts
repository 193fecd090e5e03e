import { endpoints } from "../functions/endpoints/index.ts";
import type { Endpoint } from "../functions/http/endpoint.ts";
import { exampleOf } from "../functions/resources/exampleOf.ts";
import { bundleFunctions } from "../lib/bundleFunctions.ts";
import { functionEntryPoints } from "../lib/functionEntryPoints.ts";
import type { Step, Work } from "./worker.ts";

/** What integrations ask, and so does the bench. People's key administration is left alone. */
export const readEndpoints = endpoints.filter(({ caller }) => caller.scope === "read");
export const writeEndpoints = endpoints.filter(({ caller }) => caller.scope?.startsWith("write:"));

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

const headers = { Accept: "*/*", "User-Agent": "bench", "Content-Type": "application/json" };

/**
 * One request of an endpoint, as the gateway makes it of an HTTP request: first to the authorizer, then to the function.
 *
 * @param id what to put into `{id}`.
 */
export function requestOf(endpoint: Endpoint, key: string, id: number): Work & { authorizer: Step } {
  const { operationId, method, path, body } = endpoint;
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
        headers: { ...headers, Authorization: `Bearer ${key}` },
        body: body && JSON.stringify(exampleOf(body)),
        pathParameters: { id: String(id) },
        multiValueQueryStringParameters: null,
        requestContext,
      },
    },
  };
}
