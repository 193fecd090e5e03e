import assert from "node:assert/strict";
import { test } from "@jest/globals";
import { hasInvisible, longestName, normalisedName } from "../../../functions/keys/keyName.ts";
import * as page from "../../../packages/developer-area/app/keys/keyName.ts";

test("the Developer area's form refuses the names that the API refuses", () => {
  assert.equal(page.longestName, longestName);
  for (let code = 0; code <= 0x10ffff; code += code < 0x3000 ? 1 : 97) {
    const name = `a${String.fromCodePoint(code)}  👩‍🚀 b`;
    assert.equal(page.hasInvisible(name), hasInvisible(name), code.toString(16));
    assert.equal(page.normalisedName(name), normalisedName(name), code.toString(16));
  }
});

test.each([
  ["Persian", "وب\u200cسایت"],
  ["Hindi", "क्\u200dष और क्\u200cष"],
  ["Malayalam, at a word's end", "അവന്\u200d വെബ്"],
  ["Sinhala", "ශ්\u200dරී ලංකා"],
  ["an emoji", "👩\u200d🚀"],
])("a name may contain the joiners of %s", (_, name) => {
  assert.equal(hasInvisible(name), false);
});

test.each([
  ["between Latin letters", "Web\u200csite"],
  ["at the beginning", "\u200cوب"],
  ["at the end of a Persian word", "وب\u200c سایت"],
  ["twice", "وب\u200c\u200cسایت"],
  ["between scripts", "وب\u200dsite"],
  ["of another kind", "وب\u200bسایت"],
  ["that changes the direction", "وب\u202eسایت"],
])("a name may not contain an invisible character %s", (_, name) => {
  assert.equal(hasInvisible(name), true);
});
