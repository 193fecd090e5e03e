import assert from "node:assert/strict";
import { expect, test } from "@jest/globals";
import { serviceUnavailable } from "../../../functions/problem.ts";
import { backOff, maximumTries, pauseMs, untilAnswered, untilTaken } from "../../../functions/table/untilTaken.ts";

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
  await untilTaken(items, takeOneNowAndThen, async (failedTries) => pauses.push(failedTries));
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
  await expect(untilTaken(items, fail, async () => undefined)).rejects.toBe(fault);
  assert.equal(tries, 1);
});

test("giving up on an unreachable table reports the cause", async () => {
  const cause = Object.assign(new Error("connect ECONNREFUSED 127.0.0.1:1"), { code: "ECONNREFUSED" });
  async function fail(): Promise<number[]> {
    throw serviceUnavailable(cause);
  }
  await assert.rejects(
    untilTaken(items, fail, async () => undefined),
    {
      name: "GivenUp",
      message: `Gave up: the table accepted nothing in ${maximumTries} consecutive tries (ECONNREFUSED: connect ECONNREFUSED 127.0.0.1:1).`,
    },
  );
});

test("a single call is retried until it returns, and its result is passed on", async () => {
  let tries = 0;
  async function answerThirdTime() {
    tries += 1;
    if (tries < 3) throw serviceUnavailable(new Error("throttled"));
    return tries;
  }
  assert.equal(await untilAnswered(answerThirdTime, async () => undefined), 3);
});

test("pauses are random, double with every failed try, and never exceed ten seconds", () => {
  assert.deepEqual(
    [0, 1, 2, 3, 7, 8, 100].map((failedTries) => pauseMs(failedTries, 1)),
    [100, 100, 200, 400, 6400, 10_000, 10_000],
  );
  assert.equal(pauseMs(3, 0.25), 100);
  assert.notEqual(pauseMs(3), pauseMs(3));
});

test("an interruption ends a pause", async () => {
  const interruption = new AbortController();
  const paused = backOff(interruption.signal)(100);
  interruption.abort();
  await assert.rejects(Promise.resolve(paused), { name: "AbortError" });
});
