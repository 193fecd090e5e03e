/**
 * What the reference page may load: files of its own origin, and nothing else. Styles may stand in the page, because Scalar puts
 * its own there; scripts may not.
 */
export const referenceContentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");
