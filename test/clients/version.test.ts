import { readFile } from "node:fs/promises";
import { expect, test } from "@jest/globals";
import api from "../../package.json" with { type: "json" };

test("every file that names the version names the API's", async () => {
  const { version } = api;
  const lines = {
    "package-lock.json": `"name": "ticketing-api",\n      "version": "${version}"`,
    "packages/client-typescript/package.json": `"version": "${version}"`,
    "packages/client-typescript/client.ts": `version = "${version}"`,
    "packages/client-python/pyproject.toml": `\nversion = "${version}"\n`,
    "packages/client-python/src/ticketing_client/_client.py": `\n__version__ = "${version}"\n`,
    "packages/client-python/README.md": `ticketing_client-${version}-py3`,
    "docs/integrators/clients.md": `ticketing_client-${version}-py3`,
    "docs/integrators/guides/calendars.md": `ticketing_client-${version}-py3`,
    "docs/integrators/guides/tables-and-pipelines.md": `ticketing_client-${version}-py3`,
    "docs/integrators/guides/webhooks.md": `Ticketing-Webhooks/${version} `,
    "functions/webhooks/sendMessage.ts": `productVersion = "${version}"`,
  };
  const lacking: string[] = [];
  for (const [file, line] of Object.entries(lines))
    if (!(await readFile(file, "utf8")).includes(line)) lacking.push(`${file}: ${line}`);
  expect(lacking).toEqual([]);
});
