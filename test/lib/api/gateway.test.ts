import assert from "node:assert/strict";
import { describe, test } from "@jest/globals";
import { methodsOf } from "../../../functions/api/endpoint.ts";
import {
  type GatewayResponse,
  gatewayResponses,
  renderGatewayResponse,
  unknownMethod,
  unknownPath,
} from "../../../functions/api/gatewayResponses.ts";
import { ProblemBody } from "../../../functions/api/openapi/errors.ts";
import { ApiKeyPrincipal } from "../../../functions/keys/apiKeyPrincipal.ts";
import { authorizationPattern, mintApiKey } from "../../../functions/keys/apiKeySecret.ts";
import { routes as endpoints } from "../../../functions/mcp/routes.ts";
import { PersonPrincipal } from "../../../functions/people/personPrincipal.ts";
import { idTokenPattern } from "../../../functions/people/signInSettings.ts";
import { definitionOf, type Json, only, resourcesOf, synthesise } from "../support/synthesise.ts";

const { template } = await synthesise({ stage: "prod" });
const stage = only(template, "AWS::ApiGateway::Stage").Properties;

const definition = definitionOf(template);
const integrationName = "x-amazon-apigateway-integration";
const anyMethod = "x-amazon-apigateway-any-method";

describe("the authorizers", () => {
  const schemes: Json[] = Object.values(definition.components.securitySchemes);
  const authorizers = schemes.map((scheme) => scheme["x-amazon-apigateway-authorizer"]);

  test("are asked for every request with an Authorization header of the form of a key or an ID token", () => {
    assert.deepEqual(
      authorizers.map(({ authorizerResultTtlInSeconds, identityValidationExpression }) => [
        authorizerResultTtlInSeconds,
        identityValidationExpression,
      ]),
      [
        [0, authorizationPattern],
        [0, idTokenPattern],
      ],
    );
  });

  test("never accept the same header", () => {
    const [key, token] = [`Bearer ${mintApiKey().key}`, "Bearer eyJhbGciOiJSUzI1NiJ9.e30.c2ln"];
    assert.deepEqual(
      [authorizationPattern, idTokenPattern].map((pattern) => new RegExp(pattern).test(key)),
      [true, false],
    );
    assert.deepEqual(
      [authorizationPattern, idTokenPattern].map((pattern) => new RegExp(pattern).test(token)),
      [false, true],
    );
  });
});

describe("gateway responses", () => {
  const deployed = definition["x-amazon-apigateway-gateway-responses"];

  test("have the declared status, headers and body, and a throttled one says when to try again", () => {
    for (const [type, response] of Object.entries(gatewayResponses)) {
      const { statusCode, headers, body } = renderGatewayResponse(response, "$context.requestId");
      assert.deepEqual(deployed[type], {
        statusCode: String(statusCode),
        responseParameters: mapped("gatewayresponse.header.", headers),
        responseTemplates: { "application/json": body },
      });
    }
    assert.match(deployed.THROTTLED.responseParameters["gatewayresponse.header.Retry-After"], /^'\d+'$/);
  });

  test("of undeclared 4xx types keep their status code and have the shape of a problem", () => {
    const { statusCode, responseTemplates } = deployed.DEFAULT_4XX;
    assert.equal(statusCode, undefined);
    const problem = ProblemBody.partial({ status: true, title: true }).parse(
      JSON.parse(responseTemplates["application/json"]),
    );
    assert.deepEqual([problem.code, problem.status], ["invalid_request", undefined]);
  });
});

