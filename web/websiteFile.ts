export interface WebsiteFile {
  /** For example `/docs`. */
  path: string;
  contentType: string;
  body: string | Buffer;
  cacheControl: string;
}

export const html = "text/html; charset=utf-8";
export const script = "text/javascript; charset=utf-8";
export const stylesheet = "text/css; charset=utf-8";
export const json = "application/json; charset=utf-8";
export const svg = "image/svg+xml";
export const woff2 = "font/woff2";

/** Caches must revalidate before each use. */
export const revalidated = "public, no-cache";
/** For files whose name changes with their content. */
export const immutable = "public, max-age=31536000, immutable";
