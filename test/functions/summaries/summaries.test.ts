import assert from "node:assert/strict";
import { beforeAll, beforeEach, test } from "@jest/globals";
import type { DynamoDBRecord } from "aws-lambda";
import { recordItem } from "../../../functions/records/recordItem.ts";
import { handler } from "../../../functions/stream/stream.ts";
import { summaryRepository } from "../../../functions/summaries/summaryRepository.ts";
import { countItems, resetSummary } from "../../../functions/summaries/summaryWriter.ts";
import { keys } from "../../../functions/table/keys.ts";
import { openTable } from "../../../functions/table/table.ts";
import { useLocalTable } from "../../../local/localService.ts";
import { conflict, type FaultyProxy, faults, startFaultyProxy } from "../../support/data/faultyProxy.ts";
import { categoryRecord, dateRecord, eventRecord } from "../../support/data/records.ts";
import { countedItem } from "../../support/data/recount.ts";
import { creationRecord, deleteItems, streamRecord } from "../../support/data/table.ts";
import { useTestTable } from "../../support/data/testTable.ts";
import { count, countUpTo, paid, put, summaries } from "./support/counting.ts";

let proxy: FaultyProxy;

beforeAll(async () => {
  proxy = await startFaultyProxy((await useTestTable()).endpoint);
});

beforeEach(async () => {
  const { tableName } = await useTestTable();
  useLocalTable(proxy.url, tableName);
  await put(recordItem(eventRecord(1, 1)), recordItem(dateRecord(1, 1, 2)));
});

/** A tenth of a second to count. */
const littleTime = { getRemainingTimeInMillis: () => 10_100 };

const numbersOf = (records: DynamoDBRecord[]) => records.map(({ dynamodb }) => dynamodb?.SequenceNumber);

test("a batch of one event costs three batch reads and the fewest possible transactions", async () => {
  const records = await put(...Array.from({ length: 100 }, (_, index) => paid(index + 1)));
  assert.deepEqual(await count(records), { BatchGetItem: 3, TransactWriteItems: 2 });
  assert.equal((await summaries().getEventSummary(1)).orders_count, 100);
});

test("items that move to other dates and another event are counted only there", async () => {
  const ids = Array.from({ length: 40 }, (_, index) => index + 1);
  await count(await put(...ids.map((id) => paid(id, { date_id: 1000 + id }))));
  await count(await put(...ids.map((id) => paid(id, { event_id: 7, date_id: 2000 + id }))));
  await put(recordItem(eventRecord(1, 7)), recordItem(dateRecord(1, 7, 1001)), recordItem(dateRecord(1, 7, 2001)));
  const orders = async (read: "getEventSummary" | "getDateSummary", id: number) =>
    (await summaries()[read](id)).orders_count;
  assert.deepEqual([await orders("getEventSummary", 1), await orders("getEventSummary", 7)], [0, ids.length]);
  assert.deepEqual([await orders("getDateSummary", 1001), await orders("getDateSummary", 2001)], [0, 1]);
});

test("a repeated batch is recognised and writes nothing", async () => {
  const records = await put(paid(3), countedItem.ticket(1, 1, {}), countedItem.payment(1, 1, {}));
  await count(records);
  const before = await summaries().getEventSummary(1);
  assert.deepEqual(await count(records), { BatchGetItem: 1 });
  assert.deepEqual(await summaries().getEventSummary(1), before);
});

test("new and old records of one item in one batch, in any order, are counted correctly, and a repeat is recognised", async () => {
  const first = await put(paid(1));
  await count(first);
  const second = await put(paid(1, { fee_total: 500 }));
  await count([...second, ...first]);
  assert.equal((await summaries().getEventSummary(1)).fee_total, 500);
  assert.deepEqual(await count([...first, ...second]), { BatchGetItem: 1 });
});

test("a late consumer cannot write what it read before a change and its reversal", async () => {
  await count(await put(paid(1)));
  const late = await countUpTo(proxy, await put(paid(1, { fee_total: 500 })));
  await count(await put(paid(1)));
  late.release();
  // It detects that its read is out of date, and reads again.
  assert.deepEqual(await late.counted, { BatchGetItem: 6, TransactWriteItems: 2 });
  assert.equal((await summaries().getEventSummary(1)).fee_total, 1);
  assert.equal((await summaries().getDateSummary(2)).fee_total, 1);
});

test("a late consumer cannot write a difference that it computed before a summary was reset", async () => {
  await count(await put(paid(1)));
  const late = await countUpTo(proxy, await put(paid(1, { fee_total: 500 })));
  for (const key of [keys.eventSummary(1, 1), keys.dateSummary(1, 2)]) await resetSummary(openTable(), key);
  late.release();
  await late.counted;
  assert.deepEqual(await countItems(openTable(), [{ key: keys.order(1, 1), sequenceNumbers: [] }]), []);
  assert.equal((await summaries().getEventSummary(1)).fee_total, 500);
  assert.equal((await summaries().getDateSummary(2)).fee_total, 500);
});

test("an item that does not match its key is reported as failed, and the others are counted", async () => {
  const bad = { ...paid(2), fee_total: "one" };
  const records = await put(paid(1), bad, paid(3));
  const again = streamRecord(bad);
  const { batchItemFailures } = await handler({ Records: [...records, again] });
  assert.deepEqual(batchItemFailures, [{ itemIdentifier: numbersOf(records)[1] }]);
  assert.equal((await summaries().getEventSummary(1)).orders_count, 2);
});

