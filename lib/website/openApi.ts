import { openApiDocument } from "../../functions/api/openapi/document.ts";
import { endpoints } from "../../functions/endpoints/index.ts";
import packageJson from "../../package.json" with { type: "json" };

/**
 * The content of `/openapi.json`.
 * @param supportContact the e-mail address, or the URL of a page, where integrators get help.
 */
export function openApiText(supportContact?: string): string {
  return JSON.stringify(openApiDocument(endpoints, { version: packageJson.version, supportContact }), null, 2);
}

/** The document of the operations that take an API key, from which the clients' types follow. */
export function apiKeyDocument() {
  return openApiDocument(
    endpoints.filter(({ caller }) => caller.scheme === "apiKey"),
    { version: "" },
  );
}
