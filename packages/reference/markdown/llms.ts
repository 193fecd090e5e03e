import type { TextPage } from "./resourcePages.ts";

/** What a language model should read first, by https://llmstxt.org. */
export function llmsText(guides: readonly TextPage[], pages: readonly TextPage[], version: string): string {
  const links = (some: readonly TextPage[]) => some.map(({ path, title }) => `- [${title}](${path})`).join("\n");
  return `# Ticketing API

> Read access to an organisation's events, dates, orders, tickets, payments, discounts, attendees and summaries over HTTP and JSON, with a few writes.

Every request needs \`Authorization: Bearer <API_KEY>\`. The [OpenAPI 3.1 document](/openapi/v1.json) has every operation, schema and error, and so have the pages below. Paths begin with \`$BASE_URL\`, the service's address without \`/v1\`.

Clients for TypeScript and Python: \`npm install $BASE_URL/clients/ticketing-client.tgz\`, \`pip install $BASE_URL/clients/ticketing_client-${version}-py3-none-any.whl\`.

## Guides

${links(guides)}

## Operations, fields and errors

${links(pages)}
`;
}
