import assert from "node:assert/strict";
import { test } from "node:test";
import { entityTag, matchesEntityTag } from "../../../functions/resources/entityTag.ts";

test("an entity tag is strong, quoted, and tells one body from another", () => {
  assert.match(entityTag("{}"), /^"[\w-]{22}"$/);
  assert.equal(entityTag("{}"), entityTag("{}"));
  assert.notEqual(entityTag("{}"), entityTag("{} "));
});

test("If-None-Match names a tag alone, in a list, weakly or by a star", () => {
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
