import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { openApiDocument } from "../functions/api/openapi/document.ts";
import { endpoints } from "../functions/endpoints/index.ts";
import { apiKeyDocument } from "../lib/website/openApi.ts";
import { pythonReads, pythonReadsFile } from "../packages/client-python/generate/pythonReads.ts";
import { pythonTypes, pythonTypesFile } from "../packages/client-python/generate/pythonTypes.ts";
import { clientTypes, clientTypesFile } from "../packages/client-typescript/generate/clientTypes.ts";

// `npm run client:generate` writes the types of both clients and of the Developer area, and the Python client's reads, which follow from the OpenAPI document.
// With --check, it only exits with 1 if a file is out of date.
const adminTypesFile = fileURLToPath(new URL("../packages/developer-area/app/api/schema.ts", import.meta.url));
const ofPeople = endpoints.filter(({ caller }) => caller.scheme !== "apiKey");
const files = {
  [clientTypesFile]: clientTypes(apiKeyDocument()),
  [pythonTypesFile]: pythonTypes(apiKeyDocument()),
  [pythonReadsFile]: pythonReads(apiKeyDocument()),
  [adminTypesFile]: clientTypes(openApiDocument(ofPeople, { version: "" })),
};
for (const [file, text] of Object.entries(files)) {
  if (!process.argv.includes("--check")) writeFileSync(file, text);
  else if (readFileSync(file, "utf8") !== text) {
    console.error(`${file} is out of date: run "npm run client:generate".`);
    process.exitCode = 1;
  }
}
