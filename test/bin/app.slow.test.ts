import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "@jest/globals";

test("invalid settings end the app with exit code 1 and a message without a stack", () => {
  const env = { ...process.env, CDK_CONTEXT_JSON: JSON.stringify({ stag: "prod" }) };
  const { status, stderr } = spawnSync(process.execPath, ["bin/app.ts"], { env, encoding: "utf8" });
  assert.equal(status, 1);
  assert.match(
    stderr,
    /^Invalid settings \(deploy\/stages\/dev\.json, or cdk -c NAME=VALUE\):\n✖ Unrecognized key: "stag"\n$/,
  );
});
