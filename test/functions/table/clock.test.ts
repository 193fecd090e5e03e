import assert from "node:assert/strict";
import { test } from "@jest/globals";
import fc from "fast-check";
import { TableClock } from "../../../functions/table/clock.ts";

const dayMs = 24 * 60 * 60 * 1_000;

/** A clock whose local clock is ahead, and a request that takes this long. */
function simulation(aheadMs: number) {
  const state = { trueMs: Date.UTC(2026, 0, 1) + 123, aheadMs };
  const clock = new TableClock(
    () => state.trueMs + state.aheadMs,
    () => state.trueMs,
  );
  /** @param share of the time that passes before DynamoDB responds. */
  const respond = (elapsedMs: number, share = 0.5) => {
    const sentMs = clock.uptimeMs();
    const answeredMs = state.trueMs + elapsedMs * share;
    state.trueMs += elapsedMs;
    clock.observe(new Date(answeredMs).toUTCString(), sentMs);
  };
  const errorMs = () => clock.nowMs() - state.trueMs;
  return { state, clock, respond, errorMs };
}

test("a clock that agrees with the responses is never corrected", () => {
  const { clock, respond, errorMs, state } = simulation(0);
  assert.equal(clock.isSet(), false);
  for (const elapsedMs of [0, 5, 900, 1_499]) {
    respond(elapsedMs);
    assert.equal(errorMs(), 0);
    state.trueMs += 777;
  }
  assert.equal(clock.isSet(), true);
});

test("after one response, any clock is right within a second and the time of the request", () => {
  const ahead = fc.integer({ min: -400 * dayMs, max: 400 * dayMs });
  const property = fc.property(
    ahead,
    fc.nat(1_500),
    fc.double({ min: 0, max: 1, noNaN: true }),
    (aheadMs, ms, share) => {
      const { clock, respond, errorMs } = simulation(aheadMs);
      respond(ms, share);
      assert.ok(clock.isSet());
      assert.ok(Math.abs(errorMs()) <= 1_000 + ms, `${errorMs()} ms`);
    },
  );
  fc.assert(property);
});

test("further responses make a corrected clock more exact, and none makes it worse than its own bounds", () => {
  const { respond, errorMs, state } = simulation(dayMs);
  for (let response = 0; response < 20; response++) {
    respond(10);
    state.trueMs += 1_150;
    assert.ok(Math.abs(errorMs()) <= 1_010);
  }
  assert.ok(Math.abs(errorMs()) <= 600, `${errorMs()} ms`);
});

test("a response that is too slow only says what time has certainly passed", () => {
  const { clock, respond, state } = simulation(dayMs);
  for (const elapsedMs of [1_600, 20_000]) {
    respond(elapsedMs, 1);
    assert.equal(clock.isSet(), false);
    state.trueMs += 5_000;
    const behindMs = state.trueMs - clock.atLeastMs();
    assert.ok(behindMs >= 0 && behindMs < 1_000, `${behindMs} ms`);
  }
});

test("a response without a valid date teaches nothing", () => {
  const { clock, errorMs } = simulation(dayMs);
  clock.observe(undefined, clock.uptimeMs());
  clock.observe("yesterday", clock.uptimeMs());
  assert.equal(clock.isSet(), false);
  assert.equal(errorMs(), dayMs);
});

test("a clock that somebody sets is not known until the next response", () => {
  const { clock, respond, errorMs, state } = simulation(0);
  respond(5);
  for (const aheadMs of [-dayMs, 2_000, 0]) {
    state.aheadMs = aheadMs;
    assert.equal(clock.isSet(), false);
    respond(5);
    assert.equal(clock.isSet(), true);
    assert.ok(Math.abs(errorMs()) <= 1_005);
  }
});
