/** The headers that the distribution's policies set, for responses without such a policy. */
export function securityHeaders(contentSecurityPolicy: string): Record<string, string> {
  return {
    "Content-Security-Policy": contentSecurityPolicy,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
  };
}

/** For responses that are not pages: a browser that shows one must not run or load anything. */
export const emptyContentSecurityPolicy = "default-src 'none'; frame-ancestors 'none'";
