import assert from "node:assert/strict";
import { test } from "node:test";
import { ProblemBody } from "../../functions/openapi/errors.ts";
import { type Json, only, resourcesOf, synthesise } from "./synthesise.ts";

const { template, findings } = synthesise({ stage: "prod", requestsPerMinutePerKey: "1200" });
const acl = only(template, "AWS::WAFv2::WebACL").Properties;
const ruleOf = (name: string): Json => acl.Rules.find(({ Name }: Json) => Name === name);

test("the web ACL stands before the API's stage, and lets through what no rule refuses", () => {
  const { ResourceArn, WebACLArn } = only(template, "AWS::WAFv2::WebACLAssociation").Properties;
  const [stageId] = resourcesOf(template, "AWS::ApiGateway::Stage")[0] ?? [];
  assert.ok(JSON.stringify(ResourceArn).includes(JSON.stringify({ Ref: stageId })));
  assert.deepEqual(Object.keys(template.Resources).filter((id) => id === WebACLArn["Fn::GetAtt"][0]).length, 1);
  assert.deepEqual([acl.Scope, acl.DefaultAction], ["REGIONAL", { Allow: {} }]);
  assert.deepEqual(findings, []);
});

test("requests are counted for each Authorization header and for each address, over a minute", () => {
  const { RateBasedStatement: perKey } = ruleOf("RatePerKey").Statement;
  assert.deepEqual([perKey.Limit, perKey.EvaluationWindowSec, perKey.AggregateKeyType], [1_200, 60, "CUSTOM_KEYS"]);
  assert.deepEqual(
    perKey.CustomKeys.map(({ Header }: Json) => Header.Name),
    ["Authorization"],
  );
  const { RateBasedStatement: perAddress } = ruleOf("RatePerAddress").Statement;
  assert.deepEqual([perAddress.Limit, perAddress.EvaluationWindowSec], [6_000, 60]);
  assert.deepEqual(
    [perAddress.AggregateKeyType, perAddress.ForwardedIPConfig.HeaderName],
    ["FORWARDED_IP", "X-Forwarded-For"],
  );
});

test("who asks too much gets 429 in the API's error shape, with Retry-After", () => {
  for (const name of ["RatePerKey", "RatePerAddress"]) {
    const { CustomResponse } = ruleOf(name).Action.Block;
    assert.equal(CustomResponse.ResponseCode, 429);
    const headers = Object.fromEntries(CustomResponse.ResponseHeaders.map(({ Name, Value }: Json) => [Name, Value]));
    assert.match(headers["Retry-After"], /^\d+$/);
    assert.equal(headers["Content-Type"], undefined, "which WAF gives by the body's own type, and refuses here");
    const body = acl.CustomResponseBodies[CustomResponse.CustomResponseBodyKey];
    assert.equal(body.ContentType, "APPLICATION_JSON");
    const problem = ProblemBody.strict().parse(JSON.parse(body.Content));
    assert.deepEqual([problem.status, problem.code], [429, "rate_limited"]);
  }
});

test("AWS's managed rules refuse what looks like an attack, but not a large body or a client without a name", () => {
  const groups = acl.Rules.flatMap(({ Statement }: Json) => Statement.ManagedRuleGroupStatement ?? []);
  assert.deepEqual(
    groups.map(({ VendorName, Name }: Json) => [VendorName, Name]),
    [
      ["AWS", "AWSManagedRulesAmazonIpReputationList"],
      ["AWS", "AWSManagedRulesKnownBadInputsRuleSet"],
      ["AWS", "AWSManagedRulesCommonRuleSet"],
    ],
  );
  const counted = groups.flatMap(({ RuleActionOverrides = [] }: Json) =>
    RuleActionOverrides.map(({ Name, ActionToUse }: Json) => [Name, ActionToUse]),
  );
  assert.deepEqual(counted, [
    ["SizeRestrictions_BODY", { Count: {} }],
    ["NoUserAgent_HEADER", { Count: {} }],
  ]);
});

test("rules have their own priorities, and none keeps samples of requests, which would show keys", () => {
  const priorities = acl.Rules.map(({ Priority }: Json) => Priority);
  assert.deepEqual(priorities, [0, 1, 2, 3, 4]);
  for (const { VisibilityConfig } of [acl, ...acl.Rules]) {
    assert.deepEqual(
      [VisibilityConfig.SampledRequestsEnabled, VisibilityConfig.CloudWatchMetricsEnabled],
      [false, true],
    );
  }
});

test("a stage may do without, as dev does by default", () => {
  const count = (settings: object) => resourcesOf(synthesise({ ...settings }).template, "AWS::WAFv2::WebACL").length;
  assert.equal(count({ stage: "dev" }), 0);
  assert.equal(count({ stage: "dev", webAcl: "on" }), 1);
  assert.equal(count({ stage: "prod", webAcl: "off" }), 0);
  assert.equal(count({ stage: "staging" }), 1);
});
