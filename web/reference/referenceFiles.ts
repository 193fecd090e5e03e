import { readdirSync, readFileSync } from "node:fs";
import { extname } from "node:path";
import { immutable, type WebsiteFile, websiteFile } from "../websiteFile.ts";
import { openApiText } from "./openApiText.ts";
import { referenceText } from "./referenceText.ts";

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
