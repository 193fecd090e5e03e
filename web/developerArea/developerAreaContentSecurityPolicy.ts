/**
 * The Developer area may load from and call only its own origin, and call the identity provider for its metadata and tokens.
 *
 * @param connectOrigins such as `https://id.example.org`: the issuer's origin, and its token endpoint's if that differs.
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
