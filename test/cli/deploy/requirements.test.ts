import assert from "node:assert/strict";
import { test } from "@jest/globals";
import { requiredBootstrapVersion } from "../../../cli/deploy/accountChecks.ts";
import { distributionsOfStage, headerPoliciesOfStage } from "../../../cli/deploy/cloudFrontChecks.ts";
import { definitionOf, resourcesOf, synthesise } from "../../lib/support/synthesise.ts";

test("what the checks of an account require is what the templates need", async () => {
  const { stacks } = await synthesise({ stage: "prod" });
  const { api } = stacks;
  const tooOld = JSON.stringify(api).match(/"Fn::Contains":\[(\[[^\]]*\]),\{"Ref":"BootstrapVersion"/)?.[1] ?? "[]";
  assert.equal(requiredBootstrapVersion, JSON.parse(tooOld).length + 1);
  assert.equal(resourcesOf(api, "AWS::CloudFront::Distribution").length, distributionsOfStage);
  assert.equal(resourcesOf(api, "AWS::CloudFront::ResponseHeadersPolicy").length, headerPoliciesOfStage);
  // Of the quotas that AWS does not raise at once, these are far away: 300 paths in an API, 1,000 roles in an account.
  assert.ok(Object.keys(definitionOf(api).paths).length < 200);
  assert.ok(resourcesOf(api, "AWS::IAM::Role").length < 200);
});
