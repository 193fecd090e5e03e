import type { Endpoint } from "../endpoint.ts";
import { defaultRateLimit, rateLimitHeaders } from "../rateLimit.ts";

/** The headers that announce limits, which the distribution adds. People's requests have no limits of their own. */
export function limitHeaders({ scheme }: Endpoint["caller"]): string[] {
  return scheme === "apiKey" ? Object.keys(rateLimitHeaders(defaultRateLimit)) : [];
}

/** Without Content-Type. */
export function successHeaders({ method, query, caller, responseHeaders = [], deprecation }: Endpoint): string[] {
  return [
    ...limitHeaders(caller),
    "X-Request-Id",
    "Cache-Control",
    "Vary",
    ...(method === "GET" || method === "PATCH" ? ["ETag"] : []),
    ...(query && "cursor" in query.shape ? ["Link"] : []),
    ...responseHeaders,
    ...(deprecation ? ["Deprecation", "Sunset"] : []),
  ];
}

const headerDescriptions: Partial<Record<string, string>> = {
  "X-Request-Id": "Quote this id when you ask for help.",
  "Cache-Control": "Whether and how the response may be cached.",
  Vary: "The request headers on which the response depends: `Authorization, Accept-Encoding`.",
  ETag: "Identifies exactly this body. Send it back in `If-None-Match`, or in `If-Match` with an update.",
  Link: 'The URL of the next page, with `rel="next"` (RFC 8288). Absent on the last page.',
  Location: "The list that contains the new resource.",
  "Idempotency-Replayed":
    "`true` if this is the response to an earlier request with the same `Idempotency-Key`; absent otherwise.",
  Deprecation: "When the operation became deprecated, in seconds since 1970 (RFC 9745).",
  Sunset: "When the operation ends (RFC 8594).",
  "RateLimit-Policy":
    'The requests (`q`) accepted per window of `w` seconds, with this key and with all keys of the organisation: `"key";q=3000;w=60, "organisation";q=15000;w=60`. Absent if there are no limits.',
  "Retry-After": "Seconds to wait before a retry.",
  "WWW-Authenticate":
    'How to authenticate: `Bearer realm="ticketing"`, with `error="invalid_token"` if a well-formed key or token was refused.',
  Allow: "The methods that this path supports.",
};

export function describeHeaders(names: readonly string[]) {
  const described = names.map((name) => {
    const type = name === "Retry-After" ? "integer" : "string";
    return [name, { description: headerDescriptions[name], schema: { type } }] as const;
  });
  return Object.fromEntries(described);
}
