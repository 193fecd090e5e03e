import assert from "node:assert/strict";
import { test } from "@jest/globals";
import * as reads from "../../../functions/endpoints/readEndpoints.ts";
import { mcp } from "../../../functions/mcp/mcp.ts";
import { argumentsOf, describeTool, tools } from "../../../functions/mcp/tools.ts";
import { tableAccessOf } from "../../../lib/table/dataTable.ts";

const reading = Object.values(reads);
const used = Object.values(tools).flatMap(({ operations }) => Object.values(operations));

test("every read operation belongs to exactly one tool, and no tool calls another operation", () => {
  assert.deepEqual(used.map(({ operationId }) => operationId).sort(), reading.map((each) => each.operationId).sort());
});

test("the server's function may do what the read operations may, and only reads", () => {
  assert.deepEqual(new Set(mcp.table), new Set(reading.flatMap(({ table = [] }) => table)));
  assert.ok(mcp.table?.every((action) => ["GetItem", "Query", "BatchGetItem", "ExecuteStatement"].includes(action)));
  const partitionsOf = (access: keyof typeof tableAccessOf) => tableAccessOf[access].partitionKeys;
  assert.deepEqual(
    new Set(partitionsOf(mcp.tableAccess)),
    new Set(reading.flatMap(({ tableAccess }) => partitionsOf(tableAccess))),
  );
});

test("a tool has every parameter of its operations, of one type wherever it appears", () => {
  for (const [name, tool] of Object.entries(tools)) {
    for (const [selector, { params, query }] of Object.entries(tool.operations)) {
      const alone = argumentsOf({ description: "", operations: { [selector]: { ...mcp, params, query } } });
      for (const [argument, schema] of Object.entries(alone)) {
        const merged = argumentsOf(tool)[argument] ?? assert.fail(`${name} lacks ${argument}`);
        assert.deepEqual({ ...merged, description: "" }, { ...schema, description: "" }, `${name}: ${argument}`);
      }
    }
  }
});

test("the schemas have only keywords that every library takes, and always say what is required", () => {
  for (const [name, tool] of Object.entries(tools)) {
    const { properties, required, ...schema } = describeTool(name, tool).inputSchema;
    assert.deepEqual(schema, { type: "object" });
    assert.ok(Array.isArray(required));
    for (const property of Object.values<{ type: string; items?: object }>(properties)) {
      const { type, items = {}, ...others } = property;
      assert.ok(["string", "integer", "array"].includes(type));
      assert.deepEqual(Object.keys({ ...others, description: "" }), ["description"]);
      assert.deepEqual(Object.keys({ type: "", ...items, enum: [] }), ["type", "enum"]);
    }
  }
});

test("the tools' texts describe and never instruct", () => {
  const texts = Object.entries(tools).map(([name, tool]) => JSON.stringify(describeTool(name, tool)));
  for (const text of texts) {
    assert.doesNotMatch(text, /\b(you|your|must|please|ignore)\b/i);
    assert.doesNotMatch(text, /["`.:] ?(Use|Call|Send|Start|Continue|Give|Ask|Read)\b/);
  }
});
