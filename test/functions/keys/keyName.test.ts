import assert from "node:assert/strict";
import { test } from "@jest/globals";
import { hasInvisible } from "../../../functions/keys/keyName.ts";

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
