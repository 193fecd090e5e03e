import assert from "node:assert/strict";
import type { Server } from "node:http";
import { afterAll, beforeAll, beforeEach, jest, test } from "@jest/globals";
import type { APIGatewayAuthorizerResult, APIGatewayProxyEvent, APIGatewayProxyResult } from "aws-lambda";
import * as z from "zod";
import { apiKeyHolder } from "../../../functions/api/callers.ts";
import { endpoint } from "../../../functions/api/endpoint.ts";
import { functionTimeoutMs, type LambdaHandler } from "../../../functions/api/lambda.ts";
import { gatewayOf, listenLocally } from "../../../local/gateway.ts";
import { assertProblem } from "../../../test/support/http/assertProblem.ts";
import { type RequestOptions, send } from "../../../test/support/http/send.ts";
import { type Authorizer, answer } from "../gateway/gateway.ts";
import { portOf } from "../gateway/server.ts";

const declare = (operationId: string, method: "GET" | "POST" | "PATCH", path: `/${string}`, own = {}) =>
  endpoint(
    {
      operationId,
      method,
      path,
      summary: "",
      tag: "Key",
      caller: apiKeyHolder("read"),
      tableAccess: "organisationData",
      response: z.unknown(),
      ...own,
    },
    () => null,
  );

const endpoints = [
  declare("getThing", "GET", "/v1/things/{id}"),
  declare("updateThing", "PATCH", "/v1/things/{id}"),
  declare("getNewest", "GET", "/v1/things/newest"),
  declare("testThing", "POST", "/v1/things/{id}/test", { timeoutMs: 20_000 }),
];

let server: Server;
/** The behaviour of the functions behind the gateway in a test, and the events that they got. */
let authorizer: Authorizer;
let respond: (...call: Parameters<LambdaHandler>) => APIGatewayProxyResult;
let events: APIGatewayProxyEvent[];

const ask = (path: string, options: RequestOptions = {}) =>
  send(`http://127.0.0.1:${portOf(server)}${path}`, {
    ...options,
    headers: { Authorization: "pass me", ...options.headers },
  });

function policy(...statements: { Effect: "Allow" | "Deny"; Resource: string }[]): APIGatewayAuthorizerResult {
  const Statement = statements.map((statement) => ({ Action: "execute-api:Invoke", ...statement }));
  return { principalId: "someone", policyDocument: { Version: "2012-10-17", Statement } };
}

beforeAll(async () => {
  const handler = async (...call: Parameters<LambdaHandler>) => {
    events.push(call[0]);
    return respond(...call);
  };
  const configuration = gatewayOf(endpoints, () => handler, {
    apiKey: {
      authorizer: (...call: Parameters<Authorizer>) => authorizer(...call),
      identityValidationExpression: "^pass .+$",
    },
    superAdmin: {
      authorizer: () => assert.fail("The wrong authorizer is called."),
      identityValidationExpression: "",
    },
  });
  server = await listenLocally((incoming) => answer(configuration, incoming), 0);
});

beforeEach(() => {
  events = [];
  authorizer = async ({ methodArn }) => policy({ Effect: "Allow", Resource: methodArn });
  respond = () => ({ statusCode: 200, body: "{}" });
});

afterAll(() => {
  server.close();
  server.closeAllConnections();
});

test("a function gets the event of a proxy integration", async () => {
  authorizer = async ({ methodArn }) => ({
    ...policy({ Effect: "Allow", Resource: methodArn }),
    context: { number: 7, flag: true },
  });
  await ask("/v1/things/a%20b?x=1&y=%C3%A9&x=2", { method: "PATCH", headers: { "X-Two": ["1", "2"] }, body: "é" });
  const [event] = events;
  assert.ok(event);
  assert.deepEqual([event.httpMethod, event.resource, event.path], ["PATCH", "/v1/things/{id}", "/v1/things/a%20b"]);
  assert.deepEqual(event.pathParameters, { id: "a%20b" });
  assert.deepEqual({ ...event.multiValueQueryStringParameters }, { x: ["1", "2"], y: ["é"] });
  assert.deepEqual(event.queryStringParameters, { x: "2", y: "é" });
  assert.deepEqual([event.multiValueHeaders["X-Two"], event.headers["X-Two"]], [["1", "2"], "2"]);
  assert.deepEqual([event.body, event.isBase64Encoded], ["é", false]);
  assert.deepEqual(event.requestContext.authorizer, { number: "7", flag: "true", principalId: "someone" });
});

test("of several Authorization lines, the authorizer gets one and the function all", async () => {
  const tokens: string[] = [];
  authorizer = async ({ authorizationToken, methodArn }) => {
    tokens.push(authorizationToken);
    return policy({ Effect: "Allow", Resource: methodArn });
  };
  const Authorization = ["pass one", "pass two"];
  await ask("/v1/things/1", { headers: { Authorization } });
  assert.deepEqual([tokens, events[0]?.multiValueHeaders.Authorization], [["pass two"], Authorization]);
});

