import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { test } from "@jest/globals";
import { apiKeyDocument } from "../../lib/website/openApi.ts";
import api from "../../package.json" with { type: "json" };
import { pythonTypes, pythonTypesFile } from "../../packages/client-python/generate/pythonTypes.ts";
import { clientTypes, clientTypesFile } from "../../packages/client-typescript/generate/clientTypes.ts";
import client from "../../packages/client-typescript/package.json" with { type: "json" };

test("the client's types match the OpenAPI document", async () => {
  const isCurrent = (await readFile(clientTypesFile, "utf8")) === (await clientTypes(apiKeyDocument()));
  assert.ok(isCurrent, `${clientTypesFile} is out of date: run "npm run client:generate".`);
});

test("the Python client's types match the OpenAPI document", async () => {
  const isCurrent = (await readFile(pythonTypesFile, "utf8")) === pythonTypes(apiKeyDocument());
  assert.ok(isCurrent, `${pythonTypesFile} is out of date: run "npm run client:generate".`);
});

test("the clients have the API's version", async () => {
  assert.equal(client.version, api.version);
  const python = new URL("../../packages/client-python/", import.meta.url);
  const [project, module, readme] = await Promise.all(
    ["pyproject.toml", "src/ticketing_client/_client.py", "README.md"].map((file) =>
      readFile(new URL(file, python), "utf8"),
    ),
  );
  assert.ok(project?.includes(`\nversion = "${api.version}"\n`));
  assert.ok(module?.includes(`\n__version__ = "${api.version}"\n`));
  assert.ok(readme?.includes(`ticketing_client-${api.version}-py3`));
});

test("the Python client's own code has at most 700 lines", async () => {
  const folder = new URL("../../packages/client-python/src/ticketing_client/", import.meta.url);
  const files = (await readdir(folder)).filter((name) => name.endsWith(".py") && name !== "types.py");
  const texts = await Promise.all(files.map((name) => readFile(new URL(name, folder), "utf8")));
  assert.ok(texts.join("").split("\n").length <= 700);
});
