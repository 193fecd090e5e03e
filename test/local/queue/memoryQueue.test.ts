import assert from "node:assert/strict";
import { beforeEach, jest, test } from "@jest/globals";
import { MemoryQueue } from "../../../local/queue/memoryQueue.ts";

let deadLetters = new MemoryQueue("dead-letters", { visibilityTimeoutMs: 1_000 });
let queue = deadLetters;
jest.useFakeTimers();
beforeEach(() => {
  deadLetters = new MemoryQueue("dead-letters", { visibilityTimeoutMs: 1_000 });
  queue = new MemoryQueue("queue", { visibilityTimeoutMs: 1_000, redrive: { deadLetters, maximumReceives: 2 } });
});

const bodies = (messages: { body: string }[]) => messages.map(({ body }) => body);

test("a received message is invisible until its visibility timeout ends, and counts how often it was received", () => {
  queue.send("one");
  const [first] = queue.receive(10);
  jest.advanceTimersByTime(999);
  assert.deepEqual(queue.receive(10), []);
  assert.deepEqual(queue.counts(), { visible: 0, received: 1 });
  jest.advanceTimersByTime(1);
  const [again] = queue.receive(10);
  assert.equal(again?.id, first?.id);
  assert.notEqual(again?.receiptHandle, first?.receiptHandle);
  assert.deepEqual([first?.receiveCount, again?.receiveCount], [1, 2]);
  assert.equal(again?.firstReceivedMs, first?.firstReceivedMs);
});

test("a deleted message never comes again, and an expired receipt deletes nothing", () => {
  queue.send("one");
  queue.send("two");
  const [one, two] = queue.receive(10);
  queue.delete(one?.receiptHandle ?? "");
  jest.advanceTimersByTime(1_000);
  const [again] = queue.receive(10);
  queue.delete(two?.receiptHandle ?? "");
  assert.equal(again?.id, two?.id);
  assert.deepEqual(queue.counts(), { visible: 0, received: 1 });
});

test("a message that was received too often without being deleted goes to the dead-letter queue unchanged", () => {
  const { id, sentMs } = queue.send("poison", { colour: "red" });
  for (const _ of [1, 2]) {
    assert.equal(queue.receive(1).length, 1);
    jest.advanceTimersByTime(1_000);
  }
  queue.send("good");
  assert.deepEqual(bodies(queue.receive(10)), ["good"]);
  const [dead] = deadLetters.receive(10);
  assert.deepEqual([dead?.id, dead?.body, dead?.attributes, dead?.sentMs], [id, "poison", { colour: "red" }, sentMs]);
  assert.equal(dead?.deadLetterSourceArn, queue.arn);
});

test("receiving takes messages up to the given number and bytes, and at least one", () => {
  for (const body of ["ää", "bb", "cccccc", "d"]) queue.send(body);
  assert.deepEqual(bodies(queue.receive(10, { maximumBytes: 6 })), ["ää", "bb"]);
  assert.deepEqual(bodies(queue.receive(10, { maximumBytes: 5 })), ["cccccc"]);
  queue.send("e");
  assert.deepEqual(bodies(queue.receive(1)), ["d"]);
});

test("the visibility timeout can be set for one receipt and changed afterwards", () => {
  queue.send("one");
  const [one] = queue.receive(1, { visibilityTimeoutMs: 5_000 });
  jest.advanceTimersByTime(4_999);
  assert.deepEqual(queue.receive(1), []);
  assert.equal(queue.changeVisibility(one?.receiptHandle ?? "", 0), true);
  assert.deepEqual(bodies(queue.receive(1)), ["one"]);
  assert.equal(queue.changeVisibility(one?.receiptHandle ?? "", 0), false);
});

test("waiting for a message ends when one is sent, when one becomes visible, or when the wait is aborted", async () => {
  const { signal } = new AbortController();
  const sent = queue.untilVisible(signal);
  queue.send("one");
  await sent;
  const [one] = queue.receive(1);
  const shown = queue.untilVisible(signal);
  queue.changeVisibility(one?.receiptHandle ?? "", 0);
  await shown;
  queue.purge();
  const stopping = new AbortController();
  const stopped = queue.untilVisible(stopping.signal);
  stopping.abort();
  await stopped;
  assert.deepEqual(queue.counts(), { visible: 0, received: 0 });
});
