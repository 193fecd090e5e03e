import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { readDocument } from "./document.ts";
import { guideTexts } from "./guides.ts";
import { resourcePages, type TextPage } from "./markdown/resourcePages.ts";
import { referencePage } from "./referencePage.ts";

interface ReferenceFile {
  /** For example `/docs`. */
  path: string;
  body: string | Buffer;
}

/** The reference page at `/docs`, and what it loads. @param openApi the document, as JSON. */
export function referenceFiles(openApi: string): ReferenceFile[] {
  const document = JSON.parse(openApi);
  const guides = guideTexts();
  const guidePaths = guides.map(({ path }) => path);
  const pages = resourcePages(readDocument(document), guidePaths);
  return [
    { path: "/docs", body: referencePage(document) },
    { path: "/docs/reference.js", body: own("reference.js") },
    { path: "/docs/samples.js", body: own("samples.js") },
    { path: "/docs/colours.js", body: own("colours.js") },
    { path: "/docs/reference.css", body: own("reference.css") },
    { path: "/docs/inter.woff2", body: font("@fontsource-variable/inter/files/inter-latin-wght-normal.woff2") },
    {
      path: "/docs/ibm-plex-mono.woff2",
      body: font("@fontsource/ibm-plex-mono/files/ibm-plex-mono-latin-400-normal.woff2"),
    },
    { path: "/docs/favicon.svg", body: own("favicon.svg") },
    ...[...guides, ...pages].map(({ path, text }) => ({ path, body: text })),
    { path: "/llms.txt", body: llmsText(guides, pages, document.info.version) },
  ];
}

/** A summary for language models, as https://llmstxt.org describes. */
function llmsText(guides: readonly TextPage[], pages: readonly TextPage[], version: string): string {
  const links = (some: readonly TextPage[]) => some.map(({ path, title }) => `- [${title}](${path})`).join("\n");
  return `# Ticketing API

> Read access to an organisation's events, dates, orders, tickets, payments, discounts, attendees and summaries over HTTP and JSON, with a few writes.

Every request below \`/v1\` needs \`Authorization: Bearer <API_KEY>\`; those below \`/admin\` need the ID token of a super-admin. The [OpenAPI 3.1 document](/openapi/v1.json) describes every operation, schema and error of \`/v1\`; the pages below also describe those of \`/admin\`. Paths begin with \`$BASE_URL\`, the service's address without \`/v1\`.

All orders with their tickets: \`GET /v1/orders?expand=tickets\`, page by page. [Basics](/docs/basics.md) shows paging, and [the HTTP contract](/docs/http-contract.md) says how look-ups match and what \`expand\` includes. [Summaries](/docs/summaries.md) says which rows a summary counts.

Clients for TypeScript and Python: \`npm install $BASE_URL/clients/ticketing-client.tgz\`, \`pip install $BASE_URL/clients/ticketing_client-${version}-py3-none-any.whl\`. The types of columns for tables are at \`/openapi/types.json\`, a manifest for Airbyte at \`/clients/airbyte-manifest.json\`, a collection of requests for Postman at \`/clients/postman-collection.json\`, a workflow for n8n at \`/clients/n8n-workflows.json\`, and a flow for Node-RED at \`/clients/node-red-flow.json\`.

## Guides

${links(guides)}

## Operations, fields and errors

${links(pages)}
`;
}

function own(name: string): Buffer {
  return readFileSync(new URL(name, import.meta.url));
}

/** The fonts of the Developer area. */
function font(file: string): Buffer {
  return readFileSync(createRequire(import.meta.url).resolve(file));
}

/** The reference page may load only files of its own origin, and nothing inline. */
export const referenceContentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");
