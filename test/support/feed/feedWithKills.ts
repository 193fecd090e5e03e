import assert from "node:assert/strict";
import { randomInt } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { sendMessage } from "../../../functions/queue.ts";
import { startLocalQueues, useLocalQueues } from "../../../local/queues.ts";
import { startDelivery } from "../../../packages/local-aws/queue/delivery.ts";
import { killableConsumer } from "./killableConsumer.ts";

const pollMs = 50;

interface FeedWithKills {
  recordsOfMessage: number;
  kills: number;
}

/**
 * Sends the lines of records through a local feed to this process's table, and kills the consumer at random moments. Ends when every message is
 * stored.
 *
 * @returns the number of killed batches.
 */
export async function feedWithKills(
  lines: readonly string[],
  { recordsOfMessage, kills }: FeedWithKills,
): Promise<number> {
  const queues = await startLocalQueues();
  useLocalQueues(queues);
  const { feed: queue, deadLetters, queueUrl, stop } = queues;
  const { consumer, kill } = killableConsumer();
  for (let start = 0; start < lines.length; start += recordsOfMessage) {
    await sendMessage(queueUrl, `[${lines.slice(start, start + recordsOfMessage).join(",")}]`);
  }
  const total = queue.counts().visible;
  const moments = Array.from({ length: kills }, () => randomInt(total)).sort((one, other) => one - other);
  const hit: number[] = [];
  const delivery = startDelivery(queue, async (event, context) => {
    const answer = consumer(event, context);
    const isTime = moments[0] !== undefined && total - queue.counts().visible >= moments[0];
    if (isTime) {
      moments.shift();
      setTimeout(() => hit.push(kill()), randomInt(1, 30));
    }
    return answer;
  });
  while (queue.counts().visible + queue.counts().received > 0) await wait(pollMs);
  await delivery.stop();
  kill();
  await stop();
  assert.deepEqual(moments, []);
  assert.deepEqual(deadLetters.counts(), { visible: 0, received: 0 });
  return hit.reduce((sum, batches) => sum + batches, 0);
}

/** The items in a random order. */
export function shuffled<Item>(items: readonly Item[]): Item[] {
  const mixed = [...items];
  for (let index = mixed.length - 1; index > 0; index--) {
    const other = randomInt(index + 1);
    [mixed[index], mixed[other]] = [mixed[other] as Item, mixed[index] as Item];
  }
  return mixed;
}
