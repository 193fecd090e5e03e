import assert from "node:assert/strict";
import { test } from "@jest/globals";
import fc from "fast-check";
import * as z from "zod";
import { type Attributes, fromAttributes, toAttributes } from "../../../functions/table/attributeValue.ts";
import { anyCharacter } from "../../support/data/records.ts";

test("every plain value survives storage and JSON unchanged", () => {
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.string({ unit: anyCharacter }),
      fc.integer(),
      fc.constantFrom(Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER),
      fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number || 0),
      fc.boolean(),
      fc.constant(null),
      fc.array(tie("value")),
      fc.dictionary(
        fc.stringMatching(/^[a-z_]+$/).filter((name) => name !== "__proto__"),
        tie("value"),
        { noNullPrototype: true },
      ),
    ),
  }));
  fc.assert(
    fc.property(fc.dictionary(fc.stringMatching(/^[a-z]+$/), value, { noNullPrototype: true }), (item) => {
      const attributes: Attributes = JSON.parse(JSON.stringify(toAttributes(item)));
      assert.deepEqual(fromAttributes(attributes), item);
    }),
  );
});

test("each type is stored as DynamoDB's matching type, and undefined is left out", () => {
  assert.deepEqual(toAttributes({ a: "x", b: 1.5, c: true, d: null, e: [1], f: { g: "" }, h: undefined }), {
    a: { S: "x" },
    b: { N: "1.5" },
    c: { BOOL: true },
    d: { NULL: true },
    e: { L: [{ N: "1" }] },
    f: { M: { g: { S: "" } } },
  });
});

test("a value that would lose content is refused at any depth", () => {
  for (const value of [
    new Date(),
    JSON.parse('{"__proto__":1}'),
    Buffer.from("x"),
    new Uint8Array(1),
    new Set(["x"]),
    new Map(),
    1n,
    () => 1,
    Symbol("x"),
  ]) {
    assert.throws(() => toAttributes({ value }), TypeError);
    assert.throws(() => toAttributes({ list: [{ value }] }), TypeError);
  }
});

test("a stored type that the service never writes is neither missing, nor valid, nor stored again", () => {
  for (const attribute of [{ B: new Uint8Array(1) }, { SS: ["x"] }, { NS: ["1"] }, {}]) {
    const item = fromAttributes({ attribute } as unknown as Attributes);
    for (const schema of [z.string(), z.number(), z.boolean(), z.null(), z.array(z.any()), z.string().nullish()])
      assert.ok(!schema.safeParse(item.attribute).success);
    assert.throws(() => toAttributes(item), TypeError);
  }
});
