import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { describe, test } from "@jest/globals";
import type { Endpoint } from "../../../functions/api/endpoint.ts";
import { functionTimeoutMs } from "../../../functions/api/lambda.ts";
import { routes as endpoints } from "../../../functions/mcp/routes.ts";
import type { TableAction } from "../../../functions/table/table.ts";
import { reaches } from "../../../lib/table/dataTable.ts";
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
const [tableId] = resourcesOf(template, "AWS::DynamoDB::GlobalTable")[0] ?? [];
const definition = definitionOf(template);
const schemes = definition.components.securitySchemes;
const [webhookKey] = resourcesOf(template, "AWS::KMS::Key").find(([id]) => id.startsWith("WebhooksKey")) ?? [];
const [wakeUpQueue] = resourcesOf(template, "AWS::SQS::Queue").find(([id]) => id.startsWith("WebhookWakeUps")) ?? [];
const webhookKeyArn = { "Fn::GetAtt": [webhookKey, "Arn"] };
const metricsNamespace = { POWERTOOLS_METRICS_NAMESPACE: "ticketing-prod" };
const integrationName = "x-amazon-apigateway-integration";
const authorizerOf = (scheme: string) => schemes[scheme]["x-amazon-apigateway-authorizer"];

test("no right of the gateway names an operation, so renaming one takes no right away before the new route is live", () => {
  const { credentials } = definition.paths["/v1/key"].get["x-amazon-apigateway-integration"];
  const [{ Resource }] = statementsOf(template, { properties: { Role: credentials } });
  const names = Resource.map((arn: Json) => /:function:([^"]+)/.exec(JSON.stringify(arn))?.[1]);
  assert.deepEqual(names, ["ticketing-prod-Api*:live", "ticketing-prod-superAdminAuthorizer:live"]);
  const ofApi = resourcesOf(template, "AWS::Lambda::Function").filter(([id]) => id.startsWith("Api"));
  assert.equal(ofApi.length, endpoints.length + Object.keys(schemes).length);
});

test("only the gateway may assume the role with which it calls functions, and only to call them", () => {
  const calls = endpoints.map(({ path, method }) => definition.paths[path][method.toLowerCase()][integrationName]);
  const [role = "", ...others] = new Set<string>(calls.map(({ credentials }) => idIn(credentials)));
  assert.deepEqual(others, []);
  const { AssumeRolePolicyDocument, Policies } = template.Resources[role].Properties;
  assert.deepEqual(
    AssumeRolePolicyDocument.Statement.map(({ Principal }: Json) => Principal),
    [{ Service: "apigateway.amazonaws.com" }],
  );
  assert.deepEqual(
    Policies.flatMap(({ PolicyDocument }: Json) => PolicyDocument.Statement).map(({ Action }: Json) => Action),
    ["lambda:InvokeFunction"],
  );
  // The name of a function without a FunctionName begins with the stack's name and its logical id.
  for (const call of calls) {
    const { id, properties } = functionIn(template, call);
    assert.ok(id.startsWith("Api") && properties.FunctionName === undefined, id);
  }
});

for (const endpoint of endpoints) {
  const { operationId, method, path, table, caller, signs, wakes, limits, timeoutMs = functionTimeoutMs } = endpoint;
  const found = definition.paths[path][method.toLowerCase()];
  const integration = found[integrationName];
  const own = functionIn(template, integration);
  const statements = statementsOf(template, own);

  test(`${operationId}: requires its caller's authorizer and passes the whole request to its function`, () => {
    assert.deepEqual(found.security, [{ [caller.scheme]: [] }]);
    assert.equal(integration.type, "aws_proxy");
    // The method of the call to Lambda.
    assert.equal(integration.httpMethod, "POST");
    assert.deepEqual(definition.paths[path].head, definition.paths[path].get);
  });

  test(`${operationId}: has its own function, bundled from the file named after it`, () => {
    const file = entryPoints[operationId] ?? "";
    assert.match(file, new RegExp(`^functions/(endpoints|mcp)/${operationId}\\.ts$`));
    assert.ok(existsSync(file));
    assert.equal(own.properties.Description, `${method} ${path}`);
    assert.equal(own.properties.Runtime, "nodejs24.x");
    assert.deepEqual(own.properties.Architectures, ["arm64"]);
    assert.equal(own.properties.Timeout * 1000, timeoutMs);
    assert.equal(own.properties.TracingConfig.Mode, "Active");
  });

  test(`${operationId}: shares its role with no other function, and its log group with all that serve requests`, () => {
    const alike = (name: string) =>
      resourcesOf(template, "AWS::Lambda::Function").filter(
        ([, { Properties }]) => JSON.stringify(Properties[name]) === JSON.stringify(own.properties[name]),
      );
    assert.equal(alike("Role").length, 1);
    assert.equal(alike("LoggingConfig").length, endpoints.length + Object.keys(schemes).length);
  });

  test(`${operationId}: may use only the declared table actions, on the keys within its caller's reach`, () => {
    const granted = statements.filter(({ Action }) => JSON.stringify(Action).includes("dynamodb:"));
    assert.deepEqual(
      Object.fromEntries(granted.flatMap(({ Action, Resource }) => [Action].flat().map((name) => [name, Resource]))),
      Object.fromEntries(
        (table ?? []).flatMap((action) =>
          iamActions(action).map((name) => [`dynamodb:${name}`, resourcesFor(action, kindOf(endpoint))]),
        ),
      ),
    );
    for (const { Effect, Action, Condition } of granted) {
      assert.equal(Effect, "Allow");
      const isChange = [Action].flat().some((name) => /:(Update|Delete)Item$/.test(name));
      const isWrite = isChange || [Action].flat().includes("dynamodb:PutItem");
      const patterns = reachable[kindOf(endpoint)].filter(
        (pattern) =>
          !(isChange && /#ACTIVITY$/.test(pattern)) &&
          !(isWrite && /^TABLE#|#KEYUSAGE#|#WEBHOOKDELIVERIES#/.test(pattern)),
      );
      assert.deepEqual(Condition, onlyKeysLike(...patterns));
    }
  });

  test(`${operationId}: has the metrics' namespace and, if it declares the table, the table's name`, () => {
    const ofTable = table && { TABLE_NAME: { Ref: tableId } };
    const ofKey = signs && { WEBHOOK_KEY_ID: webhookKeyArn };
    const ofLimits = limits && { RATE_LIMIT: '{"key":3000,"organisation":15000}' };
    const ofQueue = wakes && { WEBHOOK_QUEUE_URL: { Ref: wakeUpQueue } };
    const expected = { ...metricsNamespace, ...ofTable, ...ofKey, ...ofQueue, ...ofLimits };
    assert.deepEqual(own.properties.Environment.Variables, expected);
  });

  test(`${operationId}: may otherwise only write its logs and traces, and derive signing secrets or wake webhooks if it declares that`, () => {
    const others = statements.filter(({ Action }) => !JSON.stringify(Action).includes("dynamodb:"));
    const derive = { Action: "kms:GenerateMac", Effect: "Allow", Resource: webhookKeyArn };
    const wake = { Action: "sqs:SendMessage", Effect: "Allow", Resource: { "Fn::GetAtt": [wakeUpQueue, "Arn"] } };
    const declared = [...(signs ? [derive] : []), ...(wakes ? [wake] : [])];
    assert.deepEqual(others, [...logsAndTraces(own.properties), ...declared]);
  });
}

describe("the API key authorizer", () => {
  const own = functionIn(template, authorizerOf("apiKey").authorizerUri);
  const statements = statementsOf(template, own);

  test("may only read and update the hashes of API keys in the table, and read tags", () => {
    const granted = statements.filter(({ Action }) => JSON.stringify(Action).includes("dynamodb:"));
    const Resource = { "Fn::GetAtt": [tableId, "Arn"] };
    assert.deepEqual(granted, [
      {
        Action: "dynamodb:GetItem",
        Condition: onlyKeysLike("KEYHASH#*", "KEYTAG#*"),
        Effect: "Allow",
        Resource,
      },
      {
        Action: "dynamodb:UpdateItem",
        Condition: onlyKeysLike("KEYHASH#*"),
        Effect: "Allow",
        Resource,
      },
    ]);
  });

  test("is a function with its own role and no other rights", () => {
    assert.equal(own.properties.Runtime, "nodejs24.x");
    assert.ok(existsSync(String(entryPoints.apiKeyAuthorizer)));
    const others = statements.filter(({ Action }) => !JSON.stringify(Action).includes("dynamodb:"));
    assert.deepEqual(others, logsAndTraces(own.properties));
  });
});

describe("the super-admin authorizer", () => {
  const own = functionIn(template, authorizerOf("superAdmin").authorizerUri);

  test("is a function whose role reaches no table", () => {
    assert.ok(existsSync(String(entryPoints.superAdminAuthorizer)));
    assert.deepEqual(statementsOf(template, own), logsAndTraces(own.properties));
  });

  test("accepts the user pool's tokens for the page's client", () => {
    const [pool] = resourcesOf(template, "AWS::Cognito::UserPool")[0] ?? [];
    const [client] = resourcesOf(template, "AWS::Cognito::UserPoolClient")[0] ?? [];
    const { Variables } = own.properties.Environment;
    assert.deepEqual(Variables, {
      ...metricsNamespace,
      SIGN_IN: {
        "Fn::Join": [
          "",
          [
            '{"issuer":"',
            { "Fn::GetAtt": [pool, "ProviderURL"] },
            '","clientId":"',
            { Ref: client },
            '","organisationClaim":"custom:organisation_id","organisationNameClaim":"custom:organisation_name","rolesClaim":"cognito:groups","superAdminRole":"super-admin"}',
          ],
        ],
      },
    });
  });
});

function kindOf({ path, caller }: Endpoint): keyof typeof reachable {
  if (path.startsWith("/admin/webhook")) return "webhooks";
  return path === "/admin/api-key-failures" ? "failures" : caller.scheme;
}

const reachable = {
  failures: ["ORG#*#KEYFAILURES"],
  apiKey: reaches.organisationData.partitionKeys,
  superAdmin: [
    "ORG#*#APIKEYS",
    "ORG#*#ACCESS",
    "ORG#*#ACTIVITY",
    "KEYHASH#*",
    "KEYTAG#*",
    "ORG#*#KEYUSAGE#*",
    "ORG#*#IDEMPOTENCY#*",
  ],
  webhooks: [
    "ORG#*#WEBHOOKS",
    "ORG#*#WEBHOOKTURNS",
    "ORG#*#ACTIVITY",
    "ORG#*#WEBHOOKDELIVERIES#*",
    "ORG#*#IDEMPOTENCY#*",
    "TABLE#clock",
  ],
};

/** IAM has no action for transactions, only for their parts. */
function iamActions(action: TableAction): string[] {
  return action === "TransactWriteItems" ? ["PutItem", "UpdateItem"] : [action];
}

function resourcesFor(action: TableAction, kind: keyof typeof reachable): Json {
  const arn = { "Fn::GetAtt": [tableId, "Arn"] };
  const index = (name: string) => ({ "Fn::Join": ["", [arn, `/index/${name}`]] });
  return action === "Query" && (kind === "apiKey" || kind === "failures")
    ? ["GSI1", "GSI2", "GSI3", "GSI4", "GSI5"].map(index)
    : arn;
}

function onlyKeysLike(...patterns: string[]): Json {
  return {
    "ForAllValues:StringLike": { "dynamodb:LeadingKeys": patterns },
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
