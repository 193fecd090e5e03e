import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { expect, test } from "@jest/globals";
import { endpoints } from "../../../functions/endpoints/index.ts";

const directory = new URL("../../../functions/endpoints/", import.meta.url);

test("every endpoint is listed, and a file named after it exports it and its handler", async () => {
  const files = readdirSync(directory).filter((file) => file !== "index.ts");
  expect(files.sort()).toEqual(endpoints.map(({ operationId }) => `${operationId}.ts`).sort());
  for (const endpoint of endpoints) {
    const module = await import(new URL(`${endpoint.operationId}.ts`, directory).href);
    assert.equal(module[endpoint.operationId], endpoint);
    assert.equal(typeof module.handler, "function");
  }
});

test("every route is declared once, and every path parameter is parsed", () => {
  const routes = endpoints.map(({ method, path }) => `${method} ${path}`);
  assert.equal(new Set(routes).size, routes.length);
  for (const { path, params } of endpoints) {
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    assert.deepEqual(Object.keys(params?.shape ?? {}), inPath, path);
  }
});
