import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import * as z from "zod";
import { openApiFiles } from "../../lib/website/openApi.ts";
import { command, option } from "../shared/command.ts";

const Options = z.object({ files: option(z.tuple([z.string()], "Give one FILE."), "FILE", "the file to write") });

const about = `Writes the OpenAPI document.
Exit codes: 0 done, 2 failed, 130 interrupted. Running it again is safe.`;

export const main = command({ name: "openapi", Options, about }, async ({ files: [file] }) => {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${openApiFiles()["/openapi.json"]}\n`);
  return 0;
});
