import { readdirSync, readFileSync } from "node:fs";
import { extname } from "node:path";
import * as z from "zod";
import { endpoints } from "../../functions/endpoints/index.ts";
import { openApiDocument } from "../../functions/http/openapi.ts";

export interface WebsiteFile {
  /** The URL's path: `/docs`. */
  path: string;
  contentType: string;
  body: string | Buffer;
  cacheControl: string;
}

/**
 * What the reference page may load: files of its own origin, and nothing else. Styles may stand in the page, because Scalar puts
 * its own there; scripts may not.
 */
export const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const html = "text/html; charset=utf-8";
const script = "text/javascript; charset=utf-8";
const stylesheet = "text/css; charset=utf-8";
const json = "application/json; charset=utf-8";

/** May be kept, but is asked for again before each use. */
const revalidated = "public, no-cache";
/** For files whose name changes with their content. */
const immutable = "public, max-age=31536000, immutable";

const scalar = new URL("browser/", import.meta.resolve("@scalar/api-reference"));

/** The public website: the reference page at `/docs`, what it loads, and the OpenAPI document that it shows. */
export function websiteFiles(): WebsiteFile[] {
  const chunks = readdirSync(new URL("chunks/", scalar)).filter((name) => extname(name) === ".js");
  return [
    { path: "/docs", contentType: html, body: own("reference.html"), cacheControl: revalidated },
    { path: "/docs/reference.js", contentType: script, body: own("reference.js"), cacheControl: revalidated },
    { path: "/docs/reference.css", contentType: stylesheet, body: own("reference.css"), cacheControl: revalidated },
    { path: "/docs/favicon.svg", contentType: "image/svg+xml", body: own("favicon.svg"), cacheControl: revalidated },
    {
      path: "/docs/scalar/standalone.esm.js",
      contentType: script,
      body: ofScalar("standalone.esm.js"),
      cacheControl: revalidated,
    },
    ...chunks.map((name) => ({
      path: `/docs/scalar/chunks/${name}`,
      contentType: script,
      body: ofScalar(`chunks/${name}`),
      cacheControl: immutable,
    })),
    { path: "/openapi.json", contentType: json, body: documentText(), cacheControl: revalidated },
  ];
}

function own(name: string): Buffer {
  return readFileSync(new URL(name, import.meta.url));
}

function ofScalar(name: string): Buffer {
  return readFileSync(new URL(name, scalar));
}

const PackageJson = z.object({ version: z.string() });

function documentText(): string {
  const { version } = PackageJson.parse(JSON.parse(own("../../package.json").toString()));
  return JSON.stringify(openApiDocument(endpoints, { version }), null, 2);
}
