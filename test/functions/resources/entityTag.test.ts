import assert from "node:assert/strict";
import { test } from "@jest/globals";
import { entityTag, matchesEntityTag } from "../../../functions/resources/entityTag.ts";

test("an entity tag is strong, quoted, and differs for different bodies", () => {
  assert.match(entityTag("{}"), /^"[\w-]{22}"$/);
  assert.equal(entityTag("{}"), entityTag("{}"));
  assert.notEqual(entityTag("{}"), entityTag("{} "));
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
