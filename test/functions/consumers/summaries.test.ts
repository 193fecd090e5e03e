import assert from "node:assert/strict";
import { before, beforeEach, test } from "node:test";
import { DeleteItemCommand } from "@aws-sdk/client-dynamodb";
import type { DynamoDBRecord } from "aws-lambda";
import { countRecords, handler } from "../../../functions/consumers/summaries.ts";
import { toAttributes } from "../../../functions/data/dynamodb/attributeValue.ts";
import { dynamoDb } from "../../../functions/data/dynamodb/client.ts";
import { type RecordItem, recordItem } from "../../../functions/data/records/recordItem.ts";
import { summaryRepository } from "../../../functions/data/repositories/summaryRepository.ts";
import { countItems, resetSummary } from "../../../functions/data/summaries/summaryWriter.ts";
import { keys } from "../../../functions/data/table/keys.ts";
import { openTable } from "../../../functions/data/table/table.ts";
import { putItemBatch } from "../../../functions/data/table/writes.ts";
import { logger } from "../../../functions/log/logger.ts";
import { useLocalTable } from "../../../local/dynamodb/localTable.ts";
import { countedItem } from "../../support/countedItems.ts";
import { type FaultyProxy, startFaultyProxy } from "../../support/faultyProxy.ts";
import { categoryRecord, dateRecord, eventRecord } from "../../support/records.ts";
import { streamRecord } from "../../support/streamRecords.ts";
import { useTestTable } from "../../support/testTable.ts";

// A call that a test holds back is not to be given up.
process.env.DYNAMODB_TIMEOUT_MS = "30000";
let proxy: FaultyProxy;
const summaries = () => summaryRepository(1, openTable());

before(async () => {
  logger.setLogLevel("SILENT");
  proxy = await startFaultyProxy((await useTestTable()).endpoint);
});

beforeEach(async () => {
  const { tableName } = await useTestTable();
  useLocalTable(proxy.url, tableName);
  await put(recordItem(eventRecord(1, 1)), recordItem(dateRecord(1, 1, 2)));
});

/** Puts items, and returns the stream's records of that. */
async function put(...items: RecordItem[]): Promise<DynamoDBRecord[]> {
  for (let start = 0; start < items.length; start += 25)
    await putItemBatch(openTable(), items.slice(start, start + 25));
  return items.map(streamRecord);
}

/** Counts records. @returns the calls that it took, by action. */
async function count(Records: DynamoDBRecord[]): Promise<Record<string, number>> {
  const table = openTable();
  assert.deepEqual(await countRecords({ Records }, table), { batchItemFailures: [] });
  return table.usage.calls;
}

const paid = (id: number, fields = {}) => countedItem.order(1, id, { status: "paid", fee_total: 1, ...fields });
const numbersOf = (records: DynamoDBRecord[]) => records.map(({ dynamodb }) => dynamodb?.SequenceNumber);

test("a batch of one event costs three reads of many items and as few transactions as hold them", async () => {
  const records = await put(...Array.from({ length: 100 }, (_, index) => paid(index + 1)));
  assert.deepEqual(await count(records), { BatchGetItem: 3, TransactWriteItems: 2 });
  assert.equal((await summaries().getEventSummary(1)).orders_count, 100);
});

test("items that all move to other dates and another event are counted there and nowhere else", async () => {
  const ids = Array.from({ length: 100 }, (_, index) => index + 1);
  await count(await put(...ids.map((id) => paid(id, { date_id: 1000 + id }))));
  await count(await put(...ids.map((id) => paid(id, { event_id: 7, date_id: 2000 + id }))));
  await put(recordItem(eventRecord(1, 7)), recordItem(dateRecord(1, 7, 1001)), recordItem(dateRecord(1, 7, 2001)));
  const orders = async (read: "getEventSummary" | "getDateSummary", id: number) =>
    (await summaries()[read](id)).orders_count;
  assert.deepEqual([await orders("getEventSummary", 1), await orders("getEventSummary", 7)], [0, 100]);
  assert.deepEqual([await orders("getDateSummary", 1001), await orders("getDateSummary", 2001)], [0, 1]);
});

test("a batch that is delivered again is known again, and writes nothing", async () => {
  const records = await put(paid(1), countedItem.ticket(1, 1, {}), countedItem.payment(1, 1, {}));
  await count(records);
  const before = await summaries().getEventSummary(1);
  assert.deepEqual(await count(records), { BatchGetItem: 1 });
  assert.deepEqual(await summaries().getEventSummary(1), before);
});

test("of an item's records that come together, in whatever order, none is taken for one that was counted before", async () => {
  const first = await put(paid(1));
  await count(first);
  const second = await put(paid(1, { fee_total: 500 }));
  await count([...second, ...first]);
  assert.equal((await summaries().getEventSummary(1)).fee_total, 500);
  assert.deepEqual(await count([...first, ...second]), { BatchGetItem: 1 });
});

/** Counts records as far as the write, which is held back until it is released. */
async function countUpToWrite(records: DynamoDBRecord[]) {
  const held = Promise.withResolvers<() => void>();
  proxy.faultOf = ({ action }) => {
    if (action !== "TransactWriteItems") return undefined;
    proxy.faultOf = () => undefined;
    return (_outgoing, forward) => held.resolve(forward);
  };
  const counted = count(records);
  return { release: await held.promise, counted };
}

