import assert from "node:assert/strict";
import { beforeEach, jest, test } from "@jest/globals";
import type { SQSRecord } from "aws-lambda";
import { handler } from "../../../functions/feed/feed.ts";
import { batchSize, maximumTries } from "../../../functions/feed/feedLimits.ts";
import { logger } from "../../../functions/log/logger.ts";
import { maximumMessageBytes } from "../../../functions/queue.ts";
import { recordItem } from "../../../functions/records/recordItem.ts";
import { type Call, faults, refusals, useFaultyProxy } from "../../support/data/faultyProxy.ts";
import { dateRecord, eventRecord } from "../../support/data/records.ts";
import { dumpTable } from "../../support/data/table.ts";
import { useTestQueues } from "../../support/data/testQueues.ts";
import { useTestTable } from "../../support/data/testTable.ts";
import { until } from "../../support/service/until.ts";

const proxy = await useFaultyProxy();
const { feed, deadLetters } = await useTestQueues();
beforeEach(useTestTable);

const text = JSON.stringify;
const enoughTime = { getRemainingTimeInMillis: () => 600_000 };
const noTime = { getRemainingTimeInMillis: () => 5_000 };

/** Consumes messages, and lets their time run out once a condition is met. */
async function consumeUntil(isMet: () => Promise<boolean>, event: Parameters<typeof handler>[0]) {
  const time = new AbortController();
  jest.spyOn(AbortSignal, "timeout").mockReturnValueOnce(time.signal);
  const consumed = handler(event, enoughTime);
  await until(isMet, 20);
  time.abort();
  return (await consumed).batchItemFailures;
}

function message(body: string, messageId = "m", tries = 1): SQSRecord {
  const attributes = { ApproximateReceiveCount: String(tries), SentTimestamp: "1795430000000" };
  return { messageId, body, attributes } as SQSRecord;
}

/** The messages that the consumer has sent to the feed again. */
function sentAgain() {
  return feed.receive(Infinity).map(({ body, attributes, groupId }) => {
    const records: { organisation_id: number; data: { id: number } }[] = [JSON.parse(body)].flat();
    return { ids: records.map(({ data }) => data.id), attributes, groupId, body };
  });
}

async function consume(...messages: SQSRecord[]) {
  const { batchItemFailures } = await handler({ Records: messages }, enoughTime);
  return batchItemFailures.map(({ itemIdentifier }) => itemIdentifier);
}

function givenUp() {
  return deadLetters.receive(Infinity).map(({ body, attributes: { reason, source_message_id } }) => {
    return { body, reason, source_message_id };
  });
}

const storedIds = async () => (await dumpTable()).map(({ id }) => id);
const areStored = (items: number) => async () => (await storedIds()).length >= items;

test("a single record and an array of records are stored as by the import", async () => {
  const records = [eventRecord(1, 1), dateRecord(1, 1, 2), { ...eventRecord(2, 3), version: 4 }];
  const [one, ...more] = records;
  assert.deepEqual(await consume(message(text(one)), message(text(more))), []);
  const expected = records.map((record) => JSON.parse(text(recordItem(record))));
  assert.deepEqual(
    await dumpTable(),
    expected.toSorted((a, b) => (a.PK < b.PK ? -1 : 1)),
  );
  assert.deepEqual(givenUp(), []);
});

test("an invalid record goes to the dead-letter queue alone, with the reason", async () => {
  const poison = { ...eventRecord(1, 2), organisation_id: 9 };
  const failed = await consume(message(text([eventRecord(1, 1), poison, "x", eventRecord(1, 3)]), "mixed"));
  assert.deepEqual(failed, []);
  assert.deepEqual(await storedIds(), [1, 3]);
  assert.deepEqual(givenUp(), [
    {
      body: text(poison),
      reason: "data.organisation_id: Must equal the record's organisation_id.",
      source_message_id: "mixed",
    },
    { body: '"x"', reason: "Invalid input: expected object, received string", source_message_id: "mixed" },
  ]);
});

