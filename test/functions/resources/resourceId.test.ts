import assert from "node:assert/strict";
import { test } from "@jest/globals";
import fc from "fast-check";
import { resourceId } from "../../../functions/resources/fields.ts";
import { noIdTexts } from "../../support/http/noIdTexts.ts";

const schema = resourceId("event");

test("every canonical positive integer up to 2^53 − 1 is an id", () => {
  fc.assert(fc.property(fc.maxSafeNat(), (id) => schema.safeParse(String(id)).data === (id === 0 ? undefined : id)));
  assert.equal(schema.parse("9007199254740991"), Number.MAX_SAFE_INTEGER);
});

test("any other text is refused with the message of the 404", () => {
  for (const text of noIdTexts) {
    assert.equal(schema.safeParse(text).error?.issues[0]?.message, "No such event.", JSON.stringify(text));
  }
});
