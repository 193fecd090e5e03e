import assert from "node:assert/strict";
import { expect, test } from "@jest/globals";
import { CallLimit, maximumLimit } from "../../../functions/table/callLimit.ts";
import {
  backOff,
  maximumTries,
  pauseMs,
  retryWhileThrottled,
  retryWhileUnavailable,
} from "../../../functions/table/retries.ts";
import {
  ConditionFailed,
  isTransactionConflict,
  toTableError,
  Unavailable,
} from "../../../functions/table/tableErrors.ts";

const items = Array.from({ length: 30 }, (_, index) => index);

test("writing continues while the table accepts at least one item per round", async () => {
  const taken: number[] = [];
  const pauses: number[] = [];
  let tries = 0;
  async function takeOneNowAndThen(left: number[]) {
    tries += 1;
    if (tries % maximumTries !== 0) return left;
    taken.push(...left.slice(0, 1));
    return left.slice(1);
  }
  await retryWhileThrottled(items, takeOneNowAndThen, async (failedTries) => pauses.push(failedTries));
  assert.deepEqual(taken, items);
  assert.deepEqual(
    pauses.slice(0, maximumTries + 1),
    [...Array.from({ length: maximumTries - 1 }, (_, index) => index + 1), 0, 1],
    "the count of failed tries starts again after a partial success",
  );
});

test("an error that is not the table's refusal is not retried", async () => {
  let tries = 0;
  const fault = new TypeError("A fault of ours.");
  async function fail(): Promise<number[]> {
    tries += 1;
    throw fault;
  }
  await expect(retryWhileThrottled(items, fail, async () => undefined)).rejects.toBe(fault);
  assert.equal(tries, 1);
});

test("giving up on an unreachable table reports the cause", async () => {
  const cause = Object.assign(new Error("connect ECONNREFUSED\n 127.0.0.1:1"), { code: "ECONNREFUSED" });
  let tries = 0;
  async function fail(): Promise<number[]> {
    tries += 1;
    throw new Unavailable(cause);
  }
  await assert.rejects(
    retryWhileThrottled(items, fail, async () => undefined),
    {
      name: "GivenUp",
      message: `Gave up: the table accepted nothing in ${maximumTries} consecutive tries (ECONNREFUSED: connect ECONNREFUSED 127.0.0.1:1).`,
    },
  );
  assert.equal(tries, maximumTries);
});

test("only a call after a failed one is repeated", async () => {
  const calls: boolean[] = [];
  const call = async (isRepeated: boolean) => {
    if (calls.push(isRepeated) < 3) throw new Unavailable(undefined);
  };
  await retryWhileUnavailable(call, async () => undefined);
  assert.deepEqual(calls, [false, true, true]);
});

test("pauses are random, double with every failed try, and never exceed ten seconds", () => {
  assert.deepEqual(
    [0, 1, 2, 3, 7, 8, 100].map((failedTries) => pauseMs(failedTries, 100, 1)),
    [100, 100, 200, 400, 6400, 10_000, 10_000],
  );
  assert.equal(pauseMs(3, 100, 0.25), 100);
  assert.equal(pauseMs(3, 20, 1), 80);
  assert.notEqual(pauseMs(3), pauseMs(3));
});

test("an interruption ends a pause", async () => {
  const interruption = new AbortController();
  const paused = backOff(interruption.signal)(100);
  interruption.abort();
  await assert.rejects(Promise.resolve(paused), { name: "AbortError" });
});

/** A limit of calls on a simulated clock, and the calls that it has begun. */
function simulation() {
  let nowMs = 0;
  const begun: { resolve: () => void; reject: (error: Error) => void }[] = [];
  const callLimit = new CallLimit(() => nowMs);
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  const call = () =>
    callLimit
      .run(
        () =>
          new Promise<void>((resolve, reject) => {
            begun.push({ resolve, reject });
          }),
      )
      .catch(() => undefined);
  for (let index = 0; index < 1_000; index++) void call();
  return {
    /** Ends all calls under way after some time. @returns their number. */
    async round(ms: number, error?: Error): Promise<number> {
      await settled();
      const ending = begun.splice(0);
      nowMs += ms;
      for (const { resolve, reject } of ending) error ? reject(error) : resolve();
      await settled();
      return ending.length;
    },
  };
}

test("the number of calls doubles with each fast round, up to its maximum", async () => {
  const { round } = simulation();
  const rounds = [];
  for (let index = 0; index < 5; index++) rounds.push(await round(100));
  assert.deepEqual(rounds, [4, 8, maximumLimit, maximumLimit, maximumLimit]);
});

for (const [reason, ms, error] of [
  ["slow", 3_000, undefined],
  ["refused", 10, new Unavailable(new Error("Throttled."))],
] as const) {
  test(`the number of calls halves once for each round of calls that are ${reason}`, async () => {
    const { round } = simulation();
    for (let index = 0; index < 3; index++) await round(100);
    const slow = [];
    for (let index = 0; index < 6; index++) slow.push(await round(ms, error));
    assert.deepEqual(slow, [16, 8, 4, 2, 1, 1]);
    const fast = [];
    for (let index = 0; index < 4; index++) fast.push(await round(100));
    assert.deepEqual(fast, [1, 2, 2, 3]);
  });
}

test("errors that are not the table's do not slow the calls", async () => {
  const { round } = simulation();
  assert.deepEqual([await round(10, new TypeError("Ours.")), await round(10)], [4, 8]);
});

const errorOf = (name: string, fields: object = {}) => Object.assign(new Error(name), { name, ...fields });
const errorNamed = (name: string) => errorOf(name);
const cancelled = (...codes: string[]) =>
  errorOf("TransactionCanceledException", { CancellationReasons: codes.map((Code) => ({ Code })) });

test("a failed condition is recognised, alone and in a transaction", () => {
  for (const error of [errorOf("ConditionalCheckFailedException"), cancelled("None", "ConditionalCheckFailed")]) {
    assert.ok(toTableError(error) instanceof ConditionFailed);
  }
});

test("throttling, contention, server errors and a broken connection mean that the service is unavailable", () => {
  for (const error of [
    ...["ThrottlingException", "ProvisionedThroughputExceededException", "RequestLimitExceeded"].map(errorNamed),
    ...["TransactionConflictException", "TransactionInProgressException", "TimeoutError"].map(errorNamed),
    // Without a status.
    ...["InternalServerError", "ServiceUnavailable", "SyntaxError"].map(errorNamed),
    errorOf("Error", { code: "ECONNREFUSED" }),
    errorOf("Error", { code: "EPIPE" }),
    errorOf("SomethingNew", { $metadata: { httpStatusCode: 502 } }),
    errorOf("SomethingNew", { $metadata: { httpStatusCode: 500 } }),
    cancelled("TransactionConflict", "None"),
    cancelled("ThrottlingError"),
  ]) {
    const problem = toTableError(error);
    assert.ok(problem instanceof Unavailable && problem.cause === error, error.name);
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
