import assert from "node:assert/strict";
import { describe, test } from "@jest/globals";
import * as z from "zod";
import { added, recordShape, storedForm, withoutAddedNulls } from "../../../functions/resources/resource.ts";

const shape = {
  id: z.int(),
  name: z.string().nullable(),
  venue_name: added(z.string().nullable().meta({ description: "Name of the venue." })),
  answers: z.array(z.object({ question: z.string(), answer: z.string().nullable() })),
};

describe("a stored item", () => {
  const form = storedForm(z.object(shape));

  test("has null for each nullable field that it lacks, also within lists", () => {
    const { data } = form.safeParse({ id: 1, answers: [{ question: "Why?" }], PK: "x" });
    assert.equal(
      JSON.stringify(data),
      '{"id":1,"name":null,"venue_name":null,"answers":[{"question":"Why?","answer":null}]}',
    );
    const whole = { id: 1, name: "a", venue_name: "b", answers: [{ question: "Why?", answer: "So." }] };
    assert.equal(JSON.stringify(form.parse(whole)), JSON.stringify(whole));
  });

  test("is invalid without any other field", () => {
    for (const item of [{ answers: [] }, { id: 1 }, { id: 1, answers: [{}] }, { id: 1, answers: [], name: 7 }])
      assert.ok(!form.safeParse(item).success, JSON.stringify(item));
  });
});

describe("a record", () => {
  const form = z.strictObject(recordShape(shape));
  const old = { id: 1, name: null, answers: [] };

  test("may lack added fields, and no others", () => {
    assert.equal(form.parse(old).venue_name, null);
    assert.ok(form.safeParse({ ...old, venue_name: "Hall" }).success);
    for (const { id, name, ...record } of [{ ...old, venue_name: null }])
      for (const lacking of [
        { ...record, id },
        { ...record, name },
      ])
        assert.ok(!form.safeParse(lacking).success);
  });

  test("has the same content whether it lacks an added field or has null, and keeps other nulls", () => {
    assert.deepEqual(withoutAddedNulls(shape, { ...old, venue_name: null }), old);
    assert.deepEqual(withoutAddedNulls(shape, { ...old, venue_name: "Hall" }), { ...old, venue_name: "Hall" });
    assert.deepEqual(withoutAddedNulls(shape, form.parse(old)), old);
  });
});
