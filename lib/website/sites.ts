import { developerAreaFiles } from "@ticketing/developer-area";
import { referenceFiles } from "@ticketing/reference";
import { openApiText } from "./openApi.ts";
import { immutable, revalidated, type WebsiteFile, websiteFile } from "./websiteFile.ts";

/**
 * The reference page and what belongs to it.
 * @param supportContact the e-mail address, or the URL of a page, where integrators get help.
 */
export function referenceSite(supportContact?: string): WebsiteFile[] {
  return referenceFiles(openApiText(supportContact)).map(({ path, body }) => websiteFile(path, body));
}

/** The Developer area, without its configuration. */
export async function developerAreaSite(): Promise<WebsiteFile[]> {
  const files = await developerAreaFiles();
  return files.map(({ path, body, isHashed }) => websiteFile(path, body, isHashed ? immutable : revalidated));
}
