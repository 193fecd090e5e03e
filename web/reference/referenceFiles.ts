import { readdirSync, readFileSync } from "node:fs";
import { extname } from "node:path";
import { html, immutable, json, revalidated, script, stylesheet, svg, type WebsiteFile } from "../websiteFile.ts";
import { openApiText } from "./openApiText.ts";
import { referenceText } from "./referenceText.ts";

const scalar = new URL("browser/", import.meta.resolve("@scalar/api-reference"));

/** The reference page at `/docs`, what it loads, and the OpenAPI document. */
export function referenceFiles(): WebsiteFile[] {
  const openApi = openApiText();
  const chunks = readdirSync(new URL("chunks/", scalar)).filter((name) => extname(name) === ".js");
  return [
    { path: "/docs", contentType: html, body: own("reference.html"), cacheControl: revalidated },
    { path: "/docs/reference.js", contentType: script, body: own("reference.js"), cacheControl: revalidated },
    { path: "/docs/reference.css", contentType: stylesheet, body: own("reference.css"), cacheControl: revalidated },
    { path: "/docs/favicon.svg", contentType: svg, body: own("favicon.svg"), cacheControl: revalidated },
    { path: "/docs/reference.json", contentType: json, body: referenceText(openApi), cacheControl: revalidated },
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
    { path: "/openapi.json", contentType: json, body: openApi, cacheControl: revalidated },
  ];
}

function own(name: string): Buffer {
  return readFileSync(new URL(name, import.meta.url));
}

function ofScalar(name: string): Buffer {
  return readFileSync(new URL(name, scalar));
}
