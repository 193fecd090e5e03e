import assert from "node:assert/strict";
import { test } from "node:test";
import { notFound, serviceUnavailable } from "../../../functions/problem.ts";
import { untilAvailable } from "../../../local/dynamodb/untilAvailable.ts";

/** Throws the errors one after another, then succeeds. */
function failing(...errors: Error[]) {
  let tries = 0;
  return async () => {
    const error = errors[tries++];
    if (error) throw error;
    return tries;
  };
}

test("what an unavailable table refuses is done again until it succeeds", async () => {
  const unavailable = serviceUnavailable(new Error("busy"));
  assert.equal(await untilAvailable(failing(unavailable, unavailable)), 3);
});

test("any other failure counts at once", async () => {
  for (const error of [notFound("event"), new Error("a mistake")]) {
    await assert.rejects(untilAvailable(failing(error)), error);
  }
});
