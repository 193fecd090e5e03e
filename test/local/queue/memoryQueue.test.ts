import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { MemoryQueue } from "../../../local/queue/memoryQueue.ts";

let deadLetters = new MemoryQueue("dead-letters", { visibilityTimeoutMs: 1_000 });
let queue = deadLetters;
mock.timers.enable({ apis: ["Date"] });
beforeEach(() => {
  deadLetters = new MemoryQueue("dead-letters", { visibilityTimeoutMs: 1_000 });
  queue = new MemoryQueue("queue", { visibilityTimeoutMs: 1_000, redrive: { deadLetters, maximumReceives: 2 } });
});

const bodies = (messages: { body: string }[]) => messages.map(({ body }) => body);

test("a received message is nobody else's until its visibility timeout is over, and tells how often it was received", () => {
  queue.send("one");
  const [first] = queue.receive(10);
  mock.timers.tick(999);
  assert.deepEqual(queue.receive(10), []);
  assert.deepEqual(queue.counts(), { visible: 0, received: 1 });
  mock.timers.tick(1);
  const [again] = queue.receive(10);
  assert.equal(again?.id, first?.id);
  assert.notEqual(again?.receiptHandle, first?.receiptHandle);
  assert.deepEqual([first?.receiveCount, again?.receiveCount], [1, 2]);
  assert.equal(again?.firstReceivedMs, first?.firstReceivedMs);
});

test("a deleted message never comes again, and a receipt that is over deletes nothing", () => {
  queue.send("one");
  queue.send("two");
  const [one, two] = queue.receive(10);
  queue.delete(one?.receiptHandle ?? "");
  mock.timers.tick(1_000);
  const [again] = queue.receive(10);
  queue.delete(two?.receiptHandle ?? "");
  assert.equal(again?.id, two?.id);
  assert.deepEqual(queue.counts(), { visible: 0, received: 1 });
});

test("a message that was received too often and not deleted goes to the dead-letter queue as it is", () => {
  const { id, sentMs } = queue.send("poison", { colour: "red" });
  for (const _ of [1, 2]) {
    assert.equal(queue.receive(1).length, 1);
    mock.timers.tick(1_000);
  }
  queue.send("good");
  assert.deepEqual(bodies(queue.receive(10)), ["good"]);
  const [dead] = deadLetters.receive(10);
  assert.deepEqual([dead?.id, dead?.body, dead?.attributes, dead?.sentMs], [id, "poison", { colour: "red" }, sentMs]);
  assert.equal(dead?.deadLetterSourceArn, queue.arn);
});

test("a receipt takes as many messages and bytes as it is allowed to, and always one", () => {
  for (const body of ["ää", "bb", "cccccc", "d"]) queue.send(body);
  assert.deepEqual(bodies(queue.receive(10, { maximumBytes: 6 })), ["ää", "bb"]);
  assert.deepEqual(bodies(queue.receive(10, { maximumBytes: 5 })), ["cccccc"]);
  queue.send("e");
  assert.deepEqual(bodies(queue.receive(1)), ["d"]);
});

test("the visibility timeout can be changed, for one receipt and afterwards", () => {
  queue.send("one");
  const [one] = queue.receive(1, { visibilityTimeoutMs: 5_000 });
  mock.timers.tick(4_999);
  assert.deepEqual(queue.receive(1), []);
  assert.equal(queue.changeVisibility(one?.receiptHandle ?? "", 0), true);
  assert.deepEqual(bodies(queue.receive(1)), ["one"]);
  assert.equal(queue.changeVisibility(one?.receiptHandle ?? "", 0), false);
});

test("whoever waits for a message is told when one is sent, becomes visible, or is waited for no more", async () => {
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
