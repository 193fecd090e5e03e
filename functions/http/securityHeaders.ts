/**
 * Headers of every response of the API, also at the gateway's own address: browsers must not guess its type, and must use HTTPS.
 * Browsers ignore the second over plain HTTP (RFC 6797, section 8.1), so the local service may send it too.
 */
export const securityHeaders: Readonly<Record<string, string>> = {
  "Strict-Transport-Security": "max-age=31536000",
  "X-Content-Type-Options": "nosniff",
};
