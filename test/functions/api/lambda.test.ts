import assert from "node:assert/strict";
import { inspect } from "node:util";
import { describe, jest, test } from "@jest/globals";
import * as z from "zod";
import { apiKeyHolder } from "../../../functions/api/callers.ts";
import { type Endpoint, endpoint } from "../../../functions/api/endpoint.ts";
import { gatewayResponses, renderGatewayResponse, unknownMethod } from "../../../functions/api/gatewayResponses.ts";
import { problemResponse } from "../../../functions/api/problemResponse.ts";
import { ChangesQuery } from "../../../functions/changes/change.ts";
import { endpoints } from "../../../functions/endpoints/index.ts";
import { logger } from "../../../functions/log/logger.ts";
import { Problem } from "../../../functions/problem.ts";
import { pageOf } from "../../../functions/resources/page.ts";
import type { Table } from "../../../functions/table/table.ts";
import { Unavailable } from "../../../functions/table/tableErrors.ts";
import { proxyEvent } from "../../fuzz/support/requests.ts";
import { invoke } from "../../support/http/invoke.ts";

const declaration = {
  operationId: "listThings",
  method: "GET",
  path: "/v1/things",
  summary: "List things",
  tag: "Events",
  caller: apiKeyHolder("read"),
  tableAccess: "organisationData",
  response: z.unknown(),
} as const;
const read = endpoint(declaration, () => ({}));

test("a request without an authorizer's principal returns 500 and never runs", async () => {
  const run = jest.fn(() => ({}));
  const one = endpoint(declaration, run);
  const { requestContext } = proxyEvent(one);
  const ofOrganisation = (organisationId: unknown) => ({ ...requestContext.authorizer, organisationId });
  const contexts = [undefined, null, {}, ...["0", "07", "7 ", "7e0", "0x7", "+7", "", 7].map(ofOrganisation)];
  for (const authorizer of contexts) {
    const { statusCode } = await invoke(one, { requestContext: { ...requestContext, authorizer } });
    assert.equal(statusCode, 500);
  }
  assert.equal(run.mock.calls.length, 0);
});

test("an unexpected error, or anything else that is thrown, returns 500 without its details", async () => {
  const notErrors = ["on fire", Symbol("fire"), { fire: 1, toString: false }, Object.create(null)];
  for (const thrown of [new Error("table ticketing-prod is on fire"), ...notErrors]) {
    const { statusCode, body } = await invoke(endpoint(declaration, () => Promise.reject(thrown)));
    assert.equal(statusCode, 500);
    assert.ok(!body.includes("fire"));
  }
});

test("the log describes a thrown object only by its type", async () => {
  const log = jest.spyOn(logger, "error").mockImplementation(() => undefined);
  await invoke(endpoint(declaration, () => Promise.reject({ name: "Ada Byron" })));
  const [[, details] = []] = log.mock.calls;
  assert.match(inspect(details), /Error: \[Object\]/);
  assert.doesNotMatch(inspect(details), /Byron/);
});

test("a function that runs out of time returns 503 before Lambda ends it", async () => {
  const { statusCode, headers } = await invoke(
    endpoint(declaration, () => new Promise(() => undefined)),
    {},
    501,
  );
  assert.equal(statusCode, 503);
  assert.ok(headers?.["Retry-After"]);
});

describe("a write that takes an Idempotency-Key and may have been recorded", () => {
  const begun = (ends: () => Promise<never>) => {
    const repositories = { table: (_organisationId: number, table: Table) => table };
    const headers = z.object({ "idempotency-key": z.string().optional() });
    return endpoint({ ...declaration, method: "POST", headers, repositories }, (_, { table }) => {
      table.usage.calls.TransactWriteItems = 1;
      return ends();
    });
  };
  const answer = async (one: Endpoint, headers = {}) => {
    const response = await invoke(one, { headers }, 501);
    return [response.statusCode, JSON.parse(response.body).code, "Retry-After" in (response.headers ?? {})];
  };
  const outages = [() => Promise.reject(new Unavailable(undefined)), () => new Promise<never>(() => undefined)];

  test("gets 500 without Retry-After if it has no key, so that HTTP libraries do not repeat it", async () => {
    for (const outage of outages) assert.deepEqual(await answer(begun(outage)), [500, "internal_error", false]);
  });

  test("gets 503 with Retry-After if it has a key", async () => {
    for (const outage of outages)
      assert.deepEqual(await answer(begun(outage), { "Idempotency-Key": "a" }), [503, "service_unavailable", true]);
  });

  test("is a transaction, so the service recognises it", () => {
    const taking = endpoints.filter(({ headers }) => headers && "idempotency-key" in headers.shape);
    assert.ok(taking.length > 0);
    for (const { table, operationId } of taking) assert.ok(table?.includes("TransactWriteItems"), operationId);
  });
});

test("a write of which nothing was sent to the table gets 503 with Retry-After", async () => {
  const headers = z.object({ "idempotency-key": z.string().optional() });
  const outage = () => Promise.reject(new Unavailable(undefined));
  const response = await invoke(endpoint({ ...declaration, method: "POST", headers }, outage));
  assert.equal(response.statusCode, 503);
  assert.ok(response.headers?.["Retry-After"]);
});