test("records that the table refuses are reported as failed, so that they are delivered again", async () => {
  const records = await put(paid(1), paid(2));
  proxy.faultOf = ({ action }) =>
    action === "TransactWriteItems"
      ? (outgoing) => outgoing.writeHead(400).end('{"__type":"ProvisionedThroughputExceededException"}')
      : undefined;
  const { batchItemFailures } = await handler({ Records: records }, littleTime);
  proxy.faultOf = () => undefined;
  assert.deepEqual(
    batchItemFailures.map(({ itemIdentifier }) => itemIdentifier),
    numbersOf(records),
  );
  await count(records);
  assert.equal((await summaries().getEventSummary(1)).orders_count, 2);
});

test("if the table cannot be read until the time runs out, the whole batch fails", async () => {
  const records = await put(paid(1));
  proxy.faultOf = () => faults["failing with 500"];
  const { batchItemFailures } = await handler({ Records: records }, littleTime);
  proxy.faultOf = () => undefined;
  assert.deepEqual(
    batchItemFailures.map(({ itemIdentifier }) => itemIdentifier),
    numbersOf(records),
  );
});

test("a short failure of the table is retried in the batch", async () => {
  const records = await put(paid(1));
  let refusals = 4;
  proxy.faultOf = () => (refusals-- > 0 ? faults["failing with 500"] : undefined);
  assert.deepEqual(await handler({ Records: records }), { batchItemFailures: [] });
});

test("a transaction that conflicts with another consumer's is counted from what is stored then", async () => {
  const records = await put(paid(1));
  let conflicts = 0;
  proxy.faultOf = ({ action }) => (action === "TransactWriteItems" && conflicts++ < 2 ? conflict : undefined);
  assert.deepEqual(
    await countItems(openTable(), [{ key: keys.order(1, 1), sequenceNumbers: numbersOf(records) as string[] }]),
    [],
  );
  proxy.faultOf = () => undefined;
  assert.equal(conflicts, 3);
  assert.equal((await summaries().getEventSummary(1)).orders_count, 1);
});

test("items that do not count, and the consumer's own items, are ignored", async () => {
  const [{ dynamodb } = {}] = await put(paid(1));
  const contribution = { PK: dynamodb?.Keys?.PK?.S ?? "", SK: "CONTRIBUTION" };
  const summary = { PK: "ORG#1#EVENTSUMMARY#1", SK: "EVENTSUMMARY" };
  assert.deepEqual(await count([contribution, summary, recordItem(eventRecord(1, 1))].map(streamRecord)), {});
});

test("a new item that counts nothing costs no call, and counts as soon as a change makes it count", async () => {
  const category = (people: number) => recordItem(categoryRecord(1, 1, 4, { people }));
  const ticket = (status: "valid" | "void") => countedItem.ticket(1, 1, { ticket_category_id: 4, status });
  await put(category(1), ticket("void"));
  assert.deepEqual(await count([category(1), ticket("void")].map(creationRecord)), {});
  await count(await put(category(3), paid(3), ticket("valid")));
  const { orders_count, people } = await summaries().getEventSummary(1);
  assert.deepEqual({ orders_count, people }, { orders_count: 1, people: 3 });
});

test("a new item that counts, or was changed in the same batch, is counted", async () => {
  const created = [paid(1), paid(2, { status: "pending" })].map(creationRecord);
  const changed = await put(paid(1), paid(2));
  await count([...created, ...changed.slice(1)]);
  assert.equal((await summaries().getEventSummary(1)).orders_count, 2);
});

test("a new item that does not match its key is reported as failed", async () => {
  const bad = { ...paid(1), fee_total: "one" };
  await put(bad);
  const record = creationRecord(bad);
  const { batchItemFailures } = await handler({ Records: [record] });
  assert.deepEqual(batchItemFailures, [{ itemIdentifier: record.dynamodb?.SequenceNumber }]);
});

test("a deleted item no longer counts", async () => {
  await count(await put(paid(1), paid(2)));
  const { PK, SK } = paid(1);
  await deleteItems([{ PK, SK }]);
  await count([streamRecord({ PK, SK })]);
  assert.equal((await summaries().getEventSummary(1)).orders_count, 1);
});

test("a ticket counts as many people as its category admits, or one if the category is unknown", async () => {
  const ticket = (id: number, ticket_category_id: number) => countedItem.ticket(1, id, { ticket_category_id });
  await count(await put(paid(3), ticket(1, 4), ticket(2, 4), ticket(3, 5)));
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

test("an event or date without sales has zeros, and one of another organisation is not found", async () => {
  const { date_generated, ...event } = await summaries().getEventSummary(1);
  assert.equal(date_generated, "2025-09-01T00:00:00.000Z");
  assert.deepEqual([event.net, event.tickets_sold, event.currency_symbol, event.currency], [0, 0, "£", "USD"]);
  assert.deepEqual(await summaries().getDateSummary(2), { ...event, date_id: 2, date_generated });
  const others = summaryRepository(2, openTable());
  await assert.rejects(others.getEventSummary(1), { code: "not_found", message: "No such event." });
  await assert.rejects(others.getDateSummary(2), { code: "not_found", message: "No such date." });
});

test("a summary has the time at which its numbers last changed", async () => {
  const since = new Date().toISOString();
  await count(await put(paid(1)));
  const { date_generated } = await summaries().getDateSummary(2);
  assert.ok(date_generated >= since);
  // A change that does not count leaves the time unchanged.
  await count(await put(paid(1, { admin_note: "Called." })));
  assert.equal((await summaries().getDateSummary(2)).date_generated, date_generated);
});
