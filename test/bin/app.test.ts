import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";

for (const stage of ["production", ""]) {
  test(`a stage that does not exist, ${JSON.stringify(stage)}, is a clear error that names it and the stages there are`, () => {
    const env = { ...process.env, CDK_CONTEXT_JSON: JSON.stringify({ stage }) };
    const { status, stderr } = spawnSync(process.execPath, ["bin/app.ts"], { env, encoding: "utf8" });
    assert.equal(status, 1);
    assert.equal(stderr, `There is no stage ${JSON.stringify(stage)}. Choose one: dev, staging, prod.\n`);
  });
}
