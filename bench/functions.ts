import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildSync } from "esbuild";
import type { Endpoint } from "../functions/api/endpoint.ts";
import { endpoints } from "../functions/endpoints/index.ts";
import { Attendee } from "../functions/resources/attendee.ts";
import { exampleOf } from "../functions/resources/fields.ts";
import { Ticket } from "../functions/resources/ticket.ts";
import { bundleFunctions, functionEntryPoints } from "../lib/bundleFunctions.ts";
import type { Request } from "./makeRequest.ts";

/** The endpoints that integrations call. */
export const readEndpoints = endpoints.filter(({ caller }) => caller.scope === "read");
export const writeEndpoints = endpoints.filter(({ caller }) => caller.scope?.startsWith("write:"));

const ordinaryHandlers = ["ordinaryAuthorizer", "ordinaryEvents"];
const directories = {
  ...bundleFunctions({ ...functionEntryPoints, bare: "bench/clients/bare.ts" }),
  ...bundleOrdinary(),
};

export function directoryOf(name: string): string {
  const directory = directories[name];
  if (directory === undefined) throw new Error(`No bundle is named ${name}.`);
  return directory;
}

const headers = { Accept: "*/*", "User-Agent": "bench", "Content-Type": "application/json" };

/** The queries without which an endpoint refuses a request. Generated tickets have the example's barcode. */
const requiredQueries: Record<string, Record<string, string[]>> = {
  listTickets: { barcode: [exampleOf(Ticket).barcode ?? ""] },
  listAttendees: { email: [exampleOf(Attendee).email ?? ""] },
};

/**
 * The events that the gateway makes of one request: the authorizer's, then the function's.
 *
 * @param id the value of `{id}` in the path.
 */
export function requestOf(
  { operationId, method, path, body }: Endpoint,
  key: string,
  id: number,
  query: Record<string, string[]> | null = requiredQueries[operationId] ?? null,
): Request {
  const authorizationToken = `Bearer ${key}`;
  const methodArn = `arn:aws:execute-api:::/${method}${path}`;
  const event = {
    httpMethod: method,
    path,
    headers: { ...headers, Authorization: authorizationToken },
    body: body && JSON.stringify(exampleOf(body)),
    pathParameters: { id: String(id) },
    multiValueQueryStringParameters: query,
    requestContext: { requestId: "bench", path, domainName: "localhost" },
  };
  return [
    { directory: directoryOf("apiKeyAuthorizer"), event: { type: "TOKEN", authorizationToken, methodArn } },
    { directory: directoryOf(operationId), event },
  ];
}

/** Bundles the ordinary handlers as esbuild does for Node, minified. Returns directories by name, deleted when the process exits. */
function bundleOrdinary(): Record<string, string> {
  const outdir = mkdtempSync(join(tmpdir(), "ordinary-"));
  process.once("exit", () => rmSync(outdir, { recursive: true }));
  const entryPoints = ordinaryHandlers.map((name) => ({ in: `bench/clients/${name}.ts`, out: `${name}/index` }));
  buildSync({ entryPoints, outdir, bundle: true, platform: "node", minify: true });
  return Object.fromEntries(ordinaryHandlers.map((name) => [name, join(outdir, name)]));
}
