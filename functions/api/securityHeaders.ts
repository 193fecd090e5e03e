/**
 * Headers of every API response, also at the gateway's own domain. Browsers ignore Strict-Transport-Security over plain HTTP
 * (RFC 6797, section 8.1), so the local service may send it too.
 */
export const securityHeaders: Readonly<Record<string, string>> = {
  "Strict-Transport-Security": "max-age=31536000",
  "X-Content-Type-Options": "nosniff",
};
