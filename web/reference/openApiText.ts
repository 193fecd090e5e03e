import { openApiDocument } from "../../functions/api/openapi/document.ts";
import { endpoints } from "../../functions/endpoints/index.ts";
import packageJson from "../../package.json" with { type: "json" };

/** The content of `/openapi.json`. */
export function openApiText(): string {
  return JSON.stringify(openApiDocument(endpoints, { version: packageJson.version }), null, 2);
}