test("records of which parsing would lose something go to the dead-letter queue as they were sent", async () => {
  const records = [1, 2, 3, 4].map((id) => text(eventRecord(1, id)));
  const twice = records[1]?.replace('"name":', '"name":"first","name":');
  const zero = records[2]?.replace('"name":"', '"name":"\\u0000');
  const body = `\ufeff[${[records[0], twice, zero, records[3]].join()}]`;
  assert.deepEqual(await consume(message(body, "lossy")), []);
  assert.deepEqual(await storedIds(), [1, 4]);
  const reason = "2 of its 4 records are invalid. The first: data.name: May be given only once.";
  assert.deepEqual(givenUp(), [{ body, reason, source_message_id: "lossy" }]);
  assert.deepEqual(await consume(message(twice ?? "", "alone")), []);
  assert.deepEqual(givenUp(), [
    { body: twice, reason: "data.name: May be given only once.", source_message_id: "alone" },
  ]);
});

test("a message with more than a hundred invalid records goes to the dead-letter queue whole", async () => {
  const body = text([eventRecord(1, 1), ...Array.from({ length: 20_000 }, () => 0)]);
  assert.deepEqual(await consume(message(body, "many")), []);
  assert.deepEqual(await storedIds(), [1]);
  const reason = "20000 of its 20001 records are invalid. The first: Invalid input: expected object, received number";
  assert.deepEqual(givenUp(), [{ body, reason, source_message_id: "many" }]);
});

/** Messages that are not records. */
const nonsense: Record<string, string> = {
  "an empty array": "[]",
  "not JSON": "{",
  "only a space": " ",
  null: "null",
  "a number that is too large": "1e999",
  "an array in an array": text([[eventRecord(1, 1)]]),
  "two lines of NDJSON": `${text(eventRecord(1, 1))}\n${text(eventRecord(1, 2))}`,
  "faults in 100,000 nested brackets": `${"[".repeat(100_000)}${'"\\u0000",'.repeat(80_000)}1${"]".repeat(100_000)}`,
  "400,000 nested brackets": "[".repeat(400_000) + "]".repeat(400_000),
  "a record with as many unknown fields as fit": text({
    ...eventRecord(1, 1),
    ...Object.fromEntries(Array.from({ length: 60_000 }, (_, index) => [`field${index}`, 1])),
  }),
};

for (const [name, body] of Object.entries(nonsense)) {
  test(`a message that is ${name} goes to the dead-letter queue whole, with a short reason`, async () => {
    assert.deepEqual(await consume(message(body)), []);
    assert.deepEqual(await dumpTable(), []);
    const [dead, ...others] = givenUp();
    assert.equal(others.length, 0);
    assert.ok(dead?.reason && dead.reason.length < 500, dead?.reason);
    assert.ok(dead.body === body || text([JSON.parse(dead.body)]) === body);
  });
}

test("a message of 1 MiB of records is stored", async () => {
  const records = Array.from({ length: 200 }, (_, index) =>
    eventRecord(1, index + 1, { description: "d".repeat(4_870) }),
  );
  const body = text(records);
  assert.ok(body.length > 0.9 * maximumMessageBytes && body.length <= maximumMessageBytes, String(body.length));
  assert.deepEqual(await consume(message(body)), []);
  assert.equal((await dumpTable()).length, records.length);
});

test("a message that the table refuses is redelivered, and the others of its batch are stored", async () => {
  const isRefused = ({ action, input }: Call) => action === "PutItem" && input.includes("ORG#2#");
  proxy.faultOf = (call) => (isRefused(call) ? faults["failing with 500"] : undefined);
  const messages = [1, 2, 3].map((organisation) => message(text(eventRecord(organisation, 1)), `of ${organisation}`));
  assert.deepEqual(await consumeUntil(areStored(2), { Records: messages }), [{ itemIdentifier: "of 2" }]);
  assert.deepEqual(
    (await dumpTable()).map(({ PK }) => PK),
    ["ORG#1#EVENT#1", "ORG#3#EVENT#1"],
  );
  assert.deepEqual(givenUp(), []);
});

