import assert from "node:assert/strict";
import { test } from "@jest/globals";
import { ProblemBody } from "../../../functions/api/openapi/errors.ts";
import { requestsPerSecond } from "../../../lib/api/restApi.ts";
import { Settings } from "../../../lib/settings.ts";
import { type Json, only, resourcesOf, synthesise } from "../support/synthesise.ts";

const { template, findings } = await synthesise({ stage: "prod", requestsPerMinutePerKey: "1200" });
const acl = only(template, "AWS::WAFv2::WebACL").Properties;
const ruleOf = (name: string): Json => acl.Rules.find(({ Name }: Json) => Name === name);

test("the web ACL protects the API's stage and allows requests that no rule blocks", () => {
  const { ResourceArn, WebACLArn } = only(template, "AWS::WAFv2::WebACLAssociation").Properties;
  const [stageId] = resourcesOf(template, "AWS::ApiGateway::Stage")[0] ?? [];
  assert.ok(JSON.stringify(ResourceArn).includes(JSON.stringify({ Ref: stageId })));
  assert.deepEqual(Object.keys(template.Resources).filter((id) => id === WebACLArn["Fn::GetAtt"][0]).length, 1);
  assert.deepEqual([acl.Scope, acl.DefaultAction], ["REGIONAL", { Allow: {} }]);
  assert.deepEqual(findings, []);
});

test("neither one organisation nor all clients without a key can use up the stage's own limit", () => {
  const { requestsPerMinutePerOrganisation, requestsPerMinuteWithoutKey } = Settings.parse({});
  assert.ok(requestsPerMinutePerOrganisation / 60 <= requestsPerSecond / 10);
  assert.ok(requestsPerMinuteWithoutKey / 60 <= requestsPerSecond / 10);
});

test("a request that did not come through the distribution is refused before it is counted", () => {
  const [first] = acl.Rules;
  assert.deepEqual([first.Name, first.Priority], ["OnlyThroughDistribution", 0]);
  const { ByteMatchStatement: match } = first.Statement.NotStatement.Statement;
  assert.deepEqual(
    [match.PositionalConstraint, match.TextTransformations],
    ["EXACTLY", [{ Priority: 0, Type: "NONE" }]],
  );
  const { Origins } = only(template, "AWS::CloudFront::Distribution").Properties.DistributionConfig;
  const sent: Json[] = Origins.flatMap(({ OriginCustomHeaders = [] }: Json) => OriginCustomHeaders);
  assert.deepEqual(
    sent.map(({ HeaderName, HeaderValue }) => [HeaderName.toLowerCase(), HeaderValue]),
    [[match.FieldToMatch.SingleHeader.Name, match.SearchString]],
  );
  // CloudFormation inserts the generated value.
  assert.match(JSON.stringify(match.SearchString), /\{\{resolve:secretsmanager:.*"Ref":"WebAclOriginSecret/);
  const { ResponseCode, CustomResponseBodyKey } = first.Action.Block.CustomResponse;
  const problem = ProblemBody.strict().parse(JSON.parse(acl.CustomResponseBodies[CustomResponseBodyKey].Content));
  assert.deepEqual([ResponseCode, problem.status, problem.code], [403, 403, "forbidden"]);
});

test("the web ACL accepts a new secret of the origin and the one before", async () => {
  const isOrigin = ([id]: [string, Json]) => id.includes("OriginSecret");
  const secretsIn = (value: Json) => JSON.stringify(value).match(/WebAclOriginSecret\w+/g) ?? [];
  const [aclId] = resourcesOf(template, "AWS::WAFv2::WebACL")[0] ?? [];
  let previous = "";
  for (const [originSecretVersion, count] of [
    ["1", 1],
    ["2", 2],
    ["3", 2],
  ] as const) {
    const { template: one } = await synthesise({ stage: "prod", originSecretVersion });
    const secrets = resourcesOf(one, "AWS::SecretsManager::Secret")
      .filter(isOrigin)
      .map(([id]) => id);
    const { DependsOn, Properties } = only(one, "AWS::CloudFront::Distribution");
    const [sent = ""] = secretsIn(Properties.DistributionConfig.Origins);
    assert.deepEqual(secretsIn(only(one, "AWS::WAFv2::WebACL").Properties.Rules[0]).toSorted(), secrets.toSorted());
    assert.ok(secrets.length === count && secrets.includes(sent) && sent !== previous);
    assert.ok(previous === "" || secrets.includes(previous));
    assert.ok(DependsOn.includes(aclId));
    previous = sent;
  }
  const [distributionId] = resourcesOf(template, "AWS::CloudFront::Distribution")[0] ?? [];
  assert.ok(only(template, "AWS::WAFv2::WebACLAssociation").DependsOn.includes(distributionId));
});

test("too many requests return 429 in the API's error shape, with Retry-After", () => {
  for (const name of ["RatePerKey", "RatePerOrganisation", "RatePerAddress", "RateWithoutKey"]) {
    const { CustomResponse } = ruleOf(name).Action.Block;
    assert.equal(CustomResponse.ResponseCode, 429);
    const headers = Object.fromEntries(CustomResponse.ResponseHeaders.map(({ Name, Value }: Json) => [Name, Value]));
    assert.match(headers["Retry-After"], /^\d+$/);
    assert.equal(headers["Content-Type"], undefined, "WAF sets it from the body's type and refuses it here");
    const body = acl.CustomResponseBodies[CustomResponse.CustomResponseBodyKey];
    assert.equal(body.ContentType, "APPLICATION_JSON");
    const problem = ProblemBody.strict().parse(JSON.parse(body.Content));
    assert.deepEqual([problem.status, problem.code], [429, "rate_limited"]);
  }
});

test("a stage can do without a web ACL and the probe, as dev does by default", async () => {
  for (const [settings, expected] of [
    [{ stage: "dev" }, [0, 0]],
    [{ stage: "dev", webAcl: "on", probe: "on" }, [1, 1]],
    [{ stage: "prod", probe: "off", webAcl: "off", canary: "off" }, [0, 0]],
    [{ stage: "staging" }, [1, 1]],
  ] as const) {
    const { template: one } = await synthesise(settings);
    const probes = Object.keys(one.Resources).filter((id) => /^ProbeSchedule.{8}$/.test(id));
    assert.deepEqual([resourcesOf(one, "AWS::WAFv2::WebACL").length, probes.length], expected);
  }
});
