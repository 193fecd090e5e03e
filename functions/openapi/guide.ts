import { horizonMs } from "../data/repositories/orderRepository.ts";
import { retryAfterSeconds } from "../http/problemResponse.ts";
import { defaultPerPage, maximumPerPage } from "../resources/page.ts";

/** What holds for every operation, in Markdown: the introduction of the reference page. */
export const guide = `
The ticketing data of an organisation, for programs: events, their dates and ticket categories, orders, tickets, payments, discounts and
attendees. Beside each operation stand requests ready to run in curl, JavaScript, Python and other languages.

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

The operations of key administration are what the Developer area does for people who signed in. They take no API key.

## Values

- A field that can be null is always there.
- Ids are integers up to ${Number.MAX_SAFE_INTEGER}, given by your organisation's core system; only balance payments get theirs here.
- Money is in whole pence: 1250 is 12.50 in the currency that the event's \`currency_symbol\` shows.
- Dates and times are ISO 8601 texts, just as their source wrote them. One without an offset counts as UTC, a date alone as its midnight.

## Paging

A list answers with one page: its rows in \`data\`, and where it stands in \`pagination\`. \`per_page\` sets the most rows of a page, from 1 to
${maximumPerPage}; left out, it is ${defaultPerPage}. While \`pagination.has_more\` is true, ask for the next page with \`cursor\` set to
\`pagination.next_cursor\`, or follow the \`Link\` header with \`rel="next"\`, which is the same request ready to send.

Cursors are opaque and belong to the list they came from. Rows that are added or changed while you page cause no repeats and no gaps
among the others.

## Incremental sync

\`GET /v1/orders\` is for a copy of all orders that stays up to date. It lists them in the order in which this service accepted their latest
changes, oldest first, and each page carries a \`resume_cursor\`: where to go on from, tonight or next month.

1. Begin without a cursor, or with \`changed_since\` for a copy that begins at a time.
2. Store the page's rows by \`id\`, each in place of the one that you have, and **then** its \`resume_cursor\`.
3. While \`has_more\` is true, ask again with \`cursor\` set to it.
4. The next time, go on from the cursor that you have stored.

Nothing is missed: the order is that of this service's own clock, not of \`date_modified\`, and a change is shown some ${horizonMs / 1000} seconds after it was
accepted, when nothing can come to stand before it any more. Rows come again: an order that changes moves to the end, and a page that you
did not get to store is repeated.

A change is a new order, one of which the core system says something else than before, or one whose note is set through this API; an order
imported again unchanged is none, nor is a change of its tickets, payments or attendees alone. An order that is called off stays, with the
\`status\` \`cancelled\`, \`expired\` or \`refunded\`. One that your core system deletes, as a test order or at a person's wish, leaves the list without
a trace: a copy that must not keep such orders compares its ids with those of a new copy from time to time.

## Idempotent writes

When no answer comes to a request that records money, it may or may not have been recorded. Send it with an \`Idempotency-Key\`, a text of
your choice that is new for every payment that you mean, and you need not know: the same request again under the same key, within 24 hours
and with the same API key, records nothing more and gets the first answer, be it the record or the refusal (409), with \`Idempotency-Replayed: true\`. Another request under the
same key is 422 \`idempotency_mismatch\`.

## Conditional updates

Send the \`ETag\` of the order that you saw as \`If-Match\` with its update. Where the order is another by now, the answer is 412
\`precondition_failed\` and nothing is changed: get it again and decide anew. Without \`If-Match\`, the last one to write wins.

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
(${retryAfterSeconds}), and a random moment more, and send the same request again; a write without an \`Idempotency-Key\` only after 429, since after 503 it may
have been made.
`.trim();
