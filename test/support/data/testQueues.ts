import { afterAll, beforeEach } from "@jest/globals";
import { startLocalQueues, useLocalQueues } from "../../../local/queues.ts";

/** Starts the queues of the tests of a file, and points this process's functions at them. No test begins with a message. */
export async function useTestQueues() {
  const queues = await startLocalQueues();
  afterAll(() => queues.stop());
  beforeEach(() => {
    useLocalQueues(queues);
    for (const queue of [queues.feed, queues.deadLetters, queues.webhooks]) queue.purge();
  });
  return queues;
}
