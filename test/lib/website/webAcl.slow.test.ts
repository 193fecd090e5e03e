import assert from "node:assert/strict";
import { test } from "@jest/globals";
import { ProblemBody } from "../../../functions/api/openapi/errors.ts";
import { requestsPerSecond } from "../../../lib/api/restApi.ts";
import { Settings } from "../../../lib/settings.ts";
import { keyTagHeader, tags, viewerAddressHeader } from "../../../lib/website/webAcl.ts";
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

test("requests are counted per minute for each Authorization header and for each address", () => {
  const { RateBasedStatement: perKey } = ruleOf("RatePerKey").Statement;
  assert.deepEqual([perKey.Limit, perKey.EvaluationWindowSec, perKey.AggregateKeyType], [1_200, 60, "CUSTOM_KEYS"]);
  assert.deepEqual(
    perKey.CustomKeys.map(({ Header }: Json) => Header.Name),
    ["Authorization"],
  );
  // Another spelling of the scheme counts as the same key.
  const [{ Header }] = perKey.CustomKeys;
  const spellings = ["Bearer tsk_Ab", "bEaReR    tsk_Ab", "bearer\t tsk_Ab"];
  assert.equal(new Set(spellings.map((value) => transformed(value, Header.TextTransformations))).size, 1);
  const { RateBasedStatement: perAddress } = ruleOf("RatePerAddress").Statement;
  assert.deepEqual([perAddress.Limit, perAddress.EvaluationWindowSec], [6_000, 60]);
  assert.equal(perAddress.AggregateKeyType, "FORWARDED_IP");
  assert.deepEqual(perAddress.ForwardedIPConfig, { HeaderName: viewerAddressHeader, FallbackBehavior: "MATCH" });
});

test("requests are counted for all keys of an organisation together, and for all clients without a key", () => {
  const headerOf = ({ ByteMatchStatement: match }: Json) => {
    assert.deepEqual(
      [match.PositionalConstraint, match.TextTransformations],
      ["EXACTLY", [{ Priority: 0, Type: "NONE" }]],
    );
    return [match.FieldToMatch.SingleHeader.Name, match.SearchString];
  };
  const { RateBasedStatement: organisation } = ruleOf("RatePerOrganisation").Statement;
  assert.deepEqual([organisation.Limit, organisation.EvaluationWindowSec], [15_000, 60]);
  assert.deepEqual(organisation.CustomKeys, [
    { Header: { Name: keyTagHeader, TextTransformations: [{ Priority: 0, Type: "NONE" }] } },
  ]);
  // The people of all organisations do not share one limit.
  assert.deepEqual(headerOf(organisation.ScopeDownStatement.NotStatement.Statement), ["x-key-tag", tags.token]);
  const { RateBasedStatement: withoutKey } = ruleOf("RateWithoutKey").Statement;
  assert.deepEqual([withoutKey.Limit, withoutKey.AggregateKeyType], [6_000, "CONSTANT"]);
  assert.deepEqual(headerOf(withoutKey.ScopeDownStatement), ["x-key-tag", tags.none]);
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
  const [secretId] = resourcesOf(template, "AWS::SecretsManager::Secret")[0] ?? [];
  assert.ok(JSON.stringify(match.SearchString).includes(`{{resolve:secretsmanager:`));
  assert.ok(JSON.stringify(match.SearchString).includes(JSON.stringify({ Ref: secretId })));
  const { ResponseCode, CustomResponseBodyKey } = first.Action.Block.CustomResponse;
  const problem = ProblemBody.strict().parse(JSON.parse(acl.CustomResponseBodies[CustomResponseBodyKey].Content));
  assert.deepEqual([ResponseCode, problem.status, problem.code], [403, 403, "forbidden"]);
});

