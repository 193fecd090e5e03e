import { endpoints } from "../../functions/endpoints/index.ts";
import { openApiDocument } from "../../functions/openapi/document.ts";
import packageJson from "../../package.json" with { type: "json" };

/** The content of `/openapi.json`. */
export function openApiText(): string {
  return JSON.stringify(openApiDocument(endpoints, { version: packageJson.version }), null, 2);
}
