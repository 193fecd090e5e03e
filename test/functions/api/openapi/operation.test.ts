import assert from "node:assert/strict";
import { describe, test } from "@jest/globals";
import { Validator } from "@seriousme/openapi-schema-validator";
import type { APIGatewayProxyResult } from "aws-lambda";
import * as z from "zod";
import { apiKeyHolder } from "../../../../functions/api/callers.ts";
import { type Endpoint, endpoint } from "../../../../functions/api/endpoint.ts";
import { type Operation, openApiDocument } from "../../../../functions/api/openapi/document.ts";
import { ProblemBody } from "../../../../functions/api/openapi/errors.ts";
import { defaultRateLimit, rateLimitHeaders } from "../../../../functions/api/rateLimit.ts";
import { securityHeaders } from "../../../../functions/api/response.ts";
import { getKey } from "../../../../functions/endpoints/getKey.ts";
import { endpoints } from "../../../../functions/endpoints/index.ts";
import { recordBalancePayment } from "../../../../functions/endpoints/recordBalancePayment.ts";
import { problemCodes } from "../../../../functions/problem.ts";
import { PageQuery, pageOf } from "../../../../functions/resources/page.ts";
import { guideText } from "../../../guides/guideExamples.ts";
import { invoke } from "../../../support/http/invoke.ts";

/** Endpoints that the service may have one day: a list of rows without an id, and a write with its own scope on the same path. */
const Row = z
  .object({ amount: z.int().meta({ description: "In pence." }) })
  .meta({ id: "Row", examples: [{ amount: 1250 }] });
const NewRow = z
  .strictObject({ amount: z.int().meta({ description: "In pence." }) })
  .meta({ examples: [{ amount: 1250 }] });
const rows = { path: "/v1/rows", summary: "Rows" } as const;
const listRows = endpoint(
  {
    ...rows,
    operationId: "listRows",
    method: "GET",
    tag: "Events",
    caller: apiKeyHolder("read"),
    tableAccess: "organisationData",
    query: PageQuery,
    response: pageOf(Row),
  },
  () => ({ data: [{ amount: 1250 }], pagination: { per_page: 1, has_more: true, next_cursor: "next" } }),
);
const addRow = endpoint(
  {
    ...rows,
    operationId: "addRow",
    method: "POST",
    tag: "Events",
    caller: apiKeyHolder("write:orders"),
    tableAccess: "organisationData",
    body: NewRow,
    status: 201,
    response: Row,
  },
  () => ({ amount: 1250 }),
);

/** A declaration for endpoints with any implementation. */
const getKeyAgain = { ...getKey, caller: apiKeyHolder("read") };

describe("every operation of the OpenAPI document", () => {
  for (const one of endpoints.filter(({ status }) => status !== 204)) {
    test(`${one.operationId}: documents each error that it can return, with an example`, () => {
      const answers = Object.entries(operationOf(one).responses);
      const errors = answers.filter(([status]) => Number(status) >= 400);
      assert.deepEqual(
        answers.slice(0, -errors.length).map(([status]) => Number(status)),
        [one.status ?? 200, ...(one.method === "GET" ? [304] : [])],
      );
      const expected = [
        [400, 401],
        one.caller.scope === "read" ? [] : [403],
        one.params ? [404] : [],
        [405],
        one.conflict ? [409] : [],
        "changed_since" in (one.query?.shape ?? {}) ? [410] : [],
        "if-match" in (one.headers?.shape ?? {}) ? [412] : [],
        one.method === "POST" || one.body ? [413, 415] : [],
        "idempotency-key" in (one.headers?.shape ?? {}) ? [422] : [],
        [429, 500, 503],
      ];
      assert.deepEqual(
        errors.map(([status]) => Number(status)),
        expected.flat(),
      );
      for (const [status, error] of errors) {
        const problem = z.strictObject(ProblemBody.shape).parse(exampleOf(error));
        assert.equal(problem.status, Number(status));
        assert.equal(problemCodes[problem.code as keyof typeof problemCodes].status, Number(status));
      }
    });
  }
});