test("a consumer that read before a change and its undoing cannot write what it read, however late it comes", async () => {
  await count(await put(paid(1)));
  const late = await countUpToWrite(await put(paid(1, { fee_total: 500 })));
  await count(await put(paid(1)));
  late.release();
  // It finds that it came late, and reads again.
  assert.deepEqual(await late.counted, { BatchGetItem: 6, TransactWriteItems: 2 });
  assert.equal((await summaries().getEventSummary(1)).fee_total, 1);
  assert.equal((await summaries().getDateSummary(2)).fee_total, 1);
});

test("a consumer that read before a summary was made anew cannot write the difference to what was counted before", async () => {
  await count(await put(paid(1)));
  const late = await countUpToWrite(await put(paid(1, { fee_total: 500 })));
  for (const key of [keys.eventSummary(1, 1), keys.dateSummary(1, 2)]) await resetSummary(openTable(), key);
  late.release();
  await late.counted;
  assert.deepEqual(await countItems(openTable(), [{ key: keys.order(1, 1), sequenceNumbers: [] }]), []);
  assert.equal((await summaries().getEventSummary(1)).fee_total, 500);
  assert.equal((await summaries().getDateSummary(2)).fee_total, 500);
});

test("an item that is not what its key says is the one that is reported, and the others are counted", async () => {
  const bad = { ...paid(2), fee_total: "one" };
  const records = await put(paid(1), bad, paid(3));
  const again = streamRecord(bad);
  const { batchItemFailures } = await handler({ Records: [...records, again] });
  assert.deepEqual(batchItemFailures, [{ itemIdentifier: numbersOf(records)[1] }]);
  assert.equal((await summaries().getEventSummary(1)).orders_count, 2);
});

test("where the table does not take what was counted, it is reported, to be delivered again", async () => {
  const records = await put(paid(1), paid(2));
  proxy.faultOf = ({ action }) =>
    action === "TransactWriteItems"
      ? (outgoing) => outgoing.writeHead(400).end('{"__type":"ProvisionedThroughputExceededException"}')
      : undefined;
  const { batchItemFailures } = await handler({ Records: records });
  proxy.faultOf = () => undefined;
  assert.deepEqual(
    batchItemFailures.map(({ itemIdentifier }) => itemIdentifier),
    numbersOf(records),
  );
  await count(records);
  assert.equal((await summaries().getEventSummary(1)).orders_count, 2);
});

test("where the table cannot be read, the batch fails whole", async () => {
  const records = await put(paid(1));
  proxy.faultOf = () => (outgoing) => outgoing.writeHead(400).end('{"__type":"ThrottlingException"}');
  await assert.rejects(handler({ Records: records }), { code: "service_unavailable" });
  proxy.faultOf = () => undefined;
});

test("what does not count, and what the consumer writes itself, is left alone", async () => {
  const [{ dynamodb } = {}] = await put(paid(1));
  const contribution = { PK: dynamodb?.Keys?.PK?.S ?? "", SK: "CONTRIBUTION" };
  const summary = { PK: "ORG#1#EVENTSUMMARY#1", SK: "EVENTSUMMARY" };
  assert.deepEqual(await count([contribution, summary, recordItem(eventRecord(1, 1))].map(streamRecord)), {});
});

test("an item that is gone does not count any more", async () => {
  await count(await put(paid(1), paid(2)));
  const { PK, SK } = paid(1);
  await dynamoDb().send(new DeleteItemCommand({ TableName: openTable().name(), Key: toAttributes({ PK, SK }) }));
  await count([streamRecord({ PK, SK })]);
  assert.equal((await summaries().getEventSummary(1)).orders_count, 1);
});

test("people are those whom the tickets' categories admit, one where a category is not known", async () => {
  const ticket = (id: number, ticket_category_id: number) => countedItem.ticket(1, id, { ticket_category_id });
  await count(await put(ticket(1, 4), ticket(2, 4), ticket(3, 5)));
  const people = async () => [
    (await summaries().getEventSummary(1)).people,
    ...(await summaries().getDateSummary(2)).ticket_categories.map((category) => category.people),
  ];
  assert.deepEqual(await people(), [3, 2, 1]);
  await count(await put(recordItem(categoryRecord(1, 1, 4, { people: 4 }))));
  assert.deepEqual(await people(), [9, 8, 1]);
  await count(await put(recordItem(categoryRecord(1, 1, 4, { people: 0 }))));
  assert.deepEqual(await people(), [1, 0, 1]);
});

test("an event or date of which nothing was sold has zeros; one that is not the organisation's, none", async () => {
  const { date_generated, ...event } = await summaries().getEventSummary(1);
  assert.equal(date_generated, "2025-09-01T00:00:00Z");
  assert.deepEqual([event.net, event.tickets_sold, event.currency_symbol], [0, 0, "£"]);
  assert.deepEqual(await summaries().getDateSummary(2), { ...event, date_id: 2, date_generated });
  const others = summaryRepository(2, openTable());
  await assert.rejects(others.getEventSummary(1), { code: "not_found", message: "No such event." });
  await assert.rejects(others.getDateSummary(2), { code: "not_found", message: "No such date." });
});

test("a summary tells when its numbers changed last", async () => {
  const since = new Date().toISOString();
  await count(await put(paid(1)));
  const { date_generated } = await summaries().getDateSummary(2);
  assert.ok(date_generated >= since);
  // A change that does not count is none of its.
  await count(await put(paid(1, { admin_note: "Called." })));
  assert.equal((await summaries().getDateSummary(2)).date_generated, date_generated);
});
