import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, jest, test } from "@jest/globals";
import { describeDeadLetter } from "../../../cli/deadLetters/deadLetters.ts";
import { readAudit } from "../../../cli/organisation/organisation.ts";
import { handler } from "../../../functions/feed/feed.ts";
import { sendMessage } from "../../../functions/feed/queue.ts";
import { openTable } from "../../../functions/table/table.ts";
import { startLocalQueues, useLocalQueues } from "../../../local/queues.ts";
import { type Consumer, startDelivery } from "../../../packages/local-aws/queue/delivery.ts";
import { eventRecord, orderRecord } from "../../support/data/records.ts";
import { dumpTable } from "../../support/data/table.ts";
import { useTestTable } from "../../support/data/testTable.ts";
import { type ProgramOptions, runProgram } from "../support/runProgram.ts";
import { tableOf } from "../support/sequences.ts";
import { untilConsumed } from "../support/untilConsumed.ts";

const good = eventRecord(1, 1);
const poison = { ...orderRecord(2, 7), data: { ...orderRecord(2, 7).data, id: 7, buyer_name: 5, secret: "Zoë" } };
const uuid = "[0-9a-f-]{36}";
const isoTime = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z`;

let queues: Awaited<ReturnType<typeof startLocalQueues>>;
/** The table with the audit, apart from the one with the records. */
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
const sendAllBack = () => run(["--all", ...actor]);

const auditedTable = () => ({ ...openTable(), name: () => audited });
/** What the audit says, without ids, times and names. */
const audit = async () =>
  (await readAudit(auditedTable(), () => Promise.resolve())).map(({ action, state, queue, message_id, counts }) => [
    action,
    state,
    queue,
    message_id,
    counts?.message,
  ]);

/** Delivers all messages of the feed to a consumer, up to their last try. */
async function consume(consumer: Consumer): Promise<void> {
  jest.restoreAllMocks();
  const delivery = startDelivery(queues.feed, consumer, { retryMs: 1 });
  await untilConsumed(queues.queueUrl);
  await delivery.stop();
}

test("a poison record is listed with its reason but without its content, and the rest of its message arrives", async () => {
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
  const { code, stdout, stderr } = await sendAllBack();
  assert.match(stdout, /^1 dead letters sent back, in \d+\.\d s\.\n$/);
  assert.deepEqual([code, stderr], [0, ""]);
  const [message] = queues.feed.receive(1, { visibilityTimeoutMs: 0 });
  assert.deepEqual(message?.attributes, {});
  await consume(handler);
  assert.deepEqual(await dumpTable(), tableOf([good]));
  assert.deepEqual(queues.deadLetters.counts(), { visible: 0, received: 0 });
});

test("dead letters that fail again during a redrive do not prolong it, and are dead letters again", async () => {
  await useTestTable();
  for (let number = 0; number < 25; number++) queues.feed.send(JSON.stringify(poison));
  await consume(handler);
  const delivery = startDelivery(queues.feed, handler);
  const { code, stdout } = await sendAllBack();
  await untilConsumed(queues.queueUrl);
  await delivery.stop();
  assert.match(stdout, /^25 dead letters sent back, in/);
  assert.equal(code, 0);
  assert.deepEqual(queues.deadLetters.counts(), { visible: 25, received: 0 });
});

describe("one dead letter of several", () => {
  let directory = "";
  let ids: string[] = [];
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), "dead-letters-"));
    await useTestTable();
    for (let number = 0; number < 12; number++) queues.feed.send(JSON.stringify(poison));
    queues.feed.send(JSON.stringify([good, "no record\n"]));
    await consume(handler);
    ids = (await run([])).stdout.match(new RegExp(`(?<=Z  )${uuid}`, "g")) ?? [];
    assert.equal(new Set(ids).size, 13);
  });
  afterEach(() => rm(directory, { recursive: true }));
  const [fifth, last] = [() => ids[4] ?? "", () => ids.at(-1) ?? ""];
  const left = () => queues.deadLetters.counts().visible;

  test("is sent back alone", async () => {
    const { code, stdout, stderr } = await run(["--message", last(), ...actor]);
    assert.deepEqual([code, stderr, left()], [0, "", 12]);
    assert.match(stdout, new RegExp(`^${isoTime}  ${last()} .*\\n1 dead letters sent back, in [\\d.]+ s\\.\\n$`));
    assert.deepEqual((await audit()).slice(-2), [
      ["redrive", "started", "feed", last(), undefined],
      ["redrive", "completed", "feed", last(), 1],
    ]);
    assert.equal(queues.feed.counts().visible, 1);
    await consume(handler);
    assert.equal(left(), 13);
  });

  test("is removed alone, after its records were kept in a file that the feed takes", async () => {
    const file = join(directory, "dropped.ndjson");
    for (const id of [fifth(), last()]) {
      const { code, stdout, stderr } = await run(["--message", id, "--drop-to", file, ...actor]);
      assert.deepEqual([code, stderr], [0, ""]);
      assert.ok(stdout.includes(`\n1 dead letters removed, and kept in ${file}, in `));
      assert.deepEqual((await audit()).at(-1), ["drop", "completed", "feed", id, 1]);
    }
    assert.deepEqual([left(), queues.feed.counts().visible], [11, 0]);
    assert.equal(await readFile(file, "utf8"), `${JSON.stringify(poison)}\nno record\n\n`);
    assert.equal((await stat(file)).mode & 0o777, 0o600);
  });

  test("is only shown by a dry run, and stays if its file cannot be written or it is not there", async () => {
    const shown = await run(["--message", fifth(), "--dry-run"]);
    assert.match(shown.stdout, new RegExp(`${fifth()} .*\\n1 dead letters\\. Nothing was changed\\.\\n$`));
    const unwritable = await run(["--message", fifth(), "--drop-to", join(directory, "no", "file"), ...actor]);
    assert.equal(unwritable.code, 2);
    assert.match(unwritable.stderr, /^Cannot write .*ENOENT.* Nothing was changed\.\n$/);
    const missing = await run(["--message", "0c1f6d0e", ...actor]);
    assert.deepEqual([missing.code, missing.stdout], [2, ""]);
    assert.match(missing.stderr, /^The queue has no dead letter 0c1f6d0e .* Nothing was changed\.\n$/);
    assert.deepEqual([left(), queues.feed.counts().visible], [13, 0]);
  });
});

test("a list whose reader leaves, as with | head -1, shows all again at once, and ends in order", async () => {
  jest.restoreAllMocks();
  for (let number = 0; number < 30; number++) queues.deadLetters.send(JSON.stringify({ number }));
  const { code, stdout, stderr } = await run([], { closesOutput: "after the first" });
  assert.match(stdout, new RegExp(`^${isoTime}  ${uuid}  no record: `));
  assert.deepEqual(
    [code, stderr],
    [130, "Interrupted. What was not sent back or removed is visible again. Run it again to continue.\n"],
  );
  assert.deepEqual(queues.deadLetters.counts(), { visible: 30, received: 0 });
  assert.match((await sendAllBack()).stdout, /^30 dead letters sent back, in/);
});

test("dead letters that another program holds are reported, and not as done", async () => {
  for (let number = 0; number < 3; number++) queues.deadLetters.send(JSON.stringify(good));
  queues.deadLetters.receive(2, { visibilityTimeoutMs: 60_000 });
  const hidden = (number: number) =>
    new RegExp(`\\n${number} dead letters are hidden until ${isoTime} at the latest, because another program .*\\n$`);
  const listed = await run([]);
  assert.match(listed.stdout, hidden(2));
  const sent = await sendAllBack();
  assert.match(sent.stdout, /^1 dead letters sent back, in/);
  assert.match(sent.stdout, hidden(2));
  const none = await sendAllBack();
  assert.match(none.stdout, /^0 dead letters sent back, in/);
  assert.match(none.stdout, hidden(2));
  assert.deepEqual([listed.code, sent.code, none.code], [1, 1, 1]);
  const one = await run(["--message", "0c1f6d0e", ...actor]);
  assert.equal(one.code, 2);
  assert.match(
    one.stderr,
    /^The queue has no dead letter 0c1f6d0e that no other program holds\. 2 dead letters are hidden until .*\n$/,
  );
});

test("all are removed at once, after their content was kept", async () => {
  const directory = await mkdtemp(join(tmpdir(), "dead-letters-"));
  const bodies = Array.from({ length: 12 }, (_, number) => JSON.stringify({ number }));
  for (const body of bodies) queues.deadLetters.send(body);
  const file = join(directory, "dropped.ndjson");
  const { code, stdout } = await run(["--all", "--drop-to", file, ...actor]);
  assert.deepEqual([code, stdout.startsWith(`12 dead letters removed, and kept in ${file}, in `)], [0, true]);
  assert.deepEqual((await readFile(file, "utf8")).trim().split("\n").toSorted(), bodies.toSorted());
  assert.deepEqual(queues.deadLetters.counts(), { visible: 0, received: 0 });
  assert.deepEqual((await audit()).at(-1), ["drop", "completed", "feed", undefined, 12]);
  await rm(directory, { recursive: true });
});

test("what AWS reports about a failure is listed without the content", () => {
  const described = (body: unknown) => {
    const letter = { id: "1", sourceMessageId: "1", sentMs: 0, reason: undefined, remove: async () => undefined };
    return describeDeadLetter({ ...letter, body: JSON.stringify(body) }).slice(29);
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

test("a wrong combination of options changes nothing", async () => {
  queues.deadLetters.send("1");
  for (const [options, problem] of [
    [["--drop-to", "x"], /^--drop-to requires --message ID or --all\. /],
    [["--all", "--message", "x", ...actor], /^Give either --message ID or --all\. /],
    [["--all"], /^--actor is missing\. /],
    [["--message", "x"], /^--actor is missing\. /],
    [["--queue", "payments"], /^--queue must be one of feed, import, summaries, events, usage, backups\. /],
    [["--stage", "production"], /^--stage must be dev, staging or prod\. /],
    [
      ["--stage", "dev", "--all", ...actor],
      /^Queue .+\/feed does not belong to the stage dev\. Nothing was changed\.$/m,
    ],
    [["--queue", "usage", "--all", ...actor], /^The dead letters of usage only report .+ --drop-to FILE\.$/m],
    [["--queue", "usage"], /^The dead letters of usage require --stage NAME, without --queue-url\.$/m],
  ] as const) {
    const { code, stderr } = await run([...options]);
    assert.equal(code, 2);
    assert.match(stderr, problem);
  }
  assert.equal(queues.deadLetters.counts().visible, 1);
});

test("without dead letters it sends nothing, and the audit has nothing", async () => {
  const before = await audit();
  assert.match((await sendAllBack()).stdout, /^0 dead letters sent back, in/);
  assert.equal((await run([])).stdout, "0 dead letters. Nothing was changed.\n");
  assert.deepEqual(await audit(), before);
});

test("it reports in one line why it cannot run, and exits with 2", async () => {
  const failure = async (...commandLine: string[]) => {
    const { code, stdout, stderr } = await runProgram("dead-letters", commandLine, {
      cwd: import.meta.dirname,
    });
    assert.deepEqual([code, stdout], [2, ""]);
    assert.match(stderr, /^[^\n]+\n$/);
    return stderr.trim();
  };
  const ofQueue = (queueUrl: string) => failure("--queue-url", queueUrl, "--table", audited);
  assert.match(await failure(), /^The local service is not running\./);
  assert.match(await failure("--queue-url", queues.queueUrl), /^--queue-url requires --table NAME, for the audit\./);
  assert.equal(await ofQueue("feed"), "--queue-url must be an http or https URL, not feed.");
  assert.match(await ofQueue("http://127.0.0.1:9/0/feed"), /^Cannot use queue .+: ECONNREFUSED: .+\.$/);
  assert.match(await ofQueue(`${queues.queueUrl}s`), /^Cannot use queue .+: QueueDoesNotExist: .+\.$/);
  assert.match(
    await ofQueue(queues.deadLetterQueueUrl),
    /^Queue .+ has no dead-letter queue, so it is neither the feed's nor the import's\.$/,
  );
  assert.match(await failure("--queue", "import"), /^The local service has no queue of imports\./);
  assert.match(await failure("--lists"), /^Unknown option '--lists'\..+dead-letters --help/);
});
