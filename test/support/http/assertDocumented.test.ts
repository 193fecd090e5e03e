import assert from "node:assert/strict";
import { test } from "@jest/globals";
import { problemResponse } from "../../../functions/api/problemResponse.ts";
import { singleSchema } from "../../../functions/api/resourceEndpoints.ts";
import { serviceUnavailable } from "../../../functions/problem.ts";
import { exampleOf } from "../../../functions/resources/fields.ts";
import { resources } from "../../../functions/resources/index.ts";
import { Order, orders } from "../../../functions/resources/order.ts";
import { assertDocumented } from "./assertDocumented.ts";
import type { Answer } from "./send.ts";

const json = "application/json; charset=utf-8";
const order = exampleOf(singleSchema(orders, resources));

function answer(status: number, body: unknown, contentType = json): Answer {
  return { status, headers: { "content-type": contentType }, body: Buffer.from(JSON.stringify(body)) };
}

const refuted = (method: string, target: string, one: Answer) =>
  assert.throws(() => assertDocumented(method, target, one), { name: "AssertionError" });

test("a documented response passes, and so does any response of an undeclared path", () => {
  const { statusCode, body } = problemResponse(serviceUnavailable(undefined), "request");
  assertDocumented("GET", "/v1/orders/5?x", answer(200, order));
  assertDocumented("PATCH", "/v1/orders/5", answer(200, order));
  assertDocumented("GET", "/v1/orders/5", answer(statusCode, JSON.parse(body), "application/problem+json"));
  assertDocumented("GET", "/v1/orders/5", { status: 304, headers: {}, body: Buffer.alloc(0) });
  assertDocumented("GET", "/v1/orders/5/x", answer(418, null));
  assertDocumented("DELETE", "/v1/orders/5", answer(418, null));
});

test("a response with an undocumented status, media type or body fails", () => {
  refuted("GET", "/v1/orders/5", answer(201, order));
  refuted("GET", "/v1/orders/5", answer(200, order, "text/html"));
  refuted("GET", "/v1/orders/5", answer(404, order, "application/problem+json"));
  refuted("GET", "/v1/orders/5", answer(304, order));
  refuted("GET", "/v1/orders/5", answer(200, exampleOf(Order)));
  refuted("GET", "/v1/orders/5", answer(200, { ...order, total: "5150" }));
  refuted("GET", "/v1/orders/5", answer(200, { ...order, reference: null }));
  refuted("GET", "/v1/orders/5", answer(200, { ...order, secret: 1 }));
});
