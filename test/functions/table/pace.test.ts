import assert from "node:assert/strict";
import { test } from "@jest/globals";
import { serviceUnavailable } from "../../../functions/problem.ts";
import { maximumLimit, Pace } from "../../../functions/table/pace.ts";

/** A pace on a simulated clock, and the calls that it has begun. */
function simulation() {
  let nowMs = 0;
  const begun: { resolve: () => void; reject: (error: Error) => void }[] = [];
  const pace = new Pace(() => nowMs);
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  const call = () =>
    pace
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
  ["refused", 10, serviceUnavailable(new Error("Throttled."))],
] as const) {
  test(`the number halves once for each round of calls that are ${reason}, never below one, and then grows slowly`, async () => {
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
