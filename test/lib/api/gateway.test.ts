import assert from "node:assert/strict";
import { describe, test } from "@jest/globals";
import { methodsOf } from "../../../functions/api/endpoint.ts";
import {
  type GatewayResponse,
  gatewayResponses,
  minimumCompressionBytes,
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
import { requestsInBurst, requestsPerSecond } from "../../../lib/api/restApi.ts";
import { definitionOf, type Json, only, resourcesOf, synthesise } from "../support/synthesise.ts";

const { template } = await synthesise({ stage: "prod" });
const stage = only(template, "AWS::ApiGateway::Stage").Properties;

const definition = definitionOf(template);
const integrationName = "x-amazon-apigateway-integration";
const anyMethod = "x-amazon-apigateway-any-method";

describe("the authorizers", () => {
  const schemes: Json[] = Object.values(definition.components.securitySchemes);
  const authorizers = schemes.map((scheme) => scheme["x-amazon-apigateway-authorizer"]);

  test("are asked for every request", () => {
    for (const { type, authorizerResultTtlInSeconds } of authorizers) {
      assert.deepEqual([type, authorizerResultTtlInSeconds], ["token", 0]);
    }
  });

  test("get only an Authorization header that has the form of a key or of an ID token", () => {
    for (const scheme of schemes) {
      assert.deepEqual([scheme.type, scheme.in, scheme.name], ["apiKey", "header", "Authorization"]);
      assert.equal(scheme["x-amazon-apigateway-authtype"], "custom");
    }
    assert.deepEqual(
      authorizers.map(({ identityValidationExpression }) => identityValidationExpression),
      [authorizationPattern, idTokenPattern],
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

  test("are exactly the declared ones", () => {
    assert.deepEqual(Object.keys(deployed).sort(), [...Object.keys(gatewayResponses), "DEFAULT_4XX"].sort());
  });

  test("of undeclared 4xx types keep their status code and have the shape of a problem", () => {
    const { statusCode, responseTemplates } = deployed.DEFAULT_4XX;
    assert.equal(statusCode, undefined);
    const problem = ProblemBody.partial({ status: true, title: true }).parse(
      JSON.parse(responseTemplates["application/json"]),
    );
    assert.deepEqual([problem.code, problem.status], ["invalid_request", undefined]);
  });

  for (const [type, response] of Object.entries(gatewayResponses)) {
    test(`${type} has the declared status, headers and body`, () => {
      const { statusCode, headers, body } = renderGatewayResponse(response, "$context.requestId");
      assert.deepEqual(deployed[type], {
        statusCode: String(statusCode),
        responseParameters: mapped("gatewayresponse.header.", headers),
        responseTemplates: { "application/json": body },
      });
    });
  }
});

test("a throttled response says when to try again", () => {
  const { headers } = renderGatewayResponse(gatewayResponses.THROTTLED, "$context.requestId");
  assert.match(headers["Retry-After"] ?? "", /^\d+$/);
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

  test("name their parameters", () => {
    for (const [path, item] of paths)
      for (const { parameters = [] } of Object.values<Json>(item))
        assert.deepEqual(
          parameters.map(({ name }: Json) => name),
          [...path.matchAll(/\{(\w+)/g)].map(([, name]) => name),
        );
  });
});

describe("the stage", () => {
  test("throttles and traces all methods", () => {
    assert.equal(stage.MethodSettings.length, 1);
    const [all] = stage.MethodSettings;
    assert.deepEqual([all.HttpMethod, all.ResourcePath], ["*", "/*"]);
    assert.deepEqual([all.ThrottlingRateLimit, all.ThrottlingBurstLimit], [requestsPerSecond, requestsInBurst]);
    assert.equal(stage.TracingEnabled, true);
  });

  test("never logs whole requests", () => {
    assert.deepEqual(
      stage.MethodSettings.map(({ DataTraceEnabled }: Json) => DataTraceEnabled),
      [false],
    );
  });

  test("writes JSON access logs of fields that contain neither secrets nor personal data", () => {
    const format: Record<string, string> = JSON.parse(stage.AccessLogSetting.Format);
    const harmless =
      /^\$context\.(requestId|requestTimeEpoch|httpMethod|resourcePath|status|responseLatency|integrationLatency|integrationStatus|integration\.requestId|xrayTraceId|error\.responseType|authorizer\.(latency|error|integrationStatus|requestId|organisationId|keyPrefix|superAdminOf|subject))$/;
    for (const variable of Object.values(format)) assert.match(variable, harmless);
    for (const name of ["request_id", "route", "method", "status", "organisation_id", "key_prefix"]) {
      assert.ok(name in format, name);
    }
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
    const own = /^\$context\.authorizer\.(?!error$|latency$|requestId$|integrationStatus$)(\w+)$/;
    const names = Object.values<string>(JSON.parse(stage.AccessLogSetting.Format)).flatMap(
      (text) => own.exec(text)?.[1] ?? [],
    );
    assert.deepEqual(names, ["organisationId", "keyPrefix", "superAdminOf", "subject"]);
    assert.ok(names.every((name) => name in contexts));
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

test("access logs have the time of each part of a request, and why an authorizer failed", () => {
  const format: Record<string, string> = JSON.parse(stage.AccessLogSetting.Format);
  const { latency_ms, integration_latency_ms, authorizer_latency_ms, authorizer_error } = format;
  assert.deepEqual([latency_ms, integration_latency_ms], ["$context.responseLatency", "$context.integrationLatency"]);
  assert.deepEqual(
    [authorizer_latency_ms, authorizer_error],
    ["$context.authorizer.latency", "$context.authorizer.error"],
  );
});

test("the stage traces one request in twenty, also if it is the only one in a second", () => {
  const { SamplingRule } = only(template, "AWS::XRay::SamplingRule").Properties;
  const { ReservoirSize, FixedRate, ServiceName, ServiceType, Host, HTTPMethod, URLPath, ResourceARN } = SamplingRule;
  assert.deepEqual([ReservoirSize, FixedRate], [0, 0.05]);
  const { Name } = only(template, "AWS::ApiGateway::RestApi").Properties;
  assert.deepEqual([ServiceType, ServiceName], ["AWS::ApiGateway::Stage", `${Name}/${stage.StageName}`]);
  assert.deepEqual([Host, HTTPMethod, URLPath, ResourceARN], ["*", "*", "*", "*"]);
});

test("the gateway compresses from the same size on as the local gateway", () => {
  assert.equal(only(template, "AWS::ApiGateway::RestApi").Properties.MinimumCompressionSize, minimumCompressionBytes);
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
