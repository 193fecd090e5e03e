import { extname } from "node:path";

export interface WebsiteFile {
  /** For example `/docs`. */
  path: string;
  contentType: string;
  body: string | Buffer;
  cacheControl: string;
}

export const json = "application/json; charset=utf-8";

/** Content types by extension; a page has no extension. */
const contentTypes: Record<string, string> = {
  "": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": json,
  ".svg": "image/svg+xml",
  ".md": "text/markdown; charset=utf-8",
  ".txt": "text/plain; charset=utf-8",
  ".woff2": "font/woff2",
  ".tgz": "application/gzip",
  ".whl": "application/octet-stream",
};

/** Caches must revalidate before each use. */
export const revalidated = "public, no-cache";
/** For files whose name changes with their content. */
export const immutable = "public, max-age=31536000, immutable";

export function websiteFile(path: string, body: string | Buffer, cacheControl = revalidated): WebsiteFile {
  const contentType = contentTypes[extname(path)];
  if (contentType === undefined) throw new Error(`Unknown content type: ${path}`);
  return { path, contentType, body, cacheControl };
}

/** The same headers as the distribution's policies, for responses that no policy covers. */
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

/** Redirects GET and HEAD from paths that people type to pages' paths. The request's query is appended. */
export const redirects: ReadonlyMap<string, { status: number; location: string }> = new Map([
  ["/", { status: 302, location: "/docs" }],
  ["/docs/", { status: 308, location: "/docs" }],
  ["/developer/", { status: 308, location: "/developer" }],
]);
