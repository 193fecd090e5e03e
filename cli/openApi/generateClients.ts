import { writeFileSync } from "node:fs";
import { apiKeyDocument } from "../../lib/website/openApi.ts";
import { pythonTypes, pythonTypesFile } from "../../packages/client-python/generate/pythonTypes.ts";
import { clientTypes, clientTypesFile } from "../../packages/client-typescript/generate/clientTypes.ts";
import { adminTypes, adminTypesFile } from "./adminTypes.ts";

// `npm run client:generate` writes the types of both clients and of the Developer area, which follow from the OpenAPI document.
writeFileSync(clientTypesFile, await clientTypes(apiKeyDocument()));
writeFileSync(pythonTypesFile, pythonTypes(apiKeyDocument()));
writeFileSync(adminTypesFile, await adminTypes());
