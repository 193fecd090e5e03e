/**
 * What the Developer area may load and whom it may call: its own origin, and the identity provider's, because the browser asks
 * that for its description and for tokens.
 *
 * @param connectOrigins such as `https://id.example.org`: the issuer's origin, and its token endpoint's where that is another
 */
export function developerAreaContentSecurityPolicy(connectOrigins: readonly string[]): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    ["connect-src 'self'", ...connectOrigins].join(" "),
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}
