import type { openApiDocument } from "../../functions/api/openapi/document.ts";
import { guides } from "./guides.ts";

const links = [
  { name: "Developer area", url: "/developer" },
  { name: "OpenAPI document", url: "/openapi.json" },
];

/** The OpenAPI document as the page shows it, described by the guides. `/openapi.json` omits the guides, because code generators would copy them. */
export function referenceText(openApiText: string): string {
  const { externalDocs: _thisPage, ...document }: ReturnType<typeof openApiDocument> = JSON.parse(openApiText);
  const info = { ...document.info, description: guides(), "x-scalar-links": links };
  return JSON.stringify({ ...document, info });
}
