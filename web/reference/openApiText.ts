import { readFileSync } from "node:fs";
import * as z from "zod";
import { endpoints } from "../../functions/endpoints/index.ts";
import { openApiDocument } from "../../functions/openapi/document.ts";

const PackageJson = z.object({ version: z.string() });

/** The content of `/openapi.json`. */
export function openApiText(): string {
  const packageJson = readFileSync(new URL("../../package.json", import.meta.url), "utf8");
  const { version } = PackageJson.parse(JSON.parse(packageJson));
  return JSON.stringify(openApiDocument(endpoints, { version }), null, 2);
}
