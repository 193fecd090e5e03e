import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { describe, test } from "node:test";
import { keys, type List, lists } from "../../functions/data/keys.ts";
import type { TableAction } from "../../functions/data/table.ts";
import { endpoints } from "../../functions/endpoints/index.ts";
import { functionTimeoutMs } from "../../functions/http/lambda.ts";
import { leadingKeys } from "../../lib/constructs/dataTable.ts";
import { functionIn, type Json, methodsOf, resourcesOf, statementsOf, synthesise } from "./synthesise.ts";

const { template, entryPoints } = synthesise("prod");
const [tableId] = resourcesOf(template, "AWS::DynamoDB::GlobalTable")[0] ?? [];
const [authorizerId] = resourcesOf(template, "AWS::ApiGateway::Authorizer")[0] ?? [];

for (const { operationId, method, path, table } of endpoints) {
  const found = methodsOf(template).find((one) => one.path === path && one.properties.HttpMethod === method);
  const integration = found?.properties.Integration;
  const own = functionIn(template, integration);
  const statements = statementsOf(template, own);

  test(`${operationId}: is a method that only the API key authorizer opens, passed on whole to a function`, () => {
    assert.equal(found?.properties.AuthorizationType, "CUSTOM");
    assert.deepEqual(found?.properties.AuthorizerId, { Ref: authorizerId });
    assert.equal(integration.Type, "AWS_PROXY");
  });

  test(`${operationId}: has a function of its own, bundled from the file named after it`, () => {
    assert.equal(entryPoints[operationId], `functions/endpoints/${operationId}.ts`);
    assert.ok(existsSync(`functions/endpoints/${operationId}.ts`));
    assert.equal(own.properties.Description, `${method} ${path}`);
    assert.equal(own.properties.Runtime, "nodejs24.x");
    assert.deepEqual(own.properties.Architectures, ["arm64"]);
    assert.equal(own.properties.Timeout * 1000, functionTimeoutMs);
    assert.equal(own.properties.TracingConfig.Mode, "Active");
  });

  test(`${operationId}: shares its role and its logs with no other function`, () => {
    for (const name of ["Role", "LoggingConfig"]) {
      const alike = resourcesOf(template, "AWS::Lambda::Function").filter(
        ([, { Properties }]) => JSON.stringify(Properties[name]) === JSON.stringify(own.properties[name]),
      );
      assert.equal(alike.length, 1);
    }
  });

  test(`${operationId}: may be called by the gateway for this method alone`, () => {
    const permissions = resourcesOf(template, "AWS::Lambda::Permission")
      .map(([, { Properties }]) => Properties)
      .filter(({ FunctionName }) => FunctionName["Fn::GetAtt"][0] === own.id);
    assert.equal(permissions.length, 1);
    assert.equal(permissions[0].Principal, "apigateway.amazonaws.com");
    assert.ok(permissions[0].SourceArn["Fn::Join"][1].at(-1).endsWith(`/${method}${path.replaceAll(/\{\w+\}/g, "*")}`));
  });

  test(`${operationId}: may do to the table what it declares and no more, on data of organisations only`, () => {
    const granted = statements.filter(({ Action }) => JSON.stringify(Action).includes("dynamodb:"));
    assert.deepEqual(
      Object.fromEntries(granted.flatMap(({ Action, Resource }) => [Action].flat().map((name) => [name, Resource]))),
      Object.fromEntries(
        (table ?? []).flatMap((action) => iamActions(action).map((name) => [`dynamodb:${name}`, resourcesFor(action)])),
      ),
    );
    for (const { Effect, Condition } of granted) {
      assert.equal(Effect, "Allow");
      assert.deepEqual(Condition, onlyKeysLike("ORG#*"));
    }
  });

  test(`${operationId}: knows the table's name if it declares the table`, () => {
    const expected = table ? { Variables: { TABLE_NAME: { Ref: tableId } } } : undefined;
    assert.deepEqual(own.properties.Environment, expected);
  });

  test(`${operationId}: may do nothing else but write its logs and its traces`, () => {
    const others = statements.filter(({ Action }) => !JSON.stringify(Action).includes("dynamodb:"));
    assert.deepEqual(others, logsAndTraces(own.properties));
  });
}

describe("the API key authorizer", () => {
  const own = functionIn(template, template.Resources[String(authorizerId)].Properties.AuthorizerUri);
  const statements = statementsOf(template, own);

  test("may read and update the hashes of API keys, and nothing else of the table", () => {
    const granted = statements.filter(({ Action }) => JSON.stringify(Action).includes("dynamodb:"));
    const Resource = { "Fn::GetAtt": [tableId, "Arn"] };
    assert.deepEqual(granted, [
      {
        Action: ["dynamodb:GetItem", "dynamodb:UpdateItem"],
        Condition: onlyKeysLike("KEYHASH#*"),
        Effect: "Allow",
        Resource,
      },
    ]);
  });

  test("is a function with a role of its own and no other rights", () => {
    assert.equal(own.properties.Runtime, "nodejs24.x");
    assert.ok(existsSync(String(entryPoints.apiKeyAuthorizer)));
    const others = statements.filter(({ Action }) => !JSON.stringify(Action).includes("dynamodb:"));
    assert.deepEqual(others, logsAndTraces(own.properties));
  });
});

test("the keys that grants allow are those that the table's items and lists have", () => {
  const items = [keys.event(1, 2), keys.eventDate(1, 2), keys.ticketCategory(1, 2), keys.apiKey(1, "2")];
  const partitions = Object.values(lists).map((list) => (list as (...ids: number[]) => List)(1, 2).partition);
  for (const key of [...items.map(({ PK }) => PK), ...partitions]) {
    assert.ok(key.startsWith(leadingKeys.organisation.slice(0, -1)), key);
  }
  assert.ok(keys.apiKeyHash("hash").PK.startsWith(leadingKeys.apiKeyHash.slice(0, -1)));
});

/** A transaction is no action of its own to IAM. */
function iamActions(action: TableAction): string[] {
  return action === "TransactWriteItems" ? ["PutItem", "UpdateItem"] : [action];
}

function resourcesFor(action: TableAction): Json {
  const arn = { "Fn::GetAtt": [tableId, "Arn"] };
  const index = (name: string) => ({ "Fn::Join": ["", [arn, `/index/${name}`]] });
  return action === "Query" ? [index("GSI1"), index("GSI2")] : arn;
}

function onlyKeysLike(pattern: string): Json {
  return {
    "ForAllValues:StringLike": { "dynamodb:LeadingKeys": [pattern] },
    Null: { "dynamodb:LeadingKeys": "false" },
  };
}

function logsAndTraces({ LoggingConfig }: Json): Json {
  const Resource = { "Fn::GetAtt": [LoggingConfig.LogGroup.Ref, "Arn"] };
  return [
    { Action: ["logs:CreateLogStream", "logs:PutLogEvents"], Effect: "Allow", Resource },
    { Action: ["xray:PutTelemetryRecords", "xray:PutTraceSegments"], Effect: "Allow", Resource: "*" },
  ];
}
