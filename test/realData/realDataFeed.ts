import assert from "node:assert/strict";
import { randomInt } from "node:crypto";
import { afterAll, test } from "@jest/globals";
import { sendMessage } from "../../functions/ingest/queue.ts";
import { startDynamoDbLocal } from "../../local/dynamodb/startDynamoDbLocal.ts";
import { startDelivery } from "../../local/queue/delivery.ts";
import { startLocalQueues } from "../../local/queue/localQueues.ts";
import { runImport } from "../cli/support/runImport.ts";
import { useTestTable } from "../support/data/testTable.ts";
import { cases } from "../support/jest/cases.ts";
import { dataSetLines, someOf } from "./dataSetLines.ts";
import { killableConsumer } from "./killableConsumer.ts";
import { realDataFile } from "./realDataFile.ts";
import { tableDigest } from "./tableDigest.ts";

/*
 * Every tenth record of the real data set through the feed: REAL_DATA_FILE=… npm run test:feed
 * With THOROUGH=1, all of it: the same guarantees at the volume of a first transfer.
 */

const organisationId = 1842;
/** Makes some 5,000 messages, so that each kill of the consumer hits different ones and none is hit as often as the queue allows. */
const recordsOfMessage = cases(2, 20);
const kills = 20;

const file = realDataFile();
const lines = someOf(await dataSetLines(file));
const dynamoDb = await startDynamoDbLocal();
afterAll(() => dynamoDb.stop());
process.env.TEST_DYNAMODB_ENDPOINT = dynamoDb.endpoint;

/** A record's line with a version; `stale` has an older version and another name. */
const versioned = (line: string, version: number) => line.replace(/^\{/, `{"version":${version},`);
const stale = (line: string) => versioned(line, 1).replace(/"name":("(?:[^"\\]|\\.)*"|null)/, '"name":"Out of date"');

/** The items in a random order. */
function shuffled<Item>(items: Item[]): Item[] {
  const mixed = [...items];
  for (let index = mixed.length - 1; index > 0; index--) {
    const other = randomInt(index + 1);
    [mixed[index], mixed[other]] = [mixed[other] as Item, mixed[index] as Item];
  }
  return mixed;
}

test("the feed, shuffled, with repeated and outdated records and a consumer that is killed 20 times, ends like a plain import", async () => {
  const plain = await useTestTable();
  const current = lines.map((line) => versioned(line, 2));
  const stdin = `${current.join("\n")}\n`;
  const imported = await runImport(["-", "--endpoint", plain.endpoint, "--table", plain.tableName], { stdin });
  assert.equal(imported.code, 0, imported.stderr);
  console.log(`Imported: ${imported.stdout.trim()}`);

  const fed = await useTestTable();
  const tenth = () => shuffled(lines).slice(0, lines.length / 10);
  const sent = shuffled([...current, ...tenth().map((line) => versioned(line, 2)), ...tenth().map(stale)]);
  const startMs = performance.now();
  const hit = await feed(sent);
  const seconds = Math.round((performance.now() - startMs) / 1000);
  console.log(
    `Fed: ${sent.length} records in ${seconds} s; the consumer was killed ${kills} times, ${hit} batches with it.`,
  );

  const expected = await tableDigest(plain.endpoint, plain.tableName, organisationId);
  assert.equal(expected.count, lines.length);
  assert.deepEqual(await tableDigest(fed.endpoint, fed.tableName, organisationId), expected);
});

/** Sends records, runs the consumer and kills it at random moments. @returns the number of killed batches. */
async function feed(records: string[]): Promise<number> {
  const { feed: queue, deadLetters, queueUrl, deadLetterQueueUrl, stop } = await startLocalQueues();
  process.env.DEAD_LETTER_QUEUE_URL = deadLetterQueueUrl;
  const { consumer, kill } = killableConsumer();
  for (let start = 0; start < records.length; start += recordsOfMessage) {
    await sendMessage(queueUrl, `[${records.slice(start, start + recordsOfMessage).join(",")}]`);
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
  while (queue.counts().visible + queue.counts().received > 0) await new Promise((settle) => setTimeout(settle, 50));
  await delivery.stop();
  kill();
  await stop();
  assert.deepEqual(moments, []);
  assert.deepEqual(deadLetters.counts(), { visible: 0, received: 0 });
  return hit.reduce((sum, batches) => sum + batches, 0);
}
