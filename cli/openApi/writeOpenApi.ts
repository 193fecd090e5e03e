import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import * as z from "zod";
import { openApiFiles } from "../../lib/website/openApi.ts";
import { command } from "../shared/command.ts";

const usage = "npm run ops -- openapi FILE writes the OpenAPI document to FILE.";
const Options = z.object({ files: z.tuple([z.string()], "Give one FILE.") });

export const main = command({ usage, Options }, async ({ files: [file] }) => {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${openApiFiles()["/openapi.json"]}\n`);
  return 0;
});
