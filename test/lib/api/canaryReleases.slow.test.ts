import assert from "node:assert/strict";
import { describe, test } from "@jest/globals";
import { endpoints } from "../../../functions/endpoints/index.ts";
import { type Answered, awsMetrics, type Numbers, stateOf, watchedIds } from "../support/metrics.ts";
import { definitionOf, functionIn, idIn, type Json, only, resourcesOf, synthesise } from "../support/synthesise.ts";

const { template } = await synthesise({ stage: "prod" });
const definition = definitionOf(template);
const [integration, authorizer] = ["x-amazon-apigateway-integration", "x-amazon-apigateway-authorizer"];
const groups = new Map(resourcesOf(template, "AWS::CodeDeploy::DeploymentGroup"));
const aliases = resourcesOf(template, "AWS::Lambda::Alias").map(([, resource]) => resource);
const alarms = resourcesOf(template, "AWS::CloudWatch::Alarm").map(([, { Properties }]) => Properties);
const aliasOf = (functionId: string) => aliases.find(({ Properties }) => Properties.FunctionName.Ref === functionId);

/** The functions that respond to requests, including the authorizers. */
const answering = [
  ...endpoints.map(({ path, method }) => definition.paths[path][method.toLowerCase()][integration].uri),
  ...Object.values<Json>(definition.components.securitySchemes).map((scheme) => scheme[authorizer].authorizerUri),
].map((uri) => functionIn(template, uri).id);

test("every function is called through the alias of its live version", () => {
  const behind = [
    ...resourcesOf(template, "AWS::Lambda::EventSourceMapping").map(([, { Properties }]) => Properties.FunctionName),
    only(template, "AWS::Pipes::Pipe").Properties.Enrichment,
    only(template, "AWS::Logs::SubscriptionFilter").Properties.DestinationArn,
  ].map((name) => functionIn(template, name).id);
  assert.equal(answering.length, endpoints.length + 2);
  assert.deepEqual(
    [...answering, ...behind].toSorted(),
    aliases.map(({ Properties }) => Properties.FunctionName.Ref).toSorted(),
  );
  for (const { Properties } of aliases) {
    assert.equal(Properties.Name, "live");
    assert.equal(template.Resources[idIn(Properties.FunctionVersion)].Type, "AWS::Lambda::Version");
  }
});

test("only the log and the schedule of webhooks may call a function without a role, and only a live version", () => {
  const permissions = resourcesOf(template, "AWS::Lambda::Permission").map(([, { Properties }]) => Properties);
  const [{ FunctionName, Principal, SourceArn }, schedule, ...others] = permissions.toSorted((one, other) =>
    one.Principal < other.Principal ? 1 : -1,
  );
  const [rule] =
    resourcesOf(template, "AWS::Events::Rule").find(([, { Properties }]) => Properties.ScheduleExpression) ?? [];
  assert.deepEqual([others, schedule.Principal, idIn(schedule.SourceArn)], [[], "events.amazonaws.com", rule]);
  assert.equal(template.Resources[idIn(schedule.FunctionName)].Type, "AWS::Lambda::Alias");
  const { DestinationArn, LogGroupName } = only(template, "AWS::Logs::SubscriptionFilter").Properties;
  assert.equal(Principal, "logs.amazonaws.com");
  assert.deepEqual(SourceArn, { "Fn::GetAtt": [idIn(LogGroupName), "Arn"] });
  assert.deepEqual(FunctionName, DestinationArn);
  assert.equal(template.Resources[idIn(FunctionName)].Type, "AWS::Lambda::Alias");
});

test("a function behind the API first gets a tenth of the calls for ten minutes, and alarms roll it back", () => {
  // A tenth of a super-admin's few requests would show nothing.
  const seldomUsed = endpoints.filter(({ caller }) => caller.scheme === "superAdmin").length;
  assert.equal(groups.size, answering.length - seldomUsed);
  const used = answering.flatMap((id) => aliasOf(id)?.UpdatePolicy?.CodeDeployLambdaAliasUpdate ?? []);
  assert.deepEqual(
    used.map(({ DeploymentGroupName }) => idIn(DeploymentGroupName)).toSorted(),
    [...groups.keys()].sort(),
  );
  for (const { Properties } of groups.values()) {
    assert.equal(Properties.DeploymentConfigName, "CodeDeployDefault.LambdaCanary10Percent10Minutes");
    assert.ok(Properties.AutoRollbackConfiguration.Enabled);
    assert.ok(Properties.AutoRollbackConfiguration.Events.includes("DEPLOYMENT_STOP_ON_ALARM"));
    assert.ok(Properties.AlarmConfiguration.Enabled);
    const names = alarms.map(({ AlarmName }) => AlarmName);
    for (const { Name } of Properties.AlarmConfiguration.Alarms) assert.ok(names.includes(Name), Name);
  }
});

