import assert from "node:assert/strict";
import { describe, test } from "@jest/globals";
import { routes as endpoints } from "../../../functions/mcp/routes.ts";
import { alarmsOf, isRaised, type Values } from "../support/alarms.ts";
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

test("only the log and the schedules may call a function without a role, and only a live version", () => {
  const permissions = resourcesOf(template, "AWS::Lambda::Permission").map(([, { Properties }]) => Properties);
  const [{ FunctionName, Principal, SourceArn }, ...ofSchedules] = permissions.toSorted((one, other) =>
    one.Principal < other.Principal ? 1 : -1,
  );
  const rules = resourcesOf(template, "AWS::Events::Rule").filter(
    ([, { Properties }]) => Properties.ScheduleExpression,
  );
  assert.deepEqual(ofSchedules.map((one) => idIn(one.SourceArn)).toSorted(), rules.map(([id]) => id).toSorted());
  for (const one of ofSchedules) {
    assert.equal(one.Principal, "events.amazonaws.com");
    assert.equal(template.Resources[idIn(one.FunctionName)].Type, "AWS::Lambda::Alias");
  }
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
    assert.deepEqual(Properties.AutoRollbackConfiguration, {
      Enabled: true,
      Events: ["DEPLOYMENT_FAILURE", "DEPLOYMENT_STOP_ON_REQUEST", "DEPLOYMENT_STOP_ON_ALARM"],
    });
    assert.ok(Properties.AlarmConfiguration.Enabled);
    const names = alarms.map(({ AlarmName }) => AlarmName);
    for (const { Name } of Properties.AlarmConfiguration.Alarms) assert.ok(names.includes(Name), Name);
  }
});

/** The alarms that roll back a release, by the end of their names. */
const ofRelease = new Map([...alarmsOf(template)].filter(([section]) => isWatched(`ticketing-prod-${section}`)));

function isWatched(name: string): boolean {
  const lists: Json[][] = [...groups.values()].map(({ Properties }) => Properties.AlarmConfiguration.Alarms);
  return lists.every((list) => list.some(({ Name }) => Name === name));
}

const latency = (ms: number) => ({ p99: ms, p95: ms, p90: ms, p50: 60, tests: 0 });

describe("a bad version is rolled back within its ten minutes if it", () => {
  test.each<[string, string, Values]>([
    ["returns errors", "server-errors", { errors: 60, requests: 600 }],
    ["is too slow", "latency", { ...latency(3_000), requests: 600 }],
    ["does not know good keys", "lost-keys", { lost: 60, keys: 600 }],
    ["fails to check keys", "authorizer-errors", { keys: 60, requests: 600 }],
  ])("%s", (_what, section, minute) => assert.ok(isRaised(ofRelease.get(section), [minute, minute])));

  test("breaks only balance payments, which are 0.5 % of the requests", () => {
    // Three of 600 requests a minute, so the canary's tenth gets three in its ten minutes. The last two minutes come too late.
    const minutes = [0, 1, 0, 0, 1, 0, 0, 1].map((failures) => ({ failures, requests: 600 }));
    assert.ok(isRaised(ofRelease.get("function-failures"), minutes));
    assert.ok(!isRaised(ofRelease.get("function-failures"), minutes.slice(0, 2)));
  });
});

test("a good version is not rolled back in a quiet night with cold starts and one failure of each kind, nor by refused requests", () => {
  const night: Record<string, Values[]> = {
    "server-errors": [0, 1, 0, 1, 0, 0, 2, 0].map((errors) => ({ errors, requests: 7 })),
    "function-failures": [0, 1, 0, 0, 0, 0, 0, 0].map((failures) => ({ failures, requests: 10 })),
    latency: Array(8).fill({ ...latency(4_000), requests: 12 }),
    "lost-keys": Array(8).fill({ lost: 0, keys: 660 }),
    "authorizer-errors": [0, 1, 0, 0, 0, 0, 0, 0].map((keys) => ({ keys, requests: 10 })),
  };
  assert.deepEqual([...ofRelease.keys()].sort(), Object.keys(night).sort());
  for (const [section, alarm] of ofRelease)
    for (const [minute] of night[section]?.entries() ?? [])
      assert.ok(!isRaised(alarm, night[section]?.slice(0, minute + 1) ?? []), section);
});

test("without a canary, as in dev, a new version replaces the old one at once", async () => {
  for (const settings of [{ stage: "dev" }, { stage: "prod", webAcl: "off", canary: "off" }]) {
    const without = (await synthesise(settings)).template;
    assert.deepEqual(resourcesOf(without, "AWS::CodeDeploy::DeploymentGroup"), []);
    const live = resourcesOf(without, "AWS::Lambda::Alias").map(([, resource]) => resource);
    assert.ok(live.every(({ UpdatePolicy }) => UpdatePolicy === undefined));
  }
});