test("a message that was stored in part continues with the rest, and repeats no write", async () => {
  const records = [1, 2, 3, 4, 5].map((id) => ({ ...eventRecord(1 + (id % 2), id), version: 1 }));
  const isSlow = ({ action, input }: Call) => action === "PutItem" && /#EVENT#[35]"/.test(input);
  proxy.faultOf = (call) => (isSlow(call) ? faults["failing with 500"] : undefined);
  assert.deepEqual(await consumeUntil(areStored(3), { Records: [message(text([...records, "poison"]), "part")] }), []);
  assert.deepEqual(await storedIds(), [2, 4, 1]);
  const [rest, ...others] = sentAgain();
  assert.deepEqual(others, []);
  assert.deepEqual([rest?.ids, rest?.groupId, rest?.attributes], [[3, 5], "2", { first_sent: "1795430000000" }]);
  assert.deepEqual(
    givenUp().map(({ body }) => body),
    ['"poison"'],
  );

  proxy.faultOf = () => undefined;
  const callsBefore = proxy.calls.length;
  const messageAttributes = { first_sent: { stringValue: "1795430000000", dataType: "String" as const } };
  assert.deepEqual(await consume({ ...message(rest?.body ?? "", "rest"), messageAttributes }), []);
  assert.deepEqual((await storedIds()).toSorted(), [1, 2, 3, 4, 5]);
  assert.equal(proxy.calls.slice(callsBefore).filter(({ action }) => action === "PutItem").length, 2);
  assert.deepEqual([sentAgain(), givenUp()], [[], []]);
});

test("records that are not begun when the time runs out continue in one message", async () => {
  proxy.faultOf = ({ action }) => (action === "PutItem" ? (_, forward) => setTimeout(forward, 600) : undefined);
  const records = Array.from({ length: 80 }, (_, index) => eventRecord(1, index + 1));
  assert.deepEqual(await consumeUntil(areStored(1), { Records: [message(text(records))] }), []);
  const [rest, ...others] = sentAgain();
  assert.deepEqual(others, []);
  assert.equal((await storedIds()).length + (rest?.ids.length ?? 0), 80);
});

test("a record that an earlier delivery of its message may have stored late gets a new change time", async () => {
  const body = text({ ...eventRecord(1, 1), version: 1 });
  await consume(message(body));
  const callsBefore = proxy.calls.length;
  const messageAttributes = { first_sent: { stringValue: "1795430000000", dataType: "String" as const } };
  await consume({ ...message(body, "rest"), messageAttributes });
  await consume(message(body, "again", 2));
  await consume(message(body, "first"));
  assert.deepEqual(
    proxy.calls.slice(callsBefore).map(({ action }) => action),
    ["PutItem", "UpdateItem", "PutItem", "UpdateItem", "BatchGetItem"],
  );
});

test("records that fail by themselves continue alone, and become dead letters alone after their last try", async () => {
  const isInvalid = ({ action, input }: Call) => action === "PutItem" && /#EVENT#[23]"/.test(input);
  proxy.faultOf = (call) => (isInvalid(call) ? refusals.invalid : undefined);
  const records = [1, 2, 3].map((id) => eventRecord(1, id));
  assert.deepEqual(await consume(message(text(records), "mixed")), []);
  const alone = sentAgain();
  assert.deepEqual(
    alone.map(({ ids }) => ids),
    [[2], [3]],
  );
  const [body = ""] = alone.map((one) => one.body);
  assert.deepEqual(await consume(message(body, "early", maximumTries - 1)), ["early"]);
  assert.deepEqual(givenUp(), []);
  assert.deepEqual(await consume(message(body, "last", maximumTries)), []);
  const [dead, ...others] = givenUp();
  assert.deepEqual([dead?.body, dead?.source_message_id, others], [body, "last", []]);
  assert.match(String(dead?.reason), /^Failed 5 times\. ValidationException/);
});

test("a message whose records all fail is not split, and becomes a dead letter whole after its last try", async () => {
  proxy.faultOf = () => refusals.invalid;
  const body = text([eventRecord(1, 1), eventRecord(1, 2), "poison"]);
  assert.deepEqual(await consume(message(body, "early"), message(body, "last", maximumTries)), ["early"]);
  assert.deepEqual(
    givenUp().map((dead) => [dead.body, dead.source_message_id]),
    [[body, "last"]],
  );
  assert.deepEqual(sentAgain(), []);
});

