import assert from "node:assert/strict";
import { jest, test } from "@jest/globals";
import { describeProgress, showProgress } from "../../../cli/shared/progress.ts";

test("progress shows the fraction, records, rate and time left", () => {
  assert.equal(describeProgress(34_500, 0.4, 6_000), "40 %, 34,500 records, 5,750 a second, 9 s left");
  assert.equal(describeProgress(1_000_000, 0.5, 60_000), "50 %, 1,000,000 records, 16,667 a second, 1 min 0 s left");
});

test("progress of an input of unknown size shows records and rate", () => {
  assert.equal(describeProgress(300, undefined, 2_000), "300 records, 150 a second");
});

test("before anything is read, no time left is shown", () => {
  assert.equal(describeProgress(0, 0, 0), "0 %, 0 records, 0 a second");
});

test("on a terminal, one line is redrawn, never wider than the terminal, and cleared at the end", () => {
  jest.useFakeTimers();
  const written: string[] = [];
  const screen = { isTTY: true, columns: 50, write: (text: string) => written.push(text) };
  const progress = showProgress(
    screen,
    () => 5,
    () => 0.5,
  );
  jest.advanceTimersByTime(300);
  progress.print("line 7: bad");
  progress.stop();
  jest.advanceTimersByTime(300);
  const drawn = written.join("").split("\r\x1b[K");
  assert.equal(drawn.length, 6);
  for (const line of drawn.slice(1, 4)) {
    assert.match(line, /^█{10}░{10} 50 %, 5 records/);
    assert.ok(line.length < 50);
  }
  assert.deepEqual(drawn.slice(4), ["line 7: bad\n", ""]);
});

test("elsewhere, a plain line is written every five seconds", () => {
  jest.useFakeTimers();
  const written: string[] = [];
  const screen = { write: (text: string) => written.push(text) };
  const progress = showProgress(
    screen,
    () => 5,
    () => 0.5,
  );
  jest.advanceTimersByTime(10_000);
  progress.print("line 7: bad");
  progress.stop();
  assert.match(written.join(""), /^(50 %, 5 records, .+ left\n){2}line 7: bad\n$/);
});
