import assert from "node:assert/strict";
import { test } from "@jest/globals";
import { synthesise } from "./support/synthesise.ts";

test("a stage whose settings name its account and region is bound to them, with the findings acknowledged", async () => {
  const { stacks, findings } = await synthesise({ stage: "prod", account: "123456789012", region: "eu-west-1" });
  assert.deepEqual(findings, []);
  assert.match(JSON.stringify(stacks.data), /arn:aws:iam::123456789012:root/);
  assert.match(JSON.stringify(stacks.api), /arn:aws:lambda:eu-west-1:123456789012:function:/);
});
