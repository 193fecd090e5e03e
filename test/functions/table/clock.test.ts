import assert from "node:assert/strict";
import { test } from "@jest/globals";
import fc from "fast-check";
import { maximumErrorMs, TableClock } from "../../../functions/table/clock.ts";

const dayMs = 24 * 60 * 60 * 1_000;

/** A clock whose local clock is ahead, and a request that takes this long. */
function simulation(aheadMs: number) {
  const state = { trueMs: Date.UTC(2026, 0, 1) + 123, aheadMs };
  const clock = new TableClock(
    () => state.trueMs + state.aheadMs,
    () => state.trueMs,
  );
  /** @param share the part of the time that passes before DynamoDB responds. */
  const respond = (elapsedMs: number, share = 0.5) => {
    const sentMs = clock.uptimeMs();
    const answeredMs = state.trueMs + elapsedMs * share;
    state.trueMs += elapsedMs;
    clock.observe(new Date(answeredMs).toUTCString(), sentMs);
  };
  const errorMs = () => clock.nowMs() - state.trueMs;
  return { state, clock, respond, errorMs };
}

test("a set clock that agrees with the responses is not corrected, however slow they are", () => {
  const { clock, respond, errorMs, state } = simulation(0);
  assert.equal(clock.isSet(), false);
  for (const elapsedMs of [0, 5, 900, 20_000]) {
    respond(elapsedMs);
    assert.equal(errorMs(), 0);
    state.trueMs += 777;
  }
  assert.equal(clock.isSet(), true);
});

const response = fc.record({
  elapsedMs: fc.oneof(fc.nat(1_000), fc.nat(20_000)),
  share: fc.double({ min: 0, max: 1, noNaN: true }),
  pauseMs: fc.nat(3_000),
});

test("after the first response within a second, any clock errs by at most a second, and by no more later", () => {
  const ahead = fc.integer({ min: -400 * dayMs, max: 400 * dayMs });
  const property = fc.property(ahead, fc.array(response), (aheadMs, responses) => {
    const { clock, respond, errorMs, state } = simulation(aheadMs);
    for (const { elapsedMs, share, pauseMs } of responses) {
      const wasSet = clock.isSet();
      respond(elapsedMs, share);
      assert.equal(clock.isSet(), wasSet || elapsedMs <= maximumErrorMs);
      const [least, most] = clock.isSet() ? [-maximumErrorMs, maximumErrorMs] : [-1_000 - elapsedMs, 0];
      assert.ok(errorMs() >= least && errorMs() <= most, `${errorMs()} ms`);
      state.trueMs += pauseMs;
    }
  });
  fc.assert(property);
});

test("further responses make a corrected clock more exact", () => {
  const { respond, errorMs, state } = simulation(dayMs);
  for (let response = 0; response < 20; response++) {
    respond(10);
    state.trueMs += 1_150;
  }
  assert.ok(Math.abs(errorMs()) <= 600, `${errorMs()} ms`);
});

test("a response without a valid date is ignored", () => {
  const { clock, errorMs } = simulation(dayMs);
  clock.observe(undefined, clock.uptimeMs());
  clock.observe("yesterday", clock.uptimeMs());
  assert.equal(clock.isSet(), false);
  assert.equal(errorMs(), dayMs);
});

test("after somebody sets the clock, the time is unknown until the next response", () => {
  const { clock, respond, errorMs, state } = simulation(0);
  respond(5);
  for (const aheadMs of [-dayMs, 60, 0]) {
    state.aheadMs = aheadMs;
    assert.equal(clock.isSet(), false);
    respond(5);
    assert.equal(clock.isSet(), true);
    assert.ok(Math.abs(errorMs()) <= maximumErrorMs);
  }
});
