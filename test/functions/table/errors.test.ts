import assert from "node:assert/strict";
import { test } from "@jest/globals";
import { Problem } from "../../../functions/problem.ts";
import { ConditionFailed, isTransactionConflict, toTableError } from "../../../functions/table/errors.ts";

const errorOf = (name: string, fields: object = {}) => Object.assign(new Error(name), { name, ...fields });
const cancelled = (...codes: string[]) =>
  errorOf("TransactionCanceledException", { CancellationReasons: codes.map((Code) => ({ Code })) });

test("a failed condition is recognised, alone and in a transaction", () => {
  for (const error of [errorOf("ConditionalCheckFailedException"), cancelled("None", "ConditionalCheckFailed")]) {
    assert.ok(toTableError(error) instanceof ConditionFailed);
  }
});

test("throttling, contention, server errors and a broken connection mean that the service is unavailable", () => {
  for (const error of [
    errorOf("ThrottlingException"),
    errorOf("ProvisionedThroughputExceededException"),
    errorOf("TimeoutError"),
    errorOf("Error", { code: "ECONNREFUSED" }),
    errorOf("Error", { code: "EPIPE" }),
    errorOf("SomethingNew", { $metadata: { httpStatusCode: 502 } }),
    errorOf("SomethingNew", { $metadata: { httpStatusCode: 500 } }),
    cancelled("TransactionConflict", "None"),
    cancelled("ThrottlingError"),
  ]) {
    const problem = toTableError(error);
    assert.ok(
      problem instanceof Problem && problem.code === "service_unavailable" && problem.cause === error,
      error.name,
    );
  }
});

test("a fault of the service is passed on unchanged", () => {
  for (const error of [
    errorOf("ValidationException", { $metadata: { httpStatusCode: 400 } }),
    errorOf("SomethingNew", { $metadata: { httpStatusCode: 499 } }),
    errorOf("AccessDeniedException", { $metadata: { httpStatusCode: 400 } }),
    errorOf("TypeError", { code: "ERR_INVALID_ARG_TYPE" }),
    cancelled("ValidationError", "None"),
    new Error("x"),
    undefined,
  ]) {
    assert.equal(toTableError(error), error);
  }
});

test("a transaction's conflict is recognised", () => {
  assert.ok(isTransactionConflict(toTableError(cancelled("None", "TransactionConflict"))));
  assert.ok(!isTransactionConflict(toTableError(cancelled("None", "ThrottlingError"))));
  assert.ok(!isTransactionConflict(new Error("x")));
});
