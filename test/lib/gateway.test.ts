import assert from "node:assert/strict";
import { describe, test } from "@jest/globals";
import { ApiKeyPrincipal } from "../../functions/auth/apiKeyPrincipal.ts";
import { authorizationPattern, mintApiKey } from "../../functions/auth/apiKeySecret.ts";
import { idTokenPattern } from "../../functions/auth/idTokenPattern.ts";
import { PersonPrincipal } from "../../functions/auth/personPrincipal.ts";
import { endpoints } from "../../functions/endpoints/index.ts";
import { minimumCompressionBytes } from "../../functions/http/compression.ts";
import {
  type GatewayResponse,
  gatewayResponses,
  renderGatewayResponse,
  unknownMethod,
  unknownPath,
} from "../../functions/http/gatewayResponses.ts";
import { type Json, methodsOf, only, resourcesOf, synthesise } from "./support/synthesise.ts";

const { template } = await synthesise({ stage: "prod" });
const stage = only(template, "AWS::ApiGateway::Stage").Properties;

describe("the authorizers", () => {
  const authorizers = resourcesOf(template, "AWS::ApiGateway::Authorizer").map(([, { Properties }]) => Properties);

  test("are asked for every request", () => {
    for (const { Type, AuthorizerResultTtlInSeconds } of authorizers) {
      assert.equal(Type, "TOKEN");
      assert.equal(AuthorizerResultTtlInSeconds, 0);
    }
  });

  test("get only an Authorization header that has the form of a key or of an ID token", () => {
    for (const { IdentitySource } of authorizers) assert.equal(IdentitySource, "method.request.header.Authorization");
    assert.deepEqual(
      authorizers.map(({ IdentityValidationExpression }) => IdentityValidationExpression),
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
  const deployed = new Map(
    resourcesOf(template, "AWS::ApiGateway::GatewayResponse").map(([, { Properties }]) => [
      Properties.ResponseType,
      Properties,
    ]),
  );

  test("are exactly the declared ones", () => {
    assert.deepEqual([...deployed.keys()].sort(), Object.keys(gatewayResponses).sort());
  });

  for (const [type, response] of Object.entries(gatewayResponses)) {
    test(`${type} has the declared status, headers and body`, () => {
      const { statusCode, headers, body } = renderGatewayResponse(response, "$context.requestId");
      const { StatusCode, ResponseParameters, ResponseTemplates } = deployed.get(type);
      assert.equal(StatusCode, String(statusCode));
      assert.deepEqual(ResponseParameters, mapped("gatewayresponse.header.", headers));
      assert.deepEqual(ResponseTemplates, { "application/json": body });
    });
  }
});

describe("mocks", () => {
  const mocks = new Map(
    methodsOf(template)
      .filter(({ properties }) => properties.Integration.Type === "MOCK")
      .map(({ path, properties }) => [path, properties]),
  );

  test("return 405 with the allowed methods for every other method of a declared path", () => {
    for (const { path } of endpoints) {
      const methods = endpoints.filter((other) => other.path === path).map(({ method }) => method);
      assertAnswers(mocks.get(path), unknownMethod(methods));
    }
  });

  test("return 404 for every other path, including the root and the parents of declared paths", () => {
    const declared = new Set<string>(endpoints.map(({ path }) => path));
    const others = [...mocks.keys()].filter((path) => !declared.has(path));
    assert.ok(["/", "/{proxy+}", "/v1"].every((path) => others.includes(path)));
    for (const path of others) assertAnswers(mocks.get(path), unknownPath);
  });

  test("exist on every path of the API", () => {
    assert.equal(mocks.size, resourcesOf(template, "AWS::ApiGateway::Resource").length + 1);
  });

  test("are the only methods without an authorizer", () => {
    for (const { path, properties } of methodsOf(template)) {
      assert.equal(properties.AuthorizationType, properties === mocks.get(path) ? "NONE" : "CUSTOM");
    }
  });
});

describe("the stage", () => {
  test("throttles and traces all methods", () => {
    assert.equal(stage.MethodSettings.length, 1);
    const [all] = stage.MethodSettings;
    assert.deepEqual([all.HttpMethod, all.ResourcePath], ["*", "/*"]);
    assert.ok(all.ThrottlingRateLimit > 0 && all.ThrottlingBurstLimit > 0);
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
      /^\$context\.(requestId|requestTimeEpoch|httpMethod|resourcePath|status|responseLatency|integrationLatency|error\.responseType|authorizer\.(latency|error|organisationId|keyPrefix|superAdminOf|subject))$/;
    for (const variable of Object.values(format)) assert.match(variable, harmless);
    for (const name of ["request_id", "route", "method", "status", "latency_ms", "organisation_id", "key_prefix"]) {
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
    const own = /^\$context\.authorizer\.(?!error$|latency$)(\w+)$/;
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

test("the gateway compresses from the same size on as the local gateway", () => {
  assert.equal(only(template, "AWS::ApiGateway::RestApi").Properties.MinimumCompressionSize, minimumCompressionBytes);
});

function assertAnswers(method: Json, response: GatewayResponse): void {
  const { statusCode, headers, body } = renderGatewayResponse(response, "$context.requestId");
  const { HttpMethod, Integration, MethodResponses } = method;
  const ResponseParameters = mapped("method.response.header.", headers);
  assert.equal(HttpMethod, "ANY");
  assert.deepEqual(Integration.IntegrationResponses, [
    { StatusCode: String(statusCode), ResponseParameters, ResponseTemplates: { "application/json": body } },
  ]);
  const declared = Object.fromEntries(Object.keys(ResponseParameters).map((name) => [name, true]));
  assert.deepEqual(MethodResponses, [{ StatusCode: String(statusCode), ResponseParameters: declared }]);
  // A type without a template gets 415 instead of reaching the mock, which would fail.
  assert.equal(Integration.PassthroughBehavior, "NEVER");
  assert.ok("application/json" in Integration.RequestTemplates && "text/plain" in Integration.RequestTemplates);
  for (const text of Object.values<string>(Integration.RequestTemplates))
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
