import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "@jest/globals";
import { clientTypes, clientTypesFile } from "../../../clients/typescript/generate/clientTypes.ts";
import client from "../../../clients/typescript/package.json" with { type: "json" };
import api from "../../../package.json" with { type: "json" };

test("the client's types match the OpenAPI document", async () => {
  const isCurrent = (await readFile(clientTypesFile, "utf8")) === (await clientTypes());
  assert.ok(isCurrent, 'clients/typescript/schema.d.ts is out of date: run "npm run client:generate".');
});

test("the client has the API's version", () => {
  assert.equal(client.version, api.version);
});
