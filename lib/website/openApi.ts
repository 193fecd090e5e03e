import type { Endpoint } from "../../functions/api/endpoint.ts";
import { openApiDocument } from "../../functions/api/openapi/document.ts";
import { withSharedParts } from "../../functions/api/openapi/sharedParts.ts";
import { endpoints } from "../../functions/endpoints/index.ts";
import packageJson from "../../package.json" with { type: "json" };

/** The part of a document that depends on the deployment. */
export interface Deployment {
  /** An e-mail address or a URL, for help to integrators. */
  supportContact?: string | undefined;
  baseUrl?: string | undefined;
}

const ofApiKeys = endpoints.filter(({ caller }) => caller.scheme === "apiKey");

/** The OpenAPI documents by path: of all operations with the messages of webhooks, and of the operations that take an API key. */
export function openApiFiles(deployment: Deployment = {}) {
  const documentOf = (operations: readonly Endpoint[]) =>
    withSharedParts(openApiDocument(operations, { version: packageJson.version, ...deployment }));
  // Some generators of clients, such as typescript-fetch, take webhooks for operations of the service.
  const { webhooks: _, ...ofOperations } = documentOf(ofApiKeys);
  return { "/openapi.json": JSON.stringify(documentOf(endpoints)), "/openapi/v1.json": JSON.stringify(ofOperations) };
}

/** The source of the clients' types. */
export function apiKeyDocument() {
  return openApiDocument(ofApiKeys, { version: "" });
}
