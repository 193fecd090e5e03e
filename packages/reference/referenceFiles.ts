import { readFileSync } from "node:fs";
import { guideTexts } from "./guides.ts";
import { referencePage } from "./referencePage.ts";

export interface ReferenceFile {
  /** For example `/docs`. */
  path: string;
  body: string | Buffer;
}

/**
 * The reference page at `/docs`, and what it loads.
 * @param openApi the document, as JSON.
 */
export function referenceFiles(openApi: string): ReferenceFile[] {
  const document = JSON.parse(openApi);
  const texts = guideTexts();
  return [
    { path: "/docs", body: referencePage(document) },
    { path: "/docs/reference.js", body: own("reference.js") },
    { path: "/docs/reference.css", body: own("reference.css") },
    { path: "/docs/favicon.svg", body: own("favicon.svg") },
    ...texts.map(({ path, text }) => ({ path, body: text })),
    { path: "/llms.txt", body: llmsText(texts, document.info.version) },
  ];
}

/** What a language model should read first, by https://llmstxt.org. */
function llmsText(texts: ReturnType<typeof guideTexts>, version: string): string {
  const links = texts.map(({ path, title }) => `- [${title}](${path})`);
  return `# Ticketing API

> Read access to an organisation's events, dates, orders, tickets, payments, discounts, attendees and summaries over HTTP and JSON, with a few writes.

Every request needs \`Authorization: Bearer <API_KEY>\`. The [OpenAPI 3.1 document](/openapi/v1.json) has every operation, schema and error.

Clients for TypeScript and Python: \`npm install $BASE_URL/clients/ticketing-client.tgz\`, \`pip install $BASE_URL/clients/ticketing_client-${version}-py3-none-any.whl\`.

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
