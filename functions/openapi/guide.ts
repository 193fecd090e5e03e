import { deletionsShownDays } from "../data/records/tombstone.ts";
import { horizonMs } from "../data/repositories/changeRepository.ts";
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

A cursor is opaque and belongs to the list, with its filters, that returned it. Rows that are added or changed while you page cause no
repeats and no gaps among the others.

A list under an event, date or order gets 404 if that parent does not exist or was deleted. A resource that exists is served by its id,
even if its parent was deleted.

## Incremental sync

Use \`GET /v1/changes\` to keep a copy of all data up to date. It lists your organisation's resources and deletions in the order in which this
service accepted their latest changes, oldest first. Every page carries a \`resume_cursor\`, which marks where to continue, tonight or next
week.

1. Start without a cursor and with an empty copy.
2. Store the page's rows by \`type\` and \`id\`: \`upserted\` replaces the resource that you have, \`deleted\` removes it. **Then** store
   \`resume_cursor\`.
3. While \`has_more\` is true, send the request again with \`cursor\` set to \`resume_cursor\`.
4. Next time, continue from the stored cursor.
5. If the response is 410 \`cursor_expired\`, empty your copy and start over without a cursor.

You miss no change and no deletion. The list follows this service's clock, not \`date_modified\`. A change appears about ${horizonMs / 1000} seconds after it
was accepted, when no earlier change can still arrive. Rows can repeat: a resource stands once, at its latest change, and moves to the end
when it changes again, and a page that you did not store is sent again. A resource can arrive before its parent.

Deletions are shown for ${deletionsShownDays} days, so an older cursor gets 410. Each page returns a fresh cursor: if you sync at least every ${deletionsShownDays} days, even
when nothing changed, your cursor does not expire.

A change is a new record, a record that differs from before, a restored record, or a balance payment or note written through this API.
Importing an unchanged record again is not a change. A cancelled order is not deleted: its \`status\` is \`cancelled\`, \`expired\` or \`refunded\`.
Deleting a resource deletes nothing else.

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

Requests are strict: an unknown, repeated or invalid parameter, or member of a body, gets 400 \`invalid_request\`, and \`errors\` names it.
Nothing is ignored or silently corrected.

## Conditional requests

Every successful GET carries an \`ETag\`. Send it back in \`If-None-Match\`: if the response would be the same, you get 304 without a body.
You may cache responses, but check them in this way before each use (\`Cache-Control: private, no-cache\`). Bodies over 1 KB are compressed
for clients that send \`Accept-Encoding: gzip\`.

## Rate limits

Too many requests at once get 429 \`rate_limited\`. Both 429 and 503 \`service_unavailable\` carry \`Retry-After\`: wait for that number of
seconds (${retryAfterSeconds}) plus a random moment, then send the same request again. After 503, a write without an \`Idempotency-Key\` may
have succeeded: check before you send it again.
`.trim();
