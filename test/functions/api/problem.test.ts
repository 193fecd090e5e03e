import assert from "node:assert/strict";
import { test } from "@jest/globals";
import { gatewayResponses, renderGatewayResponse, unknownMethod } from "../../../functions/api/gatewayResponses.ts";
import { problemResponse } from "../../../functions/api/problemResponse.ts";
import { notFound, Problem, serviceUnavailable, toProblem } from "../../../functions/problem.ts";

test("a problem's response has the RFC 9457 shape, with its extra members before the request id", () => {
  const problem = new Problem("forbidden", "No.", { required_scope: "write:orders" });
  const { statusCode, headers, body } = problemResponse(problem, "r1");
  assert.equal(statusCode, 403);
  assert.equal(headers["Content-Type"], "application/problem+json");
  assert.equal(headers["X-Request-Id"], "r1");
  assert.equal(
    body,
    '{"type":"about:blank","title":"Forbidden","status":403,"code":"forbidden","detail":"No.","required_scope":"write:orders","request_id":"r1"}',
  );
});

test("an unavailable service says when to try again", () => {
  const { statusCode, headers } = problemResponse(serviceUnavailable(new Error("x")), "r1");
  assert.equal(statusCode, 503);
  assert.match(headers["Retry-After"] ?? "", /^[1-9]\d*$/);
  assert.equal(problemResponse(notFound("event"), "r1").headers["Retry-After"], undefined);
});

test("any other thrown value becomes an internal error without its details", () => {
  for (const thrown of [new Error("secret"), "secret", undefined, { message: "secret" }]) {
    const problem = toProblem(thrown);
    assert.equal(problem.code, "internal_error");
    assert.equal(problem.cause, thrown);
    assert.ok(!problemResponse(problem, "r1").body.includes("secret"));
  }
});

test("every error that the gateway itself returns is a problem like those of the functions", () => {
  for (const response of [...Object.values(gatewayResponses), unknownMethod(["POST", "GET"])]) {
    const { statusCode, headers, body } = renderGatewayResponse(response, "r1");
    const { type, status, code, request_id } = JSON.parse(body);
    assert.deepEqual(
      { type, status, code, request_id },
      {
        type: "about:blank",
        status: statusCode,
        code: response.code,
        request_id: "r1",
      },
    );
    assert.equal(headers["Content-Type"], "application/problem+json");
  }
});

test("a missing key and a refused key return the same body", () => {
  const bodyOf = (type: keyof typeof gatewayResponses) => renderGatewayResponse(gatewayResponses[type], "r1").body;
  assert.equal(bodyOf("UNAUTHORIZED"), bodyOf("ACCESS_DENIED"));
});

test("an unsupported method returns the allowed ones", () => {
  assert.equal(renderGatewayResponse(unknownMethod(["POST", "GET"]), "r1").headers.Allow, "GET, POST");
});

test("each error of the gateway has the status that its cause calls for", () => {
  const statuses = Object.entries(gatewayResponses).map(([type, response]) => [
    type,
    renderGatewayResponse(response, "r1").statusCode,
  ]);
  assert.deepEqual(Object.fromEntries(statuses), {
    UNAUTHORIZED: 401,
    ACCESS_DENIED: 401,
    EXPIRED_TOKEN: 401,
    INVALID_SIGNATURE: 401,
    AUTHORIZER_FAILURE: 503,
    AUTHORIZER_CONFIGURATION_ERROR: 503,
    INTEGRATION_FAILURE: 503,
    INTEGRATION_TIMEOUT: 503,
    WAF_FILTERED: 403,
    THROTTLED: 429,
    REQUEST_TOO_LARGE: 413,
    UNSUPPORTED_MEDIA_TYPE: 415,
    BAD_REQUEST_BODY: 400,
    BAD_REQUEST_PARAMETERS: 400,
    RESOURCE_NOT_FOUND: 404,
    MISSING_AUTHENTICATION_TOKEN: 404,
    API_CONFIGURATION_ERROR: 500,
    DEFAULT_5XX: 500,
  });
});
