import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { expect, test } from "@jest/globals";
import { endpoints } from "../../../functions/endpoints/index.ts";
import * as reads from "../../../functions/endpoints/readEndpoints.ts";

const directory = new URL("../../../functions/endpoints/", import.meta.url);

test("every endpoint is listed, and a file named after it exports it and its handler", async () => {
  const files = readdirSync(directory).filter(
    (file) => !["index.ts", "readEndpoints.ts", "otherEndpoints.ts"].includes(file),
  );
  expect(files.sort()).toEqual(endpoints.map(({ operationId }) => `${operationId}.ts`).sort());
  for (const endpoint of endpoints) {
    const module = await import(new URL(`${endpoint.operationId}.ts`, directory).href);
    assert.equal(module[endpoint.operationId], endpoint);
    assert.equal(typeof module.handler, "function");
  }
});

test("the read operations of API keys are the reads, in the order of the reference page too", () => {
  const reading = endpoints.filter(({ method, caller }) => method === "GET" && caller.scheme === "apiKey");
  assert.deepEqual(new Set(reading), new Set(Object.values(reads)));
  const paths = endpoints.filter(({ tag }) => tag === "Orders").map(({ method, path }) => `${method} ${path}`);
  assert.deepEqual(paths.slice(0, 4), [
    "GET /v1/orders",
    "GET /v1/orders/{id}",
    "PATCH /v1/orders/{id}",
    "GET /v1/orders/{id}/attendees",
  ]);
});

test("every route is declared once, and every path parameter is parsed", () => {
  const routes = endpoints.map(({ method, path }) => `${method} ${path}`);
  assert.equal(new Set(routes).size, routes.length);
  for (const { path, params } of endpoints) {
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    assert.deepEqual(Object.keys(params?.shape ?? {}), inPath, path);
  }
});
