import assert from "node:assert/strict";
import { test } from "@jest/globals";
import fc from "fast-check";
import { resourceId } from "../../../functions/api/pathParameters.ts";
import { entityTag, matchesEntityTag } from "../../../functions/resources/entityTag.ts";
import { noIdTexts } from "../../support/http/examples.ts";

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
