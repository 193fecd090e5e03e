import assert from "node:assert/strict";
import { test } from "@jest/globals";
import fc from "fast-check";
import { entityTag, matchesEntityTag } from "../../../functions/resources/entityTag.ts";
import {
  EmailParameter,
  Instant,
  InstantParameter,
  instantMs,
  resourceId,
} from "../../../functions/resources/fields.ts";
import { noIdTexts } from "../../support/http/examples.ts";

test("an instant without an offset counts as UTC, and a date without a time as midnight", () => {
  assert.equal(instantMs("2026-03-29T01:30:00"), Date.UTC(2026, 2, 29, 1, 30));
  assert.equal(instantMs("2026-03-29"), Date.UTC(2026, 2, 29));
  assert.equal(instantMs("1842-12-07T20:00:00-04:56"), Date.UTC(1842, 11, 8, 0, 56));
  assert.equal(instantMs("2026-03-29T01:30:00.250Z"), Date.UTC(2026, 2, 29, 1, 30, 0, 250));
});

test("every ISO 8601 form of a date, or date and time, is accepted unchanged", () => {
  for (const text of ["2026-02-28", "2024-02-29T23:59:59+14:00", "0000-01-01T00:00:00Z", "9999-12-31T23:59:59"]) {
    assert.equal(Instant.parse(text), text);
  }
});

test("an instant in a query may have an offset without a colon, but no space instead of +", () => {
  assert.equal(InstantParameter.parse("2026-03-01T00:00:00.000000+0000"), "2026-03-01T00:00:00.000000+00:00");
  assert.equal(InstantParameter.parse("2026-03-01T00:00:00-0530"), "2026-03-01T00:00:00-05:30");
  for (const text of ["2026-03-01T00:00:00 01:00", "2026-03-01T00:00:00 0100", "2026-0301", "+0000"]) {
    assert.equal(InstantParameter.safeParse(text).success, false, text);
  }
});

test("text that is not an instant, or whose year in UTC does not have four digits, is refused", () => {
  for (const value of [
    "",
    "tomorrow",
    "2026-02-30",
    "2026-13-01T00:00:00Z",
    "2026-01-01T25:00:00Z",
    "2026-01-01 10:00:00",
    "20260101",
    "0000-01-01T00:00:00+01:00",
    "9999-12-31T23:59:59-01:00",
    1767225600000,
    null,
  ]) {
    assert.equal(Instant.safeParse(value).success, false, String(value));
  }
});

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

test("an e-mail address in a query is trimmed and in lower case, and a space in it was a plus sign", () => {
  assert.equal(EmailParameter.parse(" Ada+Tickets@Example.ORG "), "ada+tickets@example.org");
  assert.equal(EmailParameter.parse("ju\u0308rgen@example.org"), "j\u00fcrgen@example.org");
  assert.equal(EmailParameter.safeParse("ada tickets@example.org").error?.issues[0]?.message, "Encode + as %2B.");
  for (const text of ["", "ada", "@", "ada@", "@example.org", "a@b@c", `${"a".repeat(250)}@b.org`])
    assert.equal(EmailParameter.safeParse(text).error?.issues[0]?.message, "Must be an e-mail address.", text);
});