test("a function has the time that its endpoint declares, or more where FUNCTION_TIMEOUT_MS says so", async () => {
  const remainingMs = async (method: string, path: string) => {
    let ms = 0;
    respond = (_event, context) => {
      ms = context.getRemainingTimeInMillis();
      return { statusCode: 200, body: "{}" };
    };
    await ask(path, { method });
    return ms;
  };
  const slow = () => remainingMs("POST", "/v1/things/1/test");
  jest.replaceProperty(process, "env", { ...process.env, FUNCTION_TIMEOUT_MS: "1" });
  assert.ok((await slow()) > functionTimeoutMs);
  assert.ok((await remainingMs("GET", "/v1/things/1")) <= functionTimeoutMs);
  jest.replaceProperty(process, "env", { ...process.env, FUNCTION_TIMEOUT_MS: "60000" });
  assert.ok((await slow()) > 20_000);
});

test("a request without a query or body has null for them", async () => {
  await ask("/v1/things/newest");
  const [event] = events;
  assert.ok(event);
  assert.deepEqual([event.resource, event.pathParameters], ["/v1/things/newest", null]);
  assert.deepEqual(
    [event.body, event.queryStringParameters, event.multiValueQueryStringParameters],
    [null, null, null],
  );
});

test("the domain name is the requested host if valid, otherwise localhost", async () => {
  for (const Host of ["localhost:3000", "[::1]:80"]) await ask("/v1/things/1", { headers: { Host } });
  assert.deepEqual(
    events.map(({ requestContext }) => requestContext.domainName),
    ["localhost:3000", "localhost"],
  );
});

test("a foreign or malformed host reaches no function", async () => {
  for (const Host of ["tickets.example", "a b", "a:99999", "1.2.3.4.5", "a/b"])
    assertProblem(await ask("/v1/things/1", { headers: { Host } }), "forbidden");
  assert.deepEqual(events, []);
});

test("a function's response is returned unchanged", async () => {
  respond = () => ({ statusCode: 418, headers: { "X-A": 1 }, body: "é" });
  const { status, headers, body } = await ask("/v1/things/1");
  assert.deepEqual([status, headers["x-a"], String(body)], [418, "1", "é"]);
});

test("a response in base64 is refused", async () => {
  respond = () => ({ statusCode: 200, body: "AP+A", isBase64Encoded: true });
  assert.equal((await ask("/v1/things/1")).status, 500);
});

test("a request that does not match the identity expression reaches no function", async () => {
  authorizer = () => assert.fail("The authorizer was called.");
  for (const Authorization of ["", "pass", "no pass x"]) {
    const answered = await ask("/v1/things/1", { headers: { Authorization } });
    assertProblem(answered, "unauthorized");
    assert.equal(answered.headers["www-authenticate"], 'Bearer realm="ticketing"');
  }
  assert.deepEqual(events, []);
});

test("only a policy that allows this exact method admits a request, and a Deny wins", async () => {
  const arn = "arn:aws:execute-api:local:000000000000:local/local/GET/v1/things/1";
  const allow = (Resource: string) => ({ Effect: "Allow" as const, Resource });
  for (const good of [allow(arn), allow("*"), allow("arn:aws:execute-api:*/GET/v1/*")]) {
    authorizer = async () => policy(good);
    assert.equal((await ask("/v1/things/1")).status, 200);
  }
  const deny = { Effect: "Deny" as const, Resource: arn };
  for (const bad of [[], [deny], [allow("*"), deny], [allow(`${arn}2`)], [allow(arn.replace("GET", "PATCH"))]]) {
    authorizer = async () => policy(...bad);
    const answered = await ask("/v1/things/1");
    assertProblem(answered, "unauthorized");
    assert.equal(answered.headers["www-authenticate"], 'Bearer realm="ticketing", error="invalid_token"');
  }
});

test("a failing authorizer returns 503 and a failing function 500, and neither reveals the reason", async () => {
  respond = () => {
    throw new Error("secret");
  };
  assert.doesNotMatch(assertProblem(await ask("/v1/things/1"), "internal_error").detail, /secret/);
  authorizer = async () => {
    throw new Error("secret");
  };
  assert.doesNotMatch(assertProblem(await ask("/v1/things/1"), "service_unavailable").detail, /secret/);
});

test("an unknown expectation returns 417, and 100-continue changes nothing", async () => {
  const request = (Expect: string) => ask("/v1/things/1", { method: "PATCH", headers: { Expect }, body: "{}" });
  assertProblem(await request("miracles"), "expectation_failed");
  assert.equal((await request("100-continue")).status, 200);
});

test("a body that does not fit into Lambda's 6 MB as a JSON string returns 413", async () => {
  // The string has two quotation marks, and a backslash before each quotation mark of the body.
  for (const [character, length] of [
    ["x", 6_291_456 - 2],
    ['"', (6_291_456 - 2) / 2],
  ] as const) {
    const body = character.repeat(length);
    assert.equal((await ask("/v1/things/1", { method: "PATCH", body })).status, 200);
    assertProblem(await ask("/v1/things/1", { method: "PATCH", body: `${body}x` }), "payload_too_large");
  }
});
