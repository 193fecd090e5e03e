import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { openApiText } from "../../web/reference/openApiText.ts";

const usage = "npm run openapi -- FILE writes the OpenAPI document to FILE.";

const [file, ...others] = process.argv.slice(2);
if (file === undefined || file.startsWith("-") || others.length > 0) {
  console.error(usage);
  process.exit(2);
}
mkdirSync(dirname(file), { recursive: true });
writeFileSync(file, `${openApiText()}\n`);