test("a page links to the next one at the public address, which no header of the client changes", async () => {
  const pagination = { per_page: 2, has_more: true, next_cursor: "abc" };
  const page = {
    ...declaration,
    response: pageOf(z.number()),
    query: ChangesQuery,
  };
  const list = endpoint(page, () => ({ data: [1, 2], pagination }));
  const linkOf = async (changes: object) =>
    (await invoke(list, { multiValueQueryStringParameters: { per_page: ["2"] }, ...changes })).headers?.Link;
  const stageVariables = { baseUrl: "https://tickets.example.org" };
  const own = '<https://api.example.com/prod/v1/things?per_page=2&cursor=abc>; rel="next"';
  const announced = '<https://tickets.example.org/v1/things?per_page=2&cursor=abc>; rel="next"';
  const forged = { Host: "evil.example", "X-Forwarded-Host": "evil.example", Forwarded: "host=evil.example" };
  for (const headers of [{}, forged]) {
    assert.equal(await linkOf({ headers }), own);
    assert.equal(await linkOf({ headers, stageVariables }), announced);
  }
  const repeated = '<https://api.example.com/prod/v1/things?types=order%2Cticket&cursor=abc>; rel="next"';
  const types = ["order", "ticket"];
  for (const query of [{ types }, { types, changed_since: ["2026-11-27"] }])
    assert.equal(await linkOf({ multiValueQueryStringParameters: query }), repeated);
  const last = { data: [], pagination: { per_page: 2, has_more: false, next_cursor: null } };
  const { headers } = await invoke(endpoint(page, () => last));
  assert.equal(headers?.Link, undefined);
});

test("a body that the gateway encodes in base64 is read like any other", async () => {
  const write = endpoint({ ...declaration, method: "POST", body: z.object({ name: z.string() }) }, ({ body }) => body);
  const text = JSON.stringify({ name: "Büro – 音楽" });
  const headers = { "Content-Type": "application/json" };
  const bodies = [{ body: text }, { body: Buffer.from(text).toString("base64"), isBase64Encoded: true }];
  for (const sent of bodies) {
    const { body } = await invoke(write, { headers, ...sent });
    assert.equal(body, text);
  }
});

test("an operation refuses a condition that it does not check, by name, and does not run", async () => {
  const run = jest.fn(() => ({}));
  const both = ["if-match", "if-none-match"];
  for (const [method, ...refused] of [
    ["POST", ...both],
    ["PATCH", ...both],
    ["DELETE", ...both],
    ["GET", "if-match"],
  ] as const) {
    const headers = { "If-Match": '"a"', "if-none-match": "*" };
    const { statusCode, body } = await invoke(endpoint({ ...declaration, method }, run), { headers });
    assert.equal(statusCode, 400);
    assert.deepEqual(
      JSON.parse(body).errors.map(({ parameter }: { parameter: string }) => parameter),
      refused,
    );
  }
  assert.equal(run.mock.calls.length, 0);
});

test("a read refuses a malformed If-None-Match by name", async () => {
  const { headers: { ETag = "" } = {} } = await invoke(read);
  const unquoted = String(ETag).slice(1, -1);
  for (const value of [unquoted, `"a", ${unquoted}`, "W/*", "**", "*, *", "", ",", '"a"b', `"a" ${ETag}`]) {
    const { statusCode, body } = await invoke(read, { headers: { "If-None-Match": value } });
    assert.equal(statusCode, 400, value);
    assert.equal(JSON.parse(body).errors[0].parameter, "if-none-match");
  }
});

test("a 304 has no Content-Type, because it has no body", async () => {
  const { headers: { "Content-Type": _, ...expected } = {} } = await invoke(read);
  const { statusCode, headers, body } = await invoke(read, { headers: { "If-None-Match": String(expected.ETag) } });
  assert.deepEqual([statusCode, body, headers], [304, "", expected]);
});

test("several lines of a list header are one list, also in different case", async () => {
  const { headers: { ETag = "" } = {} } = await invoke(read);
  const multiValueHeaders = { "If-None-Match": ['"a"', String(ETag)], "if-none-match": ['"b"'] };
  const headers = { "If-None-Match": String(ETag), "if-none-match": '"b"' };
  assert.equal((await invoke(read, { headers, multiValueHeaders })).statusCode, 304);
});

test("a repeated header that has a single value is refused by name", async () => {
  const run = jest.fn(() => ({}));
  const write = endpoint({ ...declaration, method: "POST" }, run);
  const repetitions = [
    ["authorization", { Authorization: ["Bearer a", "Bearer a"] }],
    ["authorization", { Authorization: ["Bearer a"], authorization: ["Bearer b"] }],
    ["idempotency-key", { "Idempotency-Key": ["a", "b"] }],
    ["content-type", { "Content-Type": ["application/json", "text/plain"] }],
  ] as const;
  for (const [name, multiValueHeaders] of repetitions) {
    const { statusCode, body } = await invoke(write, { multiValueHeaders });
    assert.equal(statusCode, 400);
    assert.deepEqual(JSON.parse(body).errors, [{ parameter: name, detail: "May be sent only once." }]);
  }
  assert.equal(run.mock.calls.length, 0);
});

test("a problem shows at most 64 characters of what a client sent as a name", () => {
  const names = [{ pointer: `/${"a".repeat(5_000)}` }, { parameter: "a".repeat(5_000) }];
  for (const name of names) {
    const errors = Array.from({ length: 20 }, () => ({ ...name, detail: "Unknown." }));
    const { body } = problemResponse(new Problem("invalid_request", "Invalid.", { errors }), "r1");
    assert.ok(Buffer.byteLength(body) < 4_000, body);
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
