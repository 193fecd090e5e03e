/**
 * Headers of every answer of the API, also at the gateway's own address: browsers must not guess its type, and must use HTTPS.
 * Over plain HTTP, as locally, browsers ignore the second (RFC 6797, section 8.1).
 */
export const securityHeaders = {
  "Strict-Transport-Security": "max-age=31536000",
  "X-Content-Type-Options": "nosniff",
} as const;
