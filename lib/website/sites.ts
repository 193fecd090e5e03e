import { developerAreaFiles } from "@ticketing/developer-area";
import { referenceFiles } from "@ticketing/reference";
import { columnTypes } from "./columnTypes.ts";
import { type Deployment, openApiFiles } from "./openApi.ts";
import { immutable, revalidated, type WebsiteFile, websiteFile } from "./websiteFile.ts";

/** The reference page with its files, the OpenAPI documents, and the types of columns. */
export function referenceSite(deployment: Deployment = {}): WebsiteFile[] {
  const documents = openApiFiles(deployment);
  const files = referenceFiles(documents["/openapi.json"]).map(({ path, body }) => websiteFile(path, body));
  return [
    ...files,
    ...Object.entries(documents).map(([path, text]) => websiteFile(path, text)),
    websiteFile("/openapi/types.json", JSON.stringify(columnTypes())),
  ];
}

/** The Developer area, without its configuration. */
export async function developerAreaSite(): Promise<WebsiteFile[]> {
  const files = await developerAreaFiles();
  return files.map(({ path, body, isHashed }) => websiteFile(path, body, isHashed ? immutable : revalidated));
}
