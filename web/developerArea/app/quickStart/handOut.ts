/** The quick start as plain text, for a message to an integrator. It must not contain a key. */
export function handOut(origin: string): string {
  return `Ticketing API: getting started

Base URL: ${origin}/v1
Every request has the header: Authorization: Bearer <API_KEY>
You receive the key separately. Keep it secret, like a password.

First request, which shows whose data the key reads:
curl -H "Authorization: Bearer <API_KEY>" ${origin}/v1/key

Lists come in pages: request ?per_page=200, and while pagination.next_cursor
is not null, request the next page with &cursor=<next_cursor>.

Errors are JSON with status, code, detail and request_id. 401: the key is
missing, wrong or revoked. 403: it lacks a scope. 429 and 503: wait as long
as the Retry-After header says, then try again.

Reference: ${origin}/docs`;
}
