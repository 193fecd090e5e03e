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
