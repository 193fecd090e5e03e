import { defaultPerPage, maximumPerPage } from "./page.ts";
import { retryAfterSeconds } from "./problem.ts";

/** What holds for every operation, in Markdown: the introduction of the reference page. */
export const guide = `
The events of an organisation, with their dates and ticket categories, for programs.

## Authentication

Send an API key with every request, in the \`Authorization\` header and nowhere else:

\`\`\`sh
curl <BASE_URL>/v1/key \\
  -H "Authorization: Bearer <API_KEY>"
\`\`\`

The key says which organisation's data you get: there is no organisation id to send, and what belongs to another organisation
answers 404, as if it did not exist.

A super-admin of your organisation creates keys, each with its scopes. \`read\` belongs to every key and opens every read operation; a
write needs a scope of its own. A key does not expire. It works until it is revoked, and from that moment on every request with
it gets 401. To change keys, create the new one, switch over, then revoke the old one.

## Values

- A field that can be null is always there.
- Ids are integers up to ${Number.MAX_SAFE_INTEGER}, given by your organisation's core system.
- Money is in whole pence: 1250 is 12.50 in the currency that the event's \`currency_symbol\` shows.
- Dates and times are ISO 8601 texts, just as their source wrote them. One without an offset counts as UTC, a date alone as its midnight.

## Paging

A list answers with one page: its rows in \`data\`, and where it stands in \`pagination\`. \`per_page\` sets the most rows of a page, from 1 to
${maximumPerPage}; left out, it is ${defaultPerPage}. While \`pagination.has_more\` is true, ask for the next page with \`cursor\` set to
\`pagination.next_cursor\`, or follow the \`Link\` header with \`rel="next"\`, which is the same request ready to send.

Cursors are opaque and belong to the list they came from. Rows that are added or changed while you page cause no repeats and no gaps
among the others.

## Errors

Every error has the same JSON shape, \`application/problem+json\` (RFC 9457). Tell errors apart by \`code\`; \`detail\` is for people and its
wording may change. Quote \`request_id\` when you ask for help.

Parameters are strict: an unknown, repeated or out-of-range one is 400 \`invalid_request\`, and \`errors\` names it. Nothing is ignored or
silently corrected.

## Conditional requests

Every successful GET carries an \`ETag\`. Send it back in \`If-None-Match\`: while the answer is still the same you get 304 without a body.
Answers may be kept, but must be checked in this way before each use (\`Cache-Control: private, no-cache\`). Bodies over 1 KB are
compressed for clients that send \`Accept-Encoding: gzip\`.

## Rate limits

Too many requests at once get 429 \`rate_limited\`. Both this and 503 \`service_unavailable\` carry \`Retry-After\`: wait that many seconds
(${retryAfterSeconds}) and send the same request again.
`.trim();
