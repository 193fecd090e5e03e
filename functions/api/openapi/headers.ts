import type { Endpoint } from "../endpoint.ts";
import { exampleTag } from "../entityTag.ts";
import { retryAfterSeconds } from "../problemResponse.ts";
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

interface HeaderDescription {
  description: string;
  example: string | number;
  /** For an integer. */
  minimum?: number;
}

const headerDescriptions: Record<string, HeaderDescription> = {
  "X-Request-Id": {
    description: "Quote this id when you ask for help.",
    example: "8b2f6c1e-3d57-4a9b-9c40-6f1d2e7a5b83",
  },
  "Cache-Control": { description: "Whether and how the response may be cached.", example: "private, no-cache" },
  Vary: {
    description: "The request headers on which the response depends: `Authorization, Accept-Encoding`.",
    example: "Authorization, Accept-Encoding",
  },
  ETag: {
    description: "Identifies exactly this body. Send it back in `If-None-Match`, or in `If-Match` with an update.",
    example: exampleTag,
  },
  Link: {
    description: 'The URL of the next page, with `rel="next"` (RFC 8288). Absent on the last page.',
    example: '<https://api.example.org/v1/events?cursor=AS7pXq0cPk3YMTUwODI>; rel="next"',
  },
  Location: {
    description: "Where to read the new resource: its own path, or its list's.",
    example: "/v1/events/15082/balance-payments",
  },
  "Idempotency-Replayed": {
    description:
      "`true` if this is the response to an earlier request with the same `Idempotency-Key`; absent otherwise.",
    example: "true",
  },
  Deprecation: {
    description: "When the operation became deprecated, in seconds since 1970 (RFC 9745).",
    example: "@1798761600",
  },
  Sunset: { description: "When the operation ends (RFC 8594).", example: "Sat, 01 Jan 2028 00:00:00 GMT" },
  "RateLimit-Policy": {
    description:
      'The requests (`q`) accepted per window of `w` seconds, with this key and with all keys of the organisation: `"key";q=3000;w=60, "organisation";q=15000;w=60`. Absent if there are no limits.',
    example: Object.values(rateLimitHeaders(defaultRateLimit)).join(),
  },
  "Retry-After": { description: "Seconds to wait before a retry.", example: retryAfterSeconds, minimum: 1 },
  "WWW-Authenticate": {
    description:
      'How to authenticate: `Bearer realm="ticketing"`, with `error="invalid_token"` if a well-formed key or token was refused.',
    example: 'Bearer realm="ticketing"',
  },
  Allow: { description: "The methods that this path supports.", example: "GET, HEAD" },
};

/** @throws Error if a header has no description. */
export function describeHeaders(names: readonly string[]) {
  const described = names.map((name) => {
    const { description, example, minimum } = headerDescriptions[name] ?? {};
    if (example === undefined) throw new Error(`The header ${name} has no description.`);
    const type = typeof example === "number" ? "integer" : "string";
    return [name, { description, schema: { type, ...(minimum !== undefined && { minimum }) }, example }] as const;
  });
  return Object.fromEntries(described);
}