describe("an operation of the OpenAPI document", () => {
  test("gives parameters the types and bounds of their parsed values", () => {
    const listDiscounts = endpoints.find(({ operationId }) => operationId === "listEventDiscounts");
    const parameters = operationOf(listDiscounts as Endpoint).parameters.map(({ description: _, ...rest }) => rest);
    const pattern = String.raw`^([ \t]*\*[ \t]*|[ \t,]*(W/)?"[\t !#-~\x80-\xff]*"([ \t]*,[ \t,]*(W/)?"[\t !#-~\x80-\xff]*")*[ \t,]*)$`;
    const ifNoneMatch = { schema: { type: "string", pattern }, example: '"q3ZlY1Yd0m8xkq4T0p2s7A"' };
    const id = { type: "integer", format: "int64", minimum: 1, maximum: 2 ** 53 - 1 };
    const cursor = { schema: { type: "string", maxLength: 512 } };
    const perPage = { type: "integer", format: "int64", minimum: 1, maximum: 1_000, default: 50 };
    assert.deepEqual(parameters, [
      { name: "id", in: "path", required: true, schema: id, example: 15082 },
      { name: "per_page", in: "query", required: false, schema: perPage, example: 1_000 },
      { name: "cursor", in: "query", required: false, ...cursor },
      { name: "If-None-Match", in: "header", required: false, ...ifNoneMatch },
    ]);
  });

  test("has one response for all errors of a status, which names each code", () => {
    const { description } = z.object({ description: z.string() }).parse(answerOf(recordBalancePayment, 422));
    assert.match(description, /^`date_in_future`: .+\. `idempotency_mismatch`: .+\.$/);
  });

  test("says how a list's rows are sorted, as its declaration sorts them", () => {
    const orders = Object.fromEntries(
      endpoints.map((one) => [one.operationId, /Ordered by .*/.exec(one.description ?? "")?.[0]]),
    );
    assert.equal(orders.listOrderTickets, "Ordered by `id` ascending.");
    assert.equal(
      orders.listEvents,
      "Ordered by `date_created` descending as instants, without an offset as UTC, null last, then by `id` descending.",
    );
    assert.equal(
      orders.listEventDates,
      "Ordered by `date` ascending as instants, without an offset as UTC, then by `id` ascending.",
    );
    assert.equal(orders.listEventTicketCategories, "Ordered by `sort_index` ascending, then by `id` ascending.");
  });

  test("that writes has its scope and no conditional headers, and is valid beside the list on its path", async () => {
    const document = openApiDocument([listRows, addRow], { version: "1.0.0" });
    const { valid, errors } = await new Validator().validate(structuredClone(document));
    assert.ok(valid, JSON.stringify(errors));
    assert.deepEqual(Object.keys(document.paths["/v1/rows"] ?? {}), ["get", "post"]);
    const { security, parameters, responses } = operationOf(addRow);
    assert.deepEqual(security, [{ ApiKeyAuth: ["write:orders"] }]);
    assert.deepEqual(parameters, []);
    assert.deepEqual(Object.keys(responses).map(Number), [201, 400, 401, 403, 405, 413, 415, 429, 500, 503]);
  });
});

test("a deprecated operation is marked, and its responses say since when and until when", async () => {
  const [example = ""] = /Deprecation: @\d+\nSunset: .+/.exec(await guideText("basics")) ?? [];
  const deprecation = { since: new Date("2027-01-01T00:00:00Z"), sunset: new Date("2028-01-01T00:00:00Z") };
  const declaration = { ...getKeyAgain, deprecation, response: Row };
  const old = endpoint(declaration, () => ({ amount: 1250 }));
  assert.equal(operationOf(old).deprecated, true);
  assert.equal(operationOf(getKey).deprecated, undefined);
  const success = await invoke(old);
  assertDocumentedHeaders(old, 200, success);
  assert.equal(`Deprecation: ${success.headers?.Deprecation}\nSunset: ${success.headers?.Sunset}`, example);
});

const whole = openApiDocument(endpoints, { version: "1.0.0" });

function operationOf(one: Endpoint): Operation {
  const { paths } = endpoints.includes(one) ? whole : openApiDocument([one], { version: "1.0.0" });
  const operation = paths[one.path]?.[one.method.toLowerCase()];
  assert.ok(operation);
  return operation;
}

/** The documented response with a status. */
function answerOf(one: Endpoint, status: number): object {
  const found = Object.entries(operationOf(one).responses).find(([code]) => Number(code) === status);
  assert.ok(found, `${status} is not documented`);
  return found[1];
}

const ErrorAnswer = z.object({
  content: z.object({ "application/problem+json": z.object({ example: z.looseObject({}) }) }),
});

function exampleOf(answer: object): object {
  return ErrorAnswer.parse(answer).content["application/problem+json"].example;
}

function assertDocumentedHeaders(one: Endpoint, status: number, { statusCode, headers }: APIGatewayProxyResult): void {
  assert.equal(statusCode, status);
  const documented = z.object({ headers: z.looseObject({}) }).parse(answerOf(one, status)).headers;
  const connection = new Set(["Content-Type", ...Object.keys(securityHeaders)]);
  const sent = Object.keys(headers ?? {}).filter((name) => !connection.has(name));
  // The distribution adds the limits to responses for keys.
  const added = one.caller.scheme === "apiKey" ? Object.keys(rateLimitHeaders(defaultRateLimit)) : [];
  assert.deepEqual(Object.keys(documented).sort(), [...sent, ...added].sort());
}
