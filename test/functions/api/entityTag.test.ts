import assert from "node:assert/strict";
import { test } from "@jest/globals";
import { entityTag, isMatch, matchesEntityTag } from "../../../functions/api/entityTag.ts";

const tag = entityTag("{}");
const opaque = tag.slice(1, -1);

test("a tag to which a proxy has appended its content coding is our tag", () => {
  for (const suffix of ["-gzip", "--gzip", ";gzip", "-br", "-deflate"]) {
    assert.ok(isMatch(`"${opaque}${suffix}"`, tag), suffix);
    assert.ok(matchesEntityTag(`W/"a", W/"${opaque}${suffix}"`, tag), suffix);
    assert.ok(!isMatch(`W/"${opaque}${suffix}"`, tag), suffix);
  }
  for (const other of [
    `"${opaque}-"`,
    `"${opaque}-gzip-gzip"`,
    `"${opaque}gzip"`,
    '"-gzip"',
    `"${opaque.slice(1)}-gzip"`,
  ]) {
    assert.ok(!matchesEntityTag(other, tag), other);
  }
});

test("a tag that ends with hyphens is recognised with every coding", () => {
  for (const own of ['"AAAA-"', '"AAAA--"', '"AAAA;"'])
    for (const suffix of ["", "-gzip", "--gzip", ";gzip"])
      assert.ok(isMatch(`${own.slice(0, -1)}${suffix}"`, own), `${own} ${suffix}`);
});

test("a tag that ends like a content coding is not shortened", () => {
  assert.ok(isMatch('"AAAA-br"', '"AAAA-br"'));
  assert.ok(!isMatch('"AAAA"', '"AAAA-br"'));
});

test("a comma within a tag does not end it", () => {
  for (const matches of [isMatch, matchesEntityTag]) {
    assert.ok(matches(`"a,b", ${tag}`, tag));
    assert.ok(!matches('"a,b,c"', '"b"'));
    assert.ok(!matches(`"a,${opaque},b"`, tag));
  }
});

test("If-None-Match matches a tag alone, in a list, as a weak tag or by a star", () => {
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
