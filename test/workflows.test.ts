import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { test } from "@jest/globals";

test("workflows pin every action by commit, with the release in a comment", () => {
  const files = globSync(".github/workflows/*.yml");
  const uses = files.flatMap((file) => [...readFileSync(file, "utf8").matchAll(/uses: *(.+)/g)].map(([, use]) => use));
  assert.ok(uses.length > 5);
  for (const use of uses) assert.match(String(use), /^[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
});
