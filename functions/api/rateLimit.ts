import * as z from "zod";

/** The window over which the web ACL counts requests. */
export const rateWindowSeconds = 60;

/** The requests in a window that a stage accepts with one key, and with all keys of one organisation. */
const RateLimit = z.object({ key: z.int(), organisation: z.int() });
export type RateLimit = z.infer<typeof RateLimit>;

export const defaultRateLimit: RateLimit = { key: 3_000, organisation: 15_000 };

/** The headers that announce the limits on each response (draft-ietf-httpapi-ratelimit-headers-10, section 3). */
export function rateLimitHeaders({ key, organisation }: RateLimit): Record<string, string> {
  const policies = Object.entries({ key, organisation });
  const value = policies.map(([name, quota]) => `"${name}";q=${quota};w=${rateWindowSeconds}`).join(", ");
  return { "RateLimit-Policy": value };
}

export function rateLimitEnvironment({ key, organisation }: RateLimit) {
  return { RATE_LIMIT: JSON.stringify({ key, organisation }) };
}

/** The limits in this process's environment; undefined if the stage has none. */
export function rateLimit(): RateLimit | undefined {
  const { RATE_LIMIT } = process.env;
  return RATE_LIMIT === undefined ? undefined : RateLimit.parse(JSON.parse(RATE_LIMIT));
}
