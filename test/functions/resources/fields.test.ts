import assert from "node:assert/strict";
import { test } from "@jest/globals";
import fc from "fast-check";
import { resourceId } from "../../../functions/api/pathParameters.ts";

const schema = resourceId("event");

test("every canonical positive integer up to 2^53 − 1 is an id", () => {
  fc.assert(fc.property(fc.maxSafeNat(), (id) => schema.safeParse(String(id)).data === (id === 0 ? undefined : id)));
  assert.equal(schema.parse("9007199254740991"), Number.MAX_SAFE_INTEGER);
});