const aws = awsMetrics(template);
const requests = (count: number, answered: Answered) => Array<Numbers[]>(count).fill(aws.request(answered)).flat();
/** In a minute of 600 requests. */
const tenth = (answered: Answered) => [...requests(540, { status: 200 }), ...requests(60, answered)];
const [authorizerId = ""] = watchedIds(template).authorizers;
const faults: Record<string, Numbers[]> = {
  "returns errors": tenth({ status: 500 }),
  "is too slow": tenth({ status: 200, latencyMs: 3_000 }),
  "does not know good keys": [
    ...tenth({ status: 401, errorType: "ACCESS_DENIED" }),
    ...aws.lambda(authorizerId, { Invocations: 600 }),
    ...aws.own("apiKeyAuthorizer", { lost_keys: 60 }),
  ],
  "fails to check keys": [...requests(600, { status: 200 }), ...aws.lambda(authorizerId, { Errors: 60 })],
};
const [{ Properties: group }] = [...groups.values()] as [Json];
const ofGroup = alarms.filter(({ AlarmName }) =>
  group.AlarmConfiguration.Alarms.some(({ Name }: Json) => Name === AlarmName),
);
const isRolledBack = (minutes: Numbers[][]) => {
  const samples = minutes.flatMap((numbers, minute) => numbers.map((one) => ({ ...one, minute })));
  return minutes.some((_, minute) =>
    ofGroup.some(
      (alarm) =>
        stateOf(
          template,
          alarm,
          samples.filter((one) => one.minute <= minute),
          minute,
        ) === "ALARM",
    ),
  );
};

describe("a bad version is rolled back within its ten minutes if it", () => {
  for (const [what, numbers] of Object.entries(faults)) {
    test(what, () => assert.ok(isRolledBack([numbers, numbers])));
  }

  test("breaks only balance payments, which are 0.5 % of the requests", () => {
    // Three of 600 requests a minute, so the canary's tenth gets three in its ten minutes. The last two minutes come too late.
    for (const broken of [{ status: 500 }, { status: 503, errorType: "INTEGRATION_FAILURE" }]) {
      const minutes = Array.from({ length: 8 }, (_, minute) =>
        [1, 4, 7].includes(minute)
          ? [...requests(599, { status: 200 }), ...requests(1, broken)]
          : requests(600, { status: 200 }),
      );
      assert.ok(isRolledBack(minutes), JSON.stringify(broken));
      assert.ok(!isRolledBack(minutes.slice(0, 2)));
    }
  });

  test("a good version is not, in a quiet night with cold starts, a few refused keys, and one failure of each kind", () => {
    const night = [
      requests(12, { status: 200, latencyMs: 1_500 }),
      [...requests(9, { status: 200 }), ...requests(1, { status: 500 })],
      requests(0, { status: 200 }),
      [...requests(5, { status: 200 }), ...requests(1, { status: 503 })],
      [...requests(5, { status: 200 }), ...requests(4, { status: 401, errorType: "ACCESS_DENIED" })],
      requests(1, { status: 200, latencyMs: 1_900 }),
      [...requests(5, { status: 200 }), ...requests(2, { status: 503 })],
      requests(2, { status: 200 }),
    ];
    assert.ok(!isRolledBack(night));
  });

  test("a good version is not, during a flood without keys, or while an integration retries with a revoked key", () => {
    const flood = [...requests(60, { status: 200 }), ...requests(5_000, { status: 401, errorType: "UNAUTHORIZED" })];
    const loop = [
      ...requests(60, { status: 200 }),
      ...requests(600, { status: 401, errorType: "ACCESS_DENIED" }),
      ...aws.lambda(authorizerId, { Invocations: 660 }),
    ];
    for (const minute of [flood, loop]) assert.ok(!isRolledBack(Array(8).fill(minute)));
  });
});

test("without a canary, as in dev, a new version replaces the old one at once", async () => {
  for (const settings of [{ stage: "dev" }, { stage: "prod", webAcl: "off", canary: "off" }]) {
    const without = (await synthesise(settings)).template;
    assert.deepEqual(resourcesOf(without, "AWS::CodeDeploy::DeploymentGroup"), []);
    const live = resourcesOf(without, "AWS::Lambda::Alias").map(([, resource]) => resource);
    assert.equal(live.length, aliases.length);
    assert.ok(live.every(({ UpdatePolicy }) => UpdatePolicy === undefined));
  }
});
