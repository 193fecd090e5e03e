import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, beforeEach, test } from "@jest/globals";
import { handler } from "../../../functions/feed/feed.ts";
import { useLocalCredentials } from "../../../local/localService.ts";
import { startLocalQueues } from "../../../local/queues.ts";
import { startDelivery } from "../../../packages/local-aws/queue/delivery.ts";
import { eventRecord } from "../../support/data/records.ts";
import { dumpTable } from "../../support/data/table.ts";
import { useTestTable } from "../../support/data/testTable.ts";
import { temporaryDirectory } from "../../support/temporaryDirectory.ts";
import { describeService, ndjson, type ProgramOptions, runProgram } from "../support/runProgram.ts";
import { tableOf } from "../support/sequences.ts";
import { untilConsumed } from "../support/untilConsumed.ts";

const records = Array.from({ length: 100 }, (_, index) =>
  eventRecord(1, index + 1, { description: "Doors at seven. ".repeat(500) }),
);
const good = ndjson(records);

const directory = temporaryDirectory();
let queues: Awaited<ReturnType<typeof startLocalQueues>>;

beforeAll(async () => {
  useLocalCredentials();
  queues = await startLocalQueues();
});
afterAll(() => queues.stop());
beforeEach(() => queues.feed.purge());

const runFeed = (commandLine: string[], options: ProgramOptions = {}) =>
  runProgram("feed", commandLine, { cwd: directory, ...options });

/** All records in the queue's messages, by id: messages are sent concurrently. */
const sentRecords = () =>
  queues.feed
    .receive(1_000)
    .flatMap(({ body }) => JSON.parse(body))
    .toSorted((one, other) => one.data.id - other.data.id);

test("records from a file or standard input, plain or gzip, are in the table after consumption", async () => {
  const delivery = startDelivery(queues.feed, handler);
  await writeFile(join(directory, "records"), good);
  for (const [file, stdin] of [["records", ""] as const, ["-", gzipSync(good)] as const]) {
    await useTestTable();
    const { code, stdout, stderr } = await runFeed([file, "--queue-url", queues.queueUrl], { stdin });
    assert.match(stdout, /^100 records sent in 4 messages, 0 bad lines, in \d+\.\d s\.\n$/);
    assert.deepEqual([code, stderr], [0, ""]);
    await untilConsumed(queues.queueUrl);
    assert.deepEqual(await dumpTable(), tableOf(records));
  }
  await delivery.stop();
});

test("without a URL, records go to the running local service's queue", async () => {
  const cwd = join(directory, "service");
  const { queueUrl: feed_queue_url, deadLetterQueueUrl: feed_dead_letter_queue_url } = queues;
  await describeService(cwd, { feed_queue_url, feed_dead_letter_queue_url });
  assert.equal((await runFeed(["-"], { cwd, stdin: good })).code, 0);
  assert.deepEqual(sentRecords(), records);
});

test("bad lines are reported by number, field and reason, the others are sent, and the exit code is 1", async () => {
  // Small enough for the table, but too large for a message because of its spaces.
  const wide = JSON.stringify(eventRecord(1, 9_999)).replace("{", `{${" ".repeat(1024 * 1024)}`);
  const bad = ndjson([{ ...eventRecord(1, 99), data: { id: "99" } }]).trim();
  const stdin = ["{", bad, wide, good].join("\n");
  const { code, stdout, stderr } = await runFeed(["-", "--queue-url", queues.queueUrl], { stdin });
  assert.match(stderr, /^line 1: Not JSON at character 2\.\nline 2: data\.id: [^\n]+\nline 3: Longer than [^\n]+\n$/);
  assert.match(stdout, /^100 records sent in 4 messages, 3 bad lines, in/);
  assert.equal(code, 1);
  assert.deepEqual(sentRecords(), records);
});

test("Ctrl-C stops sending at once with the counts so far, and a second run sends the rest", async () => {
  const consumed: unknown[] = [];
  const killing = new AbortController();
  const delivery = startDelivery(queues.feed, async ({ Records }) => {
    if (consumed.length === 0) killing.abort("SIGINT");
    consumed.push(...Records.flatMap(({ body }) => JSON.parse(body)));
    return { batchItemFailures: [] };
  });
  const commandLine = ["-", "--queue-url", queues.queueUrl];
  const { code, stdout, stderr } = await runFeed(commandLine, {
    stdin: good,
    staysOpen: true,
    killedBy: killing.signal,
  });
  assert.equal(code, 130);
  assert.match(stdout, /^[\d,]+ records sent in \d messages, 0 bad lines, in/);
  assert.equal(stderr, "Interrupted. Run it again to continue.\n");
  assert.ok(consumed.length < records.length);
  assert.equal((await runFeed(commandLine, { stdin: good })).code, 0);
  await delivery.stop();
  const rest = sentRecords();
  const ids = new Set([...consumed, ...rest].map((record) => record.data.id));
  assert.equal(ids.size, records.length);
});