describe("the paths", () => {
  const paths: [string, Json][] = Object.entries(definition.paths);
  const declared = new Set<string>(endpoints.map(({ path }) => path));

  test("return 405 with the allowed methods for every other method of a declared path", () => {
    for (const { path } of endpoints) {
      const methods = endpoints.filter((other) => other.path === path).flatMap(methodsOf);
      assertAnswers(definition.paths[path][anyMethod], unknownMethod(methods));
    }
  });

  test("return 404 for every other path, including the root and the parents of declared paths", () => {
    const others = paths.filter(([path]) => !declared.has(path));
    const names = others.map(([path]) => path);
    assert.ok(["/", "/{proxy+}", "/v1"].every((path) => names.includes(path)));
    for (const [, item] of others) {
      assert.deepEqual(Object.keys(item), [anyMethod]);
      assertAnswers(item[anyMethod], unknownPath);
    }
  });

  test("require an authorizer for every declared method, and for no other", () => {
    for (const [path, item] of paths)
      for (const [method, { security }] of Object.entries<Json>(item))
        assert.equal(security?.length ?? 0, method === anyMethod ? 0 : 1, `${method} ${path}`);
  });
});

describe("the stage", () => {
  const format: Record<string, string> = JSON.parse(stage.AccessLogSetting.Format);

  test("never logs whole requests, which contain tokens", () => {
    assert.deepEqual(
      stage.MethodSettings.map(({ HttpMethod, ResourcePath, DataTraceEnabled }: Json) => [
        HttpMethod,
        ResourcePath,
        DataTraceEnabled,
      ]),
      [["*", "/*", false]],
    );
  });

  test("writes JSON access logs of fields that contain neither secrets nor personal data", () => {
    const harmless =
      /^\$context\.(requestId|requestTimeEpoch|httpMethod|resourcePath|status|responseLatency|integrationLatency|integrationStatus|integration\.requestId|xrayTraceId|error\.responseType|authorizer\.(latency|error|integrationStatus|requestId|organisationId|keyPrefix|superAdminOf|subject))$/;
    for (const variable of Object.values(format)) assert.match(variable, harmless);
  });

  test("logs the caller from the authorizer's context", () => {
    const key = {
      organisationId: 1,
      keyId: "id",
      keyName: "name",
      keyPrefix: "tsk_00000000",
      scopes: ["read" as const],
    };
    const contexts = {
      ...ApiKeyPrincipal.encode(key),
      ...PersonPrincipal.encode({ subject: "s", name: "n", superAdminOf: 1 }),
    };
    for (const name of ["organisationId", "keyPrefix", "superAdminOf", "subject"]) {
      assert.ok(Object.values(format).includes(`$context.authorizer.${name}`), name);
      assert.ok(name in contexts, name);
    }
  });

  test("has an execution log with a retention period, made before the gateway would make one without", () => {
    const name = { "Fn::Join": ["", ["API-Gateway-Execution-Logs_", stage.RestApiId, "/prod"]] };
    const [found] = resourcesOf(template, "AWS::Logs::LogGroup").filter(
      ([, { Properties }]) => JSON.stringify(Properties.LogGroupName) === JSON.stringify(name),
    );
    assert.ok(found?.[1].Properties.RetentionInDays > 0);
    assert.ok(only(template, "AWS::ApiGateway::Stage").DependsOn.includes(found?.[0]));
  });
});

function assertAnswers({ responses, [integrationName]: integration }: Json, response: GatewayResponse): void {
  const { statusCode, headers, body } = renderGatewayResponse(response, "$context.requestId");
  const responseParameters = mapped("method.response.header.", headers);
  assert.equal(integration.type, "mock");
  assert.deepEqual(integration.responses, {
    default: { statusCode: String(statusCode), responseParameters, responseTemplates: { "application/json": body } },
  });
  // The gateway sends only headers that the method declares.
  assert.deepEqual(Object.keys(responses), [String(statusCode)]);
  assert.deepEqual(Object.keys(responses[statusCode].headers), Object.keys(headers));
  // A type without a template gets 415 instead of reaching the mock, which would fail.
  assert.equal(integration.passthroughBehavior, "never");
  assert.ok("application/json" in integration.requestTemplates && "text/plain" in integration.requestTemplates);
  for (const text of Object.values<string>(integration.requestTemplates))
    assert.deepEqual(JSON.parse(text), { statusCode });
}

function mapped(prefix: string, headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      prefix + name,
      name === "X-Request-Id" ? "context.requestId" : `'${value}'`,
    ]),
  );
}
