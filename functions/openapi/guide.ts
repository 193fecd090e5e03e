import { horizonMs } from "../data/repositories/orderRepository.ts";
import { retryAfterSeconds } from "../http/problemResponse.ts";
import { defaultPerPage, maximumPerPage } from "../resources/page.ts";

/** The introduction of the reference page, in Markdown: the rules that apply to every operation. */
export const guide = `
This API gives programs access to an organisation's ticketing data: events, their dates and ticket categories, orders, tickets, payments, discounts
and attendees. Each operation below has example requests in curl, JavaScript, Python and other languages.

## Authentication

Send an API key with every request, in the \`Authorization\` header and nowhere else:

\`\`\`sh
curl <BASE_URL>/v1/key \\
  -H "Authorization: Bearer <API_KEY>"
\`\`\`

The key determines the organisation, so you never send an organisation id. Resources of other organisations get 404, as if they did not
exist.

A super-admin of your organisation creates keys and chooses their scopes. Every key has the scope \`read\`, which allows all read
operations; each kind of write needs its own scope. A key does not expire. It works until it is revoked; from that moment every request
with it gets 401. To change keys, create the new one, switch over, then revoke the old one.

The operations of key administration serve the Developer area, for people who have signed in. They do not accept API keys.

## Values

- Nullable fields are always present.
- Ids are integers up to ${Number.MAX_SAFE_INTEGER}, assigned by your organisation's core system. Only the ids of balance payments are assigned by this service.
- Money is in whole pence: 1250 is 12.50 in the currency that the event's \`currency_symbol\` shows.
- Dates and times are ISO 8601 texts, exactly as their source wrote them. A time without an offset counts as UTC, and a date alone as its midnight in UTC.

## Paging

A list returns one page: rows in \`data\`, and the position in \`pagination\`. \`per_page\` sets the maximum number of rows, from 1 to
${maximumPerPage}; the default is ${defaultPerPage}. While \`pagination.has_more\` is true, request the next page with \`cursor\` set to
\`pagination.next_cursor\`. The \`Link\` header with \`rel="next"\` contains that request, ready to send.

A cursor is opaque and belongs to the list that returned it. Rows that are added or changed while you page cause no repeats and no gaps
among the others.

## Incremental sync

Use \`GET /v1/orders\` to keep a copy of all orders up to date. It lists orders in the order in which this service accepted their latest
changes, oldest first. Every page carries a \`resume_cursor\`, which marks where to continue, tonight or next month.

1. Start without a cursor, or with \`changed_since\` to copy only what changed since a time.
2. Store the page's rows by \`id\`, each replacing the one that you have. **Then** store \`resume_cursor\`.
3. While \`has_more\` is true, send the request again with \`cursor\` set to \`resume_cursor\`.
4. Next time, continue from the stored cursor.

You miss no change. The list follows this service's clock, not \`date_modified\`. A change appears about ${horizonMs / 1000} seconds after it was accepted,
when no earlier change can still arrive. Rows can repeat: an order that changes again moves to the end, and a page that you did not store
is sent again.

A change is a new order, an order whose record from your core system differs from before, or a note set through this API. Importing an
unchanged order again is not a change, nor is a change of its tickets, payments or attendees alone. A cancelled order stays, with the
\`status\` \`cancelled\`, \`expired\` or \`refunded\`. An order that your core system deletes, such as a test order or at a person's request, leaves
the list without a trace. If your copy must not keep such orders, compare its ids with those of a new copy from time to time.

## Idempotent writes

If a request that records money gets no response, it may or may not have succeeded. Send an \`Idempotency-Key\`, a text of your choice that
is unique to each payment, and a retry is safe. The same request with the same \`Idempotency-Key\` and the same API key, within 24 hours,
records nothing more. It gets the first response, success or 409, with \`Idempotency-Replayed: true\`. A different request with the same
\`Idempotency-Key\` gets 422 \`idempotency_mismatch\`.

## Conditional updates

Send the \`ETag\` of the order that you read as \`If-Match\` with its update. If the order has changed since, the response is 412
\`precondition_failed\` and nothing changes: fetch the order again and decide anew. Without \`If-Match\`, the last write wins.

## Errors

Every error has the same JSON shape, \`application/problem+json\` (RFC 9457). Distinguish errors by \`code\`; \`detail\` is for people and its
wording may change. Quote \`request_id\` when you ask for help.

Parameters are strict: an unknown, repeated or out-of-range parameter gets 400 \`invalid_request\`, and \`errors\` names it. Nothing is
ignored or silently corrected.

## Conditional requests

Every successful GET carries an \`ETag\`. Send it back in \`If-None-Match\`: if the response would be the same, you get 304 without a body.
You may cache responses, but check them in this way before each use (\`Cache-Control: private, no-cache\`). Bodies over 1 KB are compressed
for clients that send \`Accept-Encoding: gzip\`.

## Rate limits

Too many requests at once get 429 \`rate_limited\`. Both 429 and 503 \`service_unavailable\` carry \`Retry-After\`: wait for that number of
seconds (${retryAfterSeconds}) plus a random moment, then send the same request again. After 503, a write without an \`Idempotency-Key\` may
have succeeded: check before you send it again.
`.trim();
