import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "@jest/globals";
import { adminTypes, adminTypesFile } from "../../../cli/openApi/adminTypes.ts";

test("the page's types match the OpenAPI document", async () => {
  const isCurrent = (await readFile(adminTypesFile, "utf8")) === (await adminTypes());
  assert.ok(isCurrent, `${adminTypesFile} is out of date: run "npm run client:generate".`);
});
