import { writeFileSync } from "node:fs";
import * as z from "zod";
import { apiKeyDocument } from "../../lib/website/openApi.ts";
import { pythonTypes, pythonTypesFile } from "../../packages/client-python/generate/pythonTypes.ts";
import { clientTypes, clientTypesFile } from "../../packages/client-typescript/generate/clientTypes.ts";
import { command } from "../shared/command.ts";

const usage = "npm run client:generate writes the types of both clients, which follow from the OpenAPI document.";
const Options = z.object({ files: z.tuple([]) });

export const main = await command(import.meta, { usage, Options }, async () => {
  writeFileSync(clientTypesFile, await clientTypes(apiKeyDocument()));
  writeFileSync(pythonTypesFile, pythonTypes(apiKeyDocument()));
  return 0;
});
