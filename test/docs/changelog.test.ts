import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "@jest/globals";
import packageJson from "../../package.json" with { type: "json" };

test("the changelog begins with the version of the API", () => {
  const changelog = readFileSync(new URL("../../CHANGELOG.md", import.meta.url), "utf8");
  assert.equal(/^## (.+)$/m.exec(changelog)?.[1], packageJson.version);
});
