import assert from "node:assert/strict";
import { test } from "@jest/globals";
import { routes as endpoints } from "../../../functions/mcp/routes.ts";
import { definitionOf, functionIn, idIn, type Json, only, resourcesOf, synthesise } from "../support/synthesise.ts";

const { template } = await synthesise({ stage: "prod" });
const definition = definitionOf(template);
const [integration, authorizer] = ["x-amazon-apigateway-integration", "x-amazon-apigateway-authorizer"];
const groups = new Map(resourcesOf(template, "AWS::CodeDeploy::DeploymentGroup"));
const aliases = resourcesOf(template, "AWS::Lambda::Alias").map(([, resource]) => resource);
const ofReleases = ["authorizer-errors", "function-failures", "latency", "server-errors"].map(
  (section) => `ticketing-prod-${section}`,
);
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
    assert.deepEqual(Properties.AlarmConfiguration.Alarms.map(({ Name }: Json) => Name).toSorted(), ofReleases);
  }
});

test("without a canary, as in dev, a new version replaces the old one at once", async () => {
  for (const settings of [{ stage: "dev" }, { stage: "prod", webAcl: "off", canary: "off" }]) {
    const without = (await synthesise(settings)).template;
    assert.deepEqual(resourcesOf(without, "AWS::CodeDeploy::DeploymentGroup"), []);
    const live = resourcesOf(without, "AWS::Lambda::Alias").map(([, resource]) => resource);
    assert.ok(live.every(({ UpdatePolicy }) => UpdatePolicy === undefined));
  }
});
