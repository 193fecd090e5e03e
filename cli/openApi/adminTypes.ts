import { fileURLToPath } from "node:url";
import { openApiDocument } from "../../functions/api/openapi/document.ts";
import { endpoints } from "../../functions/endpoints/index.ts";
import { clientTypes } from "../../packages/client-typescript/generate/clientTypes.ts";

export const adminTypesFile = fileURLToPath(
  new URL("../../packages/developer-area/app/api/schema.ts", import.meta.url),
);

/** Generates the content of {@link adminTypesFile} from the document of the operations that people call. */
export function adminTypes(): string {
  const ofPeople = endpoints.filter(({ caller }) => caller.scheme !== "apiKey");
  return clientTypes(openApiDocument(ofPeople, { version: "" }));
}
