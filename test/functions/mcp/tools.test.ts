import assert from "node:assert/strict";
import { test } from "@jest/globals";
import * as reads from "../../../functions/endpoints/readEndpoints.ts";
import { mcp } from "../../../functions/mcp/mcp.ts";
import { argumentsOf, describeTool, tools } from "../../../functions/mcp/tools.ts";

const reading = Object.values(reads);
const used = Object.values(tools).flatMap(({ operations }) => Object.values(operations));

test("every read operation belongs to exactly one tool, and no tool calls another operation", () => {
  assert.deepEqual(used.map(({ operationId }) => operationId).sort(), reading.map((each) => each.operationId).sort());
});

test("the server's function may do what the read operations may, and only reads", () => {
  assert.deepEqual(new Set(mcp.table), new Set(reading.flatMap(({ table = [] }) => table)));
  assert.ok(mcp.table?.every((action) => ["GetItem", "Query", "BatchGetItem", "ExecuteStatement"].includes(action)));
  assert.deepEqual(new Set(reading.map(({ tableAccess }) => tableAccess)), new Set([mcp.tableAccess]));
});

test("a tool has every parameter of its operations, of one type wherever it appears", () => {
  for (const [name, tool] of Object.entries(tools)) {
    for (const [selector, { params, query }] of Object.entries(tool.operations)) {
      const alone = argumentsOf({ description: "", operations: { [selector]: { ...mcp, params, query } } });
      for (const [argument, { description, ...schema }] of Object.entries(alone)) {
        const { description: shown, ...merged } =
          argumentsOf(tool)[argument] ?? assert.fail(`${name} lacks ${argument}`);
        assert.deepEqual(merged, schema, `${name}: ${argument}`);
      }
    }
  }
});

test("an argument that only some operations take names the arguments that exclude it", () => {
  const { reference, expand, cursor } = argumentsOf(tools.list_orders ?? assert.fail());
  assert.match(reference?.description ?? "", /Not with `date_id`\.$/);
  assert.match(expand?.description ?? "", /Not with `date_id`\.$/);
  assert.doesNotMatch(cursor?.description ?? "", /Not with/);
});

test("the tools' texts describe and never instruct", () => {
  const texts = Object.entries(tools).map(([name, tool]) => JSON.stringify(describeTool(name, tool)));
  for (const text of texts) {
    assert.doesNotMatch(text, /\b(you|your|must|please|ignore)\b/i);
    assert.doesNotMatch(text, /["`.:] ?(Use|Call|Send|Start|Continue|Give|Ask|Read)\b/);
  }
});
