import { readFileSync } from "node:fs";
import { openApiDocument } from "../../functions/api/openapi/document.ts";
import { endpoints } from "../../functions/endpoints/index.ts";
import packageJson from "../../package.json" with { type: "json" };
import { type WebsiteFile, websiteFile } from "../website.ts";
import { guideTexts } from "./guides.ts";
import { referencePage } from "./referencePage.ts";

/**
 * The reference page at `/docs`, what it loads, and the OpenAPI document.
 * @param supportContact the e-mail address, or the URL of a page, where integrators get help.
 */
export function referenceFiles(supportContact?: string): WebsiteFile[] {
  const openApi = openApiText(supportContact);
  const texts = guideTexts();
  return [
    websiteFile("/docs", referencePage(JSON.parse(openApi))),
    websiteFile("/docs/reference.js", own("reference.js")),
    websiteFile("/docs/reference.css", own("reference.css")),
    websiteFile("/docs/favicon.svg", own("favicon.svg")),
    ...texts.map(({ path, text }) => websiteFile(path, text)),
    websiteFile("/openapi.json", openApi),
    websiteFile("/llms.txt", llmsText(texts)),
  ];
}

/** What a language model should read first, by https://llmstxt.org. */
function llmsText(texts: ReturnType<typeof guideTexts>): string {
  const links = texts.map(({ path, title }) => `- [${title}](${path})`);
  return `# Ticketing API

> Read access to an organisation's events, dates, orders, tickets, payments, discounts, attendees and summaries over HTTP and JSON, with a few writes.

Every request needs \`Authorization: Bearer <API_KEY>\`. The [OpenAPI 3.1 document](/openapi.json) has every operation, schema and error.

Clients for TypeScript and Python: \`npm install $BASE_URL/clients/ticketing-client.tgz\`, \`pip install $BASE_URL/clients/ticketing_client-${packageJson.version}-py3-none-any.whl\`.

## Guides

${links.join("\n")}
`;
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
export function openApiText(supportContact?: string): string {
  return JSON.stringify(openApiDocument(endpoints, { version: packageJson.version, supportContact }), null, 2);
}
