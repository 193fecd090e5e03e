import assert from "node:assert/strict";
import { test } from "@jest/globals";
import fc from "fast-check";
import { entityTag, matchesEntityTag } from "../../../functions/api/entityTag.ts";
import { resourceId } from "../../../functions/api/pathParameters.ts";

const schema = resourceId("event");

test("every canonical positive integer up to 2^53 − 1 is an id", () => {
  fc.assert(fc.property(fc.maxSafeNat(), (id) => schema.safeParse(String(id)).data === (id === 0 ? undefined : id)));
  assert.equal(schema.parse("9007199254740991"), Number.MAX_SAFE_INTEGER);
});

test("If-None-Match matches a tag alone, in a list, as a weak tag or by a star", () => {
  const tag = entityTag("{}");
  for (const header of [tag, `W/${tag}`, `"other", ${tag}`, ` ${tag} `, "*", `"a",W/${tag}`]) {
    assert.ok(matchesEntityTag(header, tag), header);
  }
  for (const header of [
    "",
    '"other"',
    tag.slice(1, -1),
    `${tag}x`,
    "W/*",
    tag.toLowerCase() === tag ? "x" : tag.toLowerCase(),
  ]) {
    assert.ok(!matchesEntityTag(header, tag), header);
  }
});
