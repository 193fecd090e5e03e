import assert from "node:assert/strict";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, jest, test } from "@jest/globals";
import { describeDeadLetter } from "../../../cli/deadLetters/describeDeadLetter.ts";
import { handler } from "../../../functions/feed/feed.ts";
import { sendMessage } from "../../../functions/queue.ts";
import { startLocalQueues, useLocalQueues } from "../../../local/queues.ts";
import { type Consumer, startDelivery } from "../../../packages/local-aws/queue/delivery.ts";
import { eventRecord, orderRecord } from "../../support/data/records.ts";
import { dumpTable } from "../../support/data/table.ts";
import { useTestTable } from "../../support/data/testTable.ts";
import { temporaryDirectory } from "../../support/temporaryDirectory.ts";
import { type ProgramOptions, runProgram } from "../support/runProgram.ts";
import { tableOf } from "../support/sequences.ts";
import { untilConsumed } from "../support/untilConsumed.ts";

const good = eventRecord(1, 1);
const poison = { ...orderRecord(2, 7), data: { ...orderRecord(2, 7).data, id: 7, buyer_name: 5, secret: "Zoë" } };
const uuid = "[0-9a-f-]{36}";
const isoTime = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z`;

let queues: Awaited<ReturnType<typeof startLocalQueues>>;
/** The table with the audit. The records have another one. */
let audited = "";

beforeAll(async () => {
  audited = (await useTestTable()).tableName;
  await useTestTable();
  queues = await startLocalQueues();
  useLocalQueues(queues);
});
afterAll(() => queues.stop());
beforeEach(() => {
  jest.spyOn(Date, "now").mockReturnValue(Date.now());
});
afterEach(() => {
  jest.restoreAllMocks();
  queues.feed.purge();
  queues.deadLetters.purge();
});

const run = (commandLine: string[], options: ProgramOptions = {}) => {
  const table = ["--endpoint", String(process.env.AWS_ENDPOINT_URL_DYNAMODB), "--table", audited];
  return runProgram("dead-letters", ["--queue-url", queues.queueUrl, ...table, ...commandLine], options);
};
const actor = ["--actor", "Grace"];
const moveAll = () => run(["--move", ...actor]);

/** Delivers all messages of the feed to a consumer, up to their last try. */
async function consume(consumer: Consumer): Promise<void> {
  jest.restoreAllMocks();
  const delivery = startDelivery(queues.feed, consumer, { retryMs: 1 });
  await untilConsumed(queues.queueUrl);
  await delivery.stop();
}

test("a poison record is listed with its reason, without its content, and the others of its message arrive", async () => {
  await useTestTable();
  const { id } = queues.feed.send(JSON.stringify([good, poison, "text"]));
  await consume(handler);
  assert.deepEqual(await dumpTable(), tableOf([good]));
  const before = queues.deadLetters.counts();
  const { code, stdout, stderr } = await run([]);
  const [first = "", second = "", last, ...others] = stdout.trim().split("\n");
  assert.match(
    first,
    new RegExp(`^${isoTime}  ${uuid} \\(of message ${id}\\)  order 7 of organisation 2: .*Unknown field.* secret`),
  );
  assert.match(second, new RegExp(`^${isoTime}  ${uuid} \\(of message ${id}\\)  no record: .+`));
  assert.equal(last, "2 dead letters. Nothing was changed.");
  assert.doesNotMatch(stdout, /Zoë|buyer@|text/);
  assert.deepEqual([code, stderr, others], [0, "", []]);
  assert.deepEqual(queues.deadLetters.counts(), before);
});

test("a message that SQS gave up on is listed as such, and its sender's attributes are ignored", async () => {
  const { id } = queues.feed.send(JSON.stringify([good, good]), {
    attributes: { reason: "\u009b2J", source_message_id: "forged" },
  });
  await consume(() => Promise.reject(new Error("Out of memory.")));
  const { stdout } = await run([]);
  assert.match(
    stdout,
    new RegExp(`^${isoTime}  ${id}  2 records, first event 1 of organisation 1: The consumer crashed or timed out`),
  );
});

test("after a fix, dead letters arrive", async () => {
  const { tableName } = await useTestTable();
  process.env.TABLE_NAME = "missing";
  await sendMessage(queues.queueUrl, JSON.stringify([good]));
  await consume(handler);
  const { stdout: listed } = await run([]);
  assert.match(listed, /event 1 of organisation 1: Failed 5 times\. .+/);
  process.env.TABLE_NAME = tableName;
  const { code, stdout, stderr } = await moveAll();
  assert.match(stdout, /^SQS moves about 1 dead letters back to http\S+\/feed\.\n$/);
  assert.deepEqual([code, stderr], [0, ""]);
  await consume(handler);
  assert.deepEqual(await dumpTable(), tableOf([good]));
  assert.deepEqual(queues.deadLetters.counts(), { visible: 0, received: 0 });
});

describe("one dead letter of several", () => {
  const directory = temporaryDirectory();
  let ids: string[] = [];
  let withoutRecord = "";
  beforeEach(async () => {
    await useTestTable();
    for (let number = 0; number < 12; number++) queues.feed.send(JSON.stringify(poison));
    queues.feed.send(JSON.stringify([good, "no record\n"]));
    await consume(handler);
    const { stdout } = await run([]);
    ids = stdout.match(new RegExp(`(?<=Z  )${uuid}`, "g")) ?? [];
    [withoutRecord = ""] = stdout.match(new RegExp(`(?<=Z  )${uuid}(?=.*  no record: )`)) ?? [];
    assert.equal(new Set(ids).size, 13);
  });
  const invalid = () => ids.filter((id) => id !== withoutRecord)[4] ?? "";
  const left = () => queues.deadLetters.counts().visible;

  test("is removed alone, after its records were kept in a file that the feed takes", async () => {
    const file = join(directory, "dropped.ndjson");
    for (const id of [invalid(), withoutRecord]) {
      const { code, stdout, stderr } = await run(["--message", id, "--drop-to", file, ...actor]);
      assert.deepEqual([code, stderr], [0, ""]);
      assert.equal(stdout, `1 dead letters removed and saved in ${file}.\n`);
    }
    assert.deepEqual([left(), queues.feed.counts().visible], [11, 0]);
    assert.equal(await readFile(file, "utf8"), `${JSON.stringify(poison)}\nno record\n\n`);
    assert.equal((await stat(file)).mode & 0o777, 0o600);
  });

  test("stays after a dry run, if its file cannot be written, and if another id is given", async () => {
    const shown = await run(["--message", invalid(), "--drop-to", "x", "--dry-run"]);
    assert.match(shown.stdout, new RegExp(`${invalid()} .*\\n1 dead letters\\. Nothing was changed\\.\\n$`));
    const unwritable = await run(["--message", invalid(), "--drop-to", join(directory, "no", "file"), ...actor]);
    assert.equal(unwritable.code, 2);
    assert.match(unwritable.stderr, /^ENOENT: .*\n$/);
    const missing = await run(["--message", "0c1f6d0e", "--drop-to", join(directory, "x"), ...actor]);
    assert.deepEqual([missing.code, missing.stdout], [2, ""]);
    assert.equal(missing.stderr, "The queue has no such dead letter. Nothing was changed.\n");
    assert.deepEqual([left(), queues.feed.counts().visible], [13, 0]);
  });
});

test("a list stops cleanly when its reader leaves (| head -1), and all messages are visible again at once", async () => {
  jest.restoreAllMocks();
  for (let number = 0; number < 30; number++) queues.deadLetters.send(JSON.stringify({ number }));
  const { code, stdout, stderr } = await run([], { closesOutput: true });
  assert.match(stdout, new RegExp(`^${isoTime}  ${uuid}  no record: `));
  assert.deepEqual(
    [code, stderr],
    [130, "Interrupted. The remaining dead letters are visible again. Run it again to continue.\n"],
  );
  assert.deepEqual(queues.deadLetters.counts(), { visible: 30, received: 0 });
});

test("what AWS reports about a failure is listed without the content", () => {
  const described = (body: unknown) => {
    const letter = { MessageId: "1", Attributes: { SentTimestamp: 0 }, MessageAttributes: {} };
    return describeDeadLetter({ ...letter, Body: JSON.stringify(body) }).slice(29);
  };
  const DDBStreamBatchInfo = { batchSize: 3, approximateArrivalOfFirstRecord: "2026-03-01T02:00:00Z", shardId: "x" };
  assert.deepEqual(
    [
      { requestContext: { condition: "RetryAttemptsExhausted" }, DDBStreamBatchInfo },
      { context: { condition: "RetryAttemptsExhausted" }, DDBStreamBatchInfo },
      {
        requestContext: { condition: "RetriesExhausted" },
        requestPayload: { awslogs: { data: "secret" } },
        responsePayload: { errorType: "TypeError", errorMessage: "secret" },
      },
      { source: "aws.s3", detail: { object: { key: "imports/2.ndjson" } } },
      { source: "aws.backup", detail: { state: "FAILED", statusMessage: "Access denied" } },
    ].map(described),
    [
      "3 changes of the table since 2026-03-01T02:00:00Z: RetryAttemptsExhausted",
      "3 changes of the table since 2026-03-01T02:00:00Z: RetryAttemptsExhausted",
      "log lines: RetriesExhausted, TypeError",
      "file imports/2.ndjson: The consumer crashed or timed out on every attempt, so SQS gave up on the message.",
      "backup: FAILED, Access denied",
    ],
  );
});
