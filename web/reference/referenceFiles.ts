import { readdirSync, readFileSync } from "node:fs";
import { extname } from "node:path";
import { openApiDocument } from "../../functions/api/openapi/document.ts";
import { endpoints } from "../../functions/endpoints/index.ts";
import packageJson from "../../package.json" with { type: "json" };
import { immutable, type WebsiteFile, websiteFile } from "../website.ts";
import { guides } from "./guides.ts";

const scalar = new URL("browser/", import.meta.resolve("@scalar/api-reference"));

/** The reference page at `/docs`, what it loads, and the OpenAPI document. */
export function referenceFiles(): WebsiteFile[] {
  const openApi = openApiText();
  const chunks = readdirSync(new URL("chunks/", scalar)).filter((name) => extname(name) === ".js");
  return [
    websiteFile("/docs", own("reference.html")),
    websiteFile("/docs/reference.js", own("reference.js")),
    websiteFile("/docs/reference.css", own("reference.css")),
    websiteFile("/docs/favicon.svg", own("favicon.svg")),
    websiteFile("/docs/reference.json", referenceText(openApi)),
    websiteFile("/docs/scalar/standalone.esm.js", ofScalar("standalone.esm.js")),
    ...chunks.map((name) => websiteFile(`/docs/scalar/chunks/${name}`, ofScalar(`chunks/${name}`), immutable)),
    websiteFile("/openapi.json", openApi),
  ];
}

function own(name: string): Buffer {
  return readFileSync(new URL(name, import.meta.url));
}

function ofScalar(name: string): Buffer {
  return readFileSync(new URL(name, scalar));
}

const links = [
  { name: "Developer area", url: "/developer" },
  { name: "OpenAPI document", url: "/openapi.json" },
];

/** The OpenAPI document as the page shows it, described by the guides. `/openapi.json` omits the guides, because code generators would copy them. */
function referenceText(openApiText: string): string {
  const { externalDocs: _thisPage, ...document }: ReturnType<typeof openApiDocument> = JSON.parse(openApiText);
  const info = { ...document.info, description: guides(), "x-scalar-links": links };
  return JSON.stringify({ ...document, info });
}

/**
 * The reference page may load only files of its own origin. Inline styles are allowed, because Scalar needs them; inline scripts are
 * not.
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

/** The content of `/openapi.json`. */
export function openApiText(): string {
  return JSON.stringify(openApiDocument(endpoints, { version: packageJson.version }), null, 2);
}
