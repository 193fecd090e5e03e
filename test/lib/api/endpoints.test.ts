import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { describe, test } from "@jest/globals";
import type { Endpoint } from "../../../functions/api/endpoint.ts";
import { routes as endpoints } from "../../../functions/mcp/routes.ts";
import { defaultClaims } from "../../../functions/people/signInSettings.ts";
import { type TableAccess, tableAccessOf } from "../../../lib/table/dataTable.ts";
import {
  definitionOf,
  functionIn,
  idIn,
  type Json,
  resourcesOf,
  statementsOf,
  synthesise,
} from "../support/synthesise.ts";

const { template, entryPoints } = await synthesise({ stage: "prod" });
const definition = definitionOf(template);
const schemes = definition.components.securitySchemes;
const integrationOf = ({ path, method }: Endpoint) =>
  definition.paths[path][method.toLowerCase()]["x-amazon-apigateway-integration"];
const authorizer = (scheme: string) =>
  functionIn(template, schemes[scheme]["x-amazon-apigateway-authorizer"].authorizerUri);
const idOf = (type: string, start: string) => resourcesOf(template, type).find(([id]) => id.startsWith(start))?.[0];
const arnOf = (id: string | undefined) => ({ "Fn::GetAtt": [id, "Arn"] });
const table = arnOf(resourcesOf(template, "AWS::DynamoDB::GlobalTable")[0]?.[0]);