test("a message that an outage delays beyond its last try is sent again and not given up, with its age", async () => {
  proxy.faultOf = () => faults["failing with 500"];
  const body = text([eventRecord(1, 1), eventRecord(2, 2)]);
  const event = { Records: [message(body, "last", maximumTries), message(body, "not last", maximumTries - 1)] };
  const areRefused = async () => proxy.calls.length >= 4;
  assert.deepEqual(await consumeUntil(areRefused, event), [{ itemIdentifier: "not last" }]);
  assert.deepEqual(
    sentAgain().map(({ ids, attributes }) => [ids, attributes.first_sent]),
    [
      [[1], "1795430000000"],
      [[2], "1795430000000"],
    ],
  );
  assert.deepEqual(givenUp(), []);
});

test("the log counts the records by their outcome", async () => {
  const info = jest.spyOn(logger, "info");
  await consume(message(text({ ...eventRecord(1, 1), version: 2 })));
  const again = { ...eventRecord(1, 1), version: 2 };
  await consume(message(text([{ ...again, version: 1 }, again, eventRecord(1, 2), "poison", "x"])));
  const [, counts] = info.mock.lastCall ?? [];
  const expected = { new: 1, changed: 0, unchanged: 1, older: 1, rejected: 2, failed: 0, messages: 1 };
  assert.deepEqual({ ...Object(counts), ...expected }, counts);
});

test("a message whose rest cannot be sent is redelivered", async () => {
  process.env.FEED_QUEUE_URL = "http://127.0.0.1:1/000000000000/none";
  proxy.faultOf = ({ input }) => (/#EVENT#2"/.test(input) ? refusals.invalid : undefined);
  assert.deepEqual(await consume(message(text([eventRecord(1, 1), eventRecord(1, 2)]), "kept")), ["kept"]);
});

test("a message that cannot be sent to the dead-letter queue is redelivered", async () => {
  process.env.DEAD_LETTER_QUEUE_URL = "http://127.0.0.1:1/000000000000/none";
  const failed = await consume(message("poison", "kept"), message("poison", "last", maximumTries));
  // Both fail at the same time, in any order.
  assert.deepEqual(failed.toSorted(), ["kept", "last"]);
});

test("a function without time left stores nothing and reports all messages as failed", async () => {
  const messages = Array.from({ length: batchSize }, (_, index) =>
    message(text(eventRecord(1, index + 1)), String(index)),
  );
  const { batchItemFailures } = await handler({ Records: messages }, noTime);
  assert.equal(batchItemFailures.length, batchSize);
  assert.deepEqual(await dumpTable(), []);
});

test("a record's fields reach keys only as numbers or instants", async () => {
  const hostile = [
    { ...eventRecord(1, 1), PK: "KEYHASH#0" },
    eventRecord(1, "1#APIKEYS" as unknown as number),
    { ...eventRecord(1, 1), organisation_id: "1#EVENT#1" },
    eventRecord(1, 1, { PK: "KEYHASH#0", SK: "KEYHASH" } as object),
    eventRecord(1, 1, { date_created: "2025-01-01T00:00:00Z#ORG#2" }),
    eventRecord(1, 1, { expires_at: 1 } as object),
    { type: "api_key", organisation_id: 1, id: 1, deleted: true, version: 1 },
    { type: "event", organisation_id: 1, id: "1#APIKEYS", deleted: true, version: 1 },
    { type: "constructor", organisation_id: 1, id: 1, deleted: true, version: 1 },
    { type: "event", organisation_id: 1, id: 1, deleted: true, version: 1, data: {} },
    { type: "event", organisation_id: 1, id: 1, deleted: true },
    { ...eventRecord(1, 1), deleted: false },
    { ...eventRecord(1, 1), version: 1.5 },
    { ...eventRecord(1, 1), version: "2" },
  ];
  const prototype = text(eventRecord(1, 1)).replace("{", '{"__proto__":{"type":"order"},');
  assert.deepEqual(await consume(message(`[${[...hostile.map((record) => text(record)), prototype].join(",")}]`)), []);
  assert.deepEqual(await dumpTable(), []);
  assert.equal(givenUp().length, hostile.length + 1);
});