test("a new secret and the one before are valid, and the distribution changes after the web ACL and before its use", async () => {
  const [aclId] = resourcesOf(template, "AWS::WAFv2::WebACL")[0] ?? [];
  const headersOf = (of: typeof template) => {
    const [[, { Properties, DependsOn }] = assert.fail()] = resourcesOf(of, "AWS::CloudFront::Distribution");
    const sent = JSON.stringify(Properties.DistributionConfig.Origins);
    const { Rules } = only(of, "AWS::WAFv2::WebACL").Properties;
    const { Statement } = Rules.find(({ Name }: Json) => Name === "OnlyThroughDistribution").Statement.NotStatement;
    const accepted = (Statement.OrStatement?.Statements ?? [Statement]).map((one: Json) =>
      JSON.stringify(one.ByteMatchStatement.SearchString),
    );
    const secrets = resourcesOf(of, "AWS::SecretsManager::Secret")
      .map(([id]) => id)
      .filter((id) => id.includes("OriginSecret"));
    return { DependsOn, sent, accepted, secrets };
  };
  const versions = await Promise.all(
    [1, 2, 3].map((originSecretVersion) =>
      synthesise({ stage: "prod", originSecretVersion: String(originSecretVersion) }),
    ),
  );
  const [first = assert.fail(), second = assert.fail(), third = assert.fail()] = versions.map((one) =>
    headersOf(one.template),
  );
  assert.deepEqual(
    [first, second, third].map(({ secrets }) => secrets.length),
    [1, 2, 2],
  );
  assert.ok(
    first.secrets.every((id) => second.secrets.includes(id)) && !third.secrets.includes(first.secrets[0] ?? ""),
  );
  for (const { accepted, secrets, sent, DependsOn } of [first, second, third]) {
    assert.equal(accepted.length, secrets.length);
    for (const id of secrets) assert.ok(accepted.some((value: string) => value.includes(id)));
    const newest = secrets.find((id) => sent.includes(id));
    assert.ok(newest && (secrets.length === 1 || !(newest === first.secrets[0])));
    assert.ok(DependsOn.includes(aclId));
  }
  const [distributionId] = resourcesOf(template, "AWS::CloudFront::Distribution")[0] ?? [];
  const association = only(template, "AWS::WAFv2::WebACLAssociation");
  assert.ok(association.DependsOn.includes(distributionId));
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

test("AWS's managed rules block likely attacks, but not a large body or a client without a User-Agent", () => {
  const groups = acl.Rules.flatMap(({ Statement }: Json) => Statement.ManagedRuleGroupStatement ?? []);
  assert.deepEqual(
    groups.map(({ VendorName, Name }: Json) => [VendorName, Name]),
    [
      ["AWS", "AWSManagedRulesKnownBadInputsRuleSet"],
      ["AWS", "AWSManagedRulesCommonRuleSet"],
    ],
  );
  const counted = groups.flatMap(({ RuleActionOverrides = [] }: Json) =>
    RuleActionOverrides.map(({ Name, ActionToUse }: Json) => [Name, ActionToUse]),
  );
  assert.deepEqual(counted, [
    ["SizeRestrictions_BODY", { Count: {} }],
    ["SizeRestrictions_QUERYSTRING", { Count: {} }],
    ["NoUserAgent_HEADER", { Count: {} }],
  ]);
});

test("rules have different priorities, and samples of requests contain no key, token, secret, query or body", () => {
  const priorities = acl.Rules.map(({ Priority }: Json) => Priority);
  assert.deepEqual(priorities, [0, 1, 2, 3, 4, 5, 6]);
  for (const { VisibilityConfig } of [acl, ...acl.Rules]) {
    assert.deepEqual(
      [VisibilityConfig.SampledRequestsEnabled, VisibilityConfig.CloudWatchMetricsEnabled],
      [true, true],
    );
  }
  const [headers, ...others] = acl.DataProtectionConfig.DataProtections;
  assert.deepEqual(headers, {
    Action: "SUBSTITUTION",
    Field: {
      FieldType: "SINGLE_HEADER",
      FieldKeys: ["authorization", "cookie", "idempotency-key", "x-origin-secret"],
    },
  });
  assert.deepEqual(
    others,
    ["QUERY_STRING", "BODY"].map((FieldType) => ({ Action: "SUBSTITUTION", Field: { FieldType } })),
  );
});

test("a stage can do without a web ACL, as dev does by default", async () => {
  const count = async (settings: Record<string, string>) =>
    resourcesOf((await synthesise(settings)).template, "AWS::WAFv2::WebACL").length;
  assert.equal(await count({ stage: "dev" }), 0);
  assert.equal(await count({ stage: "dev", webAcl: "on", probe: "on" }), 1);
  assert.equal(await count({ stage: "prod", webAcl: "off", canary: "off" }), 0);
  assert.equal(await count({ stage: "staging" }), 1);
  const without = (await synthesise({ stage: "dev" })).template;
  assert.deepEqual(resourcesOf(without, "AWS::SecretsManager::Secret"), []);
});

/** WAF's text transformations, as far as the ACL uses them. */
function transformed(text: string, transformations: Json[]): string {
  const known: Record<string, (value: string) => string> = {
    COMPRESS_WHITE_SPACE: (value) => value.replaceAll(/\s+/g, " "),
    LOWERCASE: (value) => value.toLowerCase(),
  };
  return transformations
    .toSorted((one, other) => one.Priority - other.Priority)
    .reduce((value, { Type }) => known[Type]?.(value) ?? assert.fail(Type), text);
}
