import { readFileSync } from "node:fs";
import { openApiDocument } from "../../functions/api/openapi/document.ts";
import { endpoints } from "../../functions/endpoints/index.ts";
import packageJson from "../../package.json" with { type: "json" };
import { type WebsiteFile, websiteFile } from "../website.ts";
import { referencePage } from "./referencePage.ts";

/** The reference page at `/docs`, what it loads, and the OpenAPI document. */
export function referenceFiles(): WebsiteFile[] {
  const openApi = openApiText();
  return [
    websiteFile("/docs", referencePage(JSON.parse(openApi))),
    websiteFile("/docs/reference.js", own("reference.js")),
    websiteFile("/docs/reference.css", own("reference.css")),
    websiteFile("/docs/favicon.svg", own("favicon.svg")),
    websiteFile("/openapi.json", openApi),
  ];
}

function own(name: string): Buffer {
  return readFileSync(new URL(name, import.meta.url));
}

/** The reference page may load only files of its own origin, and nothing inline. */
export const referenceContentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** The content of `/openapi.json`. */
export function openApiText(): string {
  return JSON.stringify(openApiDocument(endpoints, { version: packageJson.version }), null, 2);
}