describe("the role with which the gateway calls functions", () => {
  const [role = "", ...others] = new Set<string>(endpoints.map((one) => idIn(integrationOf(one).credentials)));

  test("is the gateway's alone, and only for calls", () => {
    assert.deepEqual(others, []);
    const { AssumeRolePolicyDocument, Policies } = template.Resources[role].Properties;
    assert.deepEqual(
      AssumeRolePolicyDocument.Statement.map(({ Principal }: Json) => Principal),
      [{ Service: "apigateway.amazonaws.com" }],
    );
    const statements: Json[] = Policies.flatMap(({ PolicyDocument }: Json) => PolicyDocument.Statement);
    assert.deepEqual(new Set(statements.map(({ Action }) => Action)), new Set(["lambda:InvokeFunction"]));
  });

  test("names no operation, so renaming one takes no right away before the new route is live", () => {
    const [{ Resource }] = statementsOf(template, { properties: { Role: { "Fn::GetAtt": [role] } } });
    const names = Resource.map((arn: Json) => /:function:([^"]+)/.exec(JSON.stringify(arn))?.[1]);
    assert.deepEqual(names, ["ticketing-prod-Api*:live", "ticketing-prod-superAdminAuthorizer:live"]);
    // The name of a function without a FunctionName begins with the stack's name and its logical id.
    for (const endpoint of endpoints) {
      const { id, properties } = functionIn(template, integrationOf(endpoint));
      assert.ok(id.startsWith("Api") && properties.FunctionName === undefined, id);
    }
  });
});

test("every endpoint requires its caller's authorizer and passes the whole request to its own function", () => {
  for (const endpoint of endpoints) {
    const { path, method, operationId, caller } = endpoint;
    assert.deepEqual(definition.paths[path][method.toLowerCase()].security, [{ [caller.scheme]: [] }], operationId);
    assert.deepEqual(definition.paths[path].head, definition.paths[path].get);
    const { type, httpMethod } = integrationOf(endpoint);
    assert.deepEqual([type, httpMethod], ["aws_proxy", "POST"]);
    assert.equal(functionIn(template, integrationOf(endpoint)).properties.Description, `${method} ${path}`);
    assert.match(entryPoints[operationId] ?? "", new RegExp(`^functions/(endpoints|mcp)/${operationId}\\.ts$`));
  }
  for (const file of Object.values(entryPoints)) assert.ok(existsSync(file), file);
});

test("no two functions share a role", () => {
  const roles = resourcesOf(template, "AWS::Lambda::Function").map(([, { Properties }]) => idIn(Properties.Role));
  assert.equal(new Set(roles).size, roles.length);
});

/** The rights of every function that serves requests. */
const logsAndTraces = ({ properties: { LoggingConfig } }: { properties: Json }) => [
  allow(["logs:CreateLogStream", "logs:PutLogEvents"], arnOf(LoggingConfig.LogGroup.Ref)),
  allow(["xray:PutTelemetryRecords", "xray:PutTraceSegments"], "*"),
];

function allow(Action: string | string[], Resource: Json, Condition?: Json) {
  return { Action, Effect: "Allow", Resource, ...(Condition && { Condition }) };
}

const onlyKeysLike = (patterns: string[], attributes?: readonly string[]) => ({
  "ForAllValues:StringLike": {
    "dynamodb:LeadingKeys": patterns,
    ...(attributes && { "dynamodb:Attributes": attributes }),
  },
  Null: { "dynamodb:LeadingKeys": "false" },
});

const iamActions: Record<string, string[]> = {
  ExecuteStatement: ["PartiQLSelect"],
  TransactWriteItems: ["PutItem", "UpdateItem"],
};

test("an endpoint may use only the declared table actions, keys and queues, beside its logs and traces", () => {
  for (const endpoint of endpoints) {
    const { operationId, signs, wakes, tableAccess } = endpoint;
    const own = functionIn(template, integrationOf(endpoint));
    const statements = statementsOf(template, own);
    const isOfTable = ({ Action }: Json) => JSON.stringify(Action).includes("dynamodb:");
    const others = [
      ...(signs ? [allow("kms:GenerateMac", arnOf(idOf("AWS::KMS::Key", "WebhooksKey")))] : []),
      ...(wakes ? [allow("sqs:SendMessage", arnOf(idOf("AWS::SQS::Queue", "WebhookWakeUps")))] : []),
    ];
    assert.deepEqual(
      statements.filter((one) => !isOfTable(one)),
      [...logsAndTraces(own), ...others],
      operationId,
    );
    const actions = (endpoint.table ?? []).flatMap((one) => iamActions[one] ?? one);
    const granted = statements.filter(isOfTable);
    const ofTable = granted.flatMap(({ Action }) => Action).map((action: string) => action.replace("dynamodb:", ""));
    assert.deepEqual([...new Set(ofTable)].toSorted(), [...new Set(actions)].toSorted(), operationId);
    const { partitionKeys, queries, updated, queriedInTable = [] }: TableAccess = tableAccessOf[tableAccess];
    for (const { Action, Resource, Condition } of granted) {
      const keys: string[] = Condition["ForAllValues:StringLike"]["dynamodb:LeadingKeys"];
      assert.ok(
        keys.every((key) => partitionKeys.includes(key)),
        operationId,
      );
      assert.deepEqual(Condition, onlyKeysLike(keys, Action === "dynamodb:UpdateItem" ? updated : undefined));
      const arns = [Resource].flat().map((one) => JSON.stringify(one));
      const isInTable = String(Action).includes(":Query") && keys.join() === queriedInTable.join();
      const isOfIndex = /:(Query|PartiQLSelect)\b/.test(String(Action)) && queries === "indexes" && !isInTable;
      assert.ok(arns.every((arn) => (isOfIndex ? arn.includes("/index/GSI") : arn === JSON.stringify(table))));
    }
  }
});

test("the super-admin authorizer reaches no table, and accepts only tokens for the page's client", () => {
  const own = authorizer("superAdmin");
  assert.deepEqual(statementsOf(template, own), logsAndTraces(own));
  const { "Fn::Join": parts } = own.properties.Environment.Variables.SIGN_IN;
  const text = parts[1]
    .map((part: Json) => (typeof part === "string" ? part : (part.Ref ?? part["Fn::GetAtt"][0])))
    .join("");
  const issuer = idOf("AWS::Cognito::UserPool", "People");
  assert.deepEqual(JSON.parse(text), { issuer, clientId: idOf("AWS::Cognito::UserPoolClient", ""), ...defaultClaims });
});
