import assert from "node:assert/strict";
import { beforeEach, describe, test } from "@jest/globals";
import type { DynamoDBRecord } from "aws-lambda";
import fc from "fast-check";
import { type RecordItem, recordItem } from "../../../functions/records/recordItem.ts";
import { handler } from "../../../functions/stream/tableStream.ts";
import { parseCountedItem } from "../../../functions/summaries/countedItem.ts";
import { countAgain } from "../../../functions/summaries/lastCounted.ts";
import { itemKeys } from "../../../functions/table/itemKeys.ts";
import { getItem } from "../../../functions/table/reads.ts";
import { openTable } from "../../../functions/table/table.ts";
import { putItem } from "../../../functions/table/writes.ts";
import { conflict, faults, refusals, useFaultyProxy } from "../../support/data/faultyProxy.ts";
import { dateRecord, eventRecord } from "../../support/data/records.ts";
import { countedItem } from "../../support/data/recount.ts";
import { compareSummaries, parentItems, upsert } from "../../support/data/salesHistory.ts";
import { streamRecord } from "../../support/data/table.ts";
import { useTestTable } from "../../support/data/testTable.ts";
import { count, countUpTo, put, summaries } from "./support/counting.ts";

const proxy = await useFaultyProxy();

beforeEach(async () => {
  await useTestTable();
  await put(recordItem(eventRecord(1, 1)), recordItem(dateRecord(1, 1, 2)));
});

type Status = "pending" | "paid" | "cancelled" | "expired" | "refunded";
const tombstoneOf = ({ PK, SK }: RecordItem): RecordItem => ({
  ...{ PK, SK, record_version: undefined },
  ...{ content_hash: "deleted", deleted: true },
});
const order = (status: Status, fields = {}, id = 3) =>
  countedItem.order(1, id, { status, discount_total: 0, fee_total: 1, ...fields });
const ticket = (id: number, fields = {}) =>
  countedItem.ticket(1, id, { status: "valid", price: 90, original_price: 100, checked_in: true, ...fields });
const payment = (id: number, fields = {}) =>
  countedItem.payment(1, id, { status: "confirmed", type: "payment", amount: 70, ...fields });
const range = (length: number) => Array.from({ length }, (_, index) => index + 1);

const numbers = ["orders_count", "tickets_sold", "checked_in_count", "gross", "fee_total", "net"] as const;

/** The event's numbers, after checking that the date's are the same. */
async function sales() {
  const [event, date] = [await summaries().getEventSummary(1), await summaries().getDateSummary(2)];
  const [ofEvent, ofDate] = [event, date].map((summary) => numbers.map((name) => summary[name]));
  assert.deepEqual(ofDate, ofEvent);
  return ofEvent;
}

/** A tenth of a second to count. */
const littleTime = { getRemainingTimeInMillis: () => 10_100 };

/** Counts records. @returns those that fail. */
async function failuresOf(Records: DynamoDBRecord[]) {
  const { batchItemFailures } = await handler({ Records }, littleTime);
  return batchItemFailures.map(({ itemIdentifier }) =>
    Records.findIndex(({ dynamodb }) => dynamodb?.SequenceNumber === itemIdentifier),
  );
}

test("summaries equal a recount after items changed, moved or were deleted", async () => {
  const [history = []] = fc.sample(fc.array(upsert, { minLength: 150, maxLength: 150 }), { seed: 1, numRuns: 1 });
  const items = new Map<string, RecordItem>();
  const delivered: DynamoDBRecord[] = [];
  for (const item of [...parentItems(1), ...history.map((make) => make(1))]) {
    items.set(item.PK, item);
    delivered.push(...(await put(item)));
    // Newer and older records together, each at least once.
    if (delivered.length % 10 === 0) await count(delivered.slice(-15).reverse());
  }
  await count(delivered.slice(-15));
  const { shown, recounted } = await compareSummaries(1, [...items.values()]);
  assert.deepEqual(shown, recounted);
});

test("tickets count while their order is paid or refunded, confirmed payments in any state of their order", async () => {
  await count(await put(ticket(1), ticket(2), payment(1, { amount: 90 }), payment(2, { type: "refund", amount: 20 })));
  assert.deepEqual(await sales(), [0, 0, 0, 0, 0, 70]);
  for (const status of ["pending", "paid", "cancelled", "refunded", "expired"] as const) {
    await count(await put(order(status)));
    const isSold = status === "paid" || status === "refunded";
    assert.deepEqual(await sales(), isSold ? [1, 2, 2, 200, 1, 70] : [0, 0, 0, 0, 0, 70]);
    assert.equal((await summaries().getEventSummary(1)).refunded_total, 20);
  }
});

test("payments whose order is missing count, in any order of arrival, and however often they arrive", async () => {
  const moved = [payment(1, { amount: 90 }), payment(2, { type: "refund", amount: 20 })];
  const [sold, deleted] = [[order("paid"), ticket(1)], [tombstoneOf(order("paid"))]];
  const arrivals = [moved, sold, deleted, moved, sold, deleted, sold, moved, deleted];
  const delivered: DynamoDBRecord[] = [];
  for (const items of arrivals) {
    delivered.push(...(await put(...items)));
    await count(delivered.toReversed());
    const isKnown = (await getItem(openTable(), order("paid"))) !== undefined;
    assert.deepEqual(await sales(), isKnown ? [1, 1, 1, 100, 1, 70] : [0, 0, 0, 0, 0, 70]);
    assert.equal((await summaries().getEventSummary(1)).refunded_total, 20);
  }
});

test("a deleted category's sold tickets admit as many people as before", async () => {
  const category = countedItem.category(1, 4, { event_id: 1, people: 3 });
  await count(await put(order("paid"), ticket(1), ticket(2, { checked_in: false }), category));
  const people = async () => {
    const { people, people_checked_in, checked_in_count } = await summaries().getDateSummary(2);
    return [people, people_checked_in, checked_in_count];
  };
  assert.deepEqual(await people(), [6, 3, 1]);
  const records = await put(tombstoneOf(category));
  await count(records);
  await count([...records, ...(await put(ticket(3)))]);
  assert.deepEqual(await people(), [9, 6, 2]);
  await count(await put(countedItem.category(1, 4, { event_id: 1, people: 2 })));
  assert.deepEqual(await people(), [6, 4, 2]);
  await count(await put(countedItem.category(1, 4, { event_id: 7, people: 2 })));
  assert.deepEqual(await people(), [3, 2, 2]);
});

test("a repeated delivery changes nothing, and a change that does not count keeps the time of the last one", async () => {
  const since = new Date().toISOString();
  const records = await put(order("paid"), ticket(1), payment(1));
  await count(records);
  const before = await summaries().getEventSummary(1);
  assert.ok(before.date_generated >= since);
  await count(records);
  await count(await put(order("paid", { admin_note: "Called." })));
  assert.deepEqual(await summaries().getEventSummary(1), before);
});

describe("a late consumer cannot write", () => {
  test("what it read before a change and its reversal", async () => {
    await count(await put(order("paid")));
    const late = await countUpTo(proxy, await put(order("paid", { fee_total: 500 })));
    await count(await put(order("paid")));
    late.release();
    await late.counted;
    assert.deepEqual(await sales(), [1, 0, 0, 0, 1, 0]);
  });

  test.each(range(3))("what it read before its call %i, while the ticket changed and was counted", async (call) => {
    await count(await put(order("paid")));
    let calls = 0;
    const late = await countUpTo(proxy, await put(ticket(1)), (action) => action !== "Query" && ++calls === call);
    await count(await put(ticket(1, { status: "void" })));
    late.release();
    await late.counted;
    assert.deepEqual(await sales(), [1, 0, 0, 0, 1, 0]);
  });
});

describe("large orders", () => {
  test("ten thousand tickets fit into the order's item, and usual orders into one write unit", async () => {
    const tickets = range(10_000).map((id) => ticket(1_000_000_000 + id));
    const all = tickets.map((item) => ({ key: item, counted: parseCountedItem(item, item) }));
    const { deltas, put: lastCounted } = countAgain(itemKeys.order(1, 3).PK, undefined, all);
    assert.equal(deltas.size, 0);
    assert.ok(JSON.stringify(lastCounted).length < 200 * 1024);
    const categories = [150_821, 150_822, 150_823];
    const some = categories.map((ticket_category_id, index) => ticket(index + 1, { ticket_category_id }));
    await count(await put(order("paid"), payment(1), ...some));
    const stored = await getItem(openTable(), itemKeys.lastCounted(itemKeys.order(1, 3).PK));
    assert.ok(JSON.stringify(stored).length <= 1024);
  });

  test("an order of twenty thousand tickets that all differ fits into its item", () => {
    const tickets = range(20_000).map((id) => ticket(1_000_000_000 + id, { ticket_category_id: id, price: 3 * id }));
    const all = tickets.map((item) => ({ key: item, counted: parseCountedItem(item, item) }));
    const { put: stored } = countAgain(itemKeys.order(1, 3).PK, undefined, all);
    assert.ok(JSON.stringify(stored).length < 400 * 1024, String(JSON.stringify(stored).length));
  });

  test("an order of many categories is counted completely, and again when it changes, in one delivery each", async () => {
    // More than ten transactions, after which a writer without progress gives up.
    const categories = range(550);
    await count(await put(...categories.map((id) => ticket(id, { ticket_category_id: id }))));
    for (const status of ["paid", "cancelled"] as const) {
      await count(await put(order(status)));
      const { tickets_sold, ticket_categories } = await summaries().getEventSummary(1);
      assert.deepEqual([tickets_sold, ticket_categories.length], status === "paid" ? [550, 550] : [0, 0]);
    }
  });

  test("an order with tickets of more dates than fit into a transaction is counted completely", async () => {
    await put(...range(120).map((id) => recordItem(dateRecord(1, 1, 1000 + id))));
    await count(await put(...range(120).map((id) => ticket(id, { date_id: 1000 + id }))));
    const records = await put(order("paid"));
    let transactions = 0;
    proxy.faultOf = ({ action }) =>
      action === "TransactWriteItems" && transactions++ > 0 ? faults["failing with 500"] : undefined;
    assert.deepEqual(await failuresOf(records), [0]);
    proxy.faultOf = () => undefined;
    await count(records);
    assert.equal((await summaries().getEventSummary(1)).tickets_sold, 120);
    for (const id of [1001, 1060, 1120]) assert.equal((await summaries().getDateSummary(id)).tickets_sold, 1);
  });
});

describe("failures", () => {
  test("an item that does not match its key is reported and counts nothing until it is valid", async () => {
    const records = await put(order("paid"), ticket(1), order("paid", {}, 4));
    await count(records);
    const bad = { ...order("paid"), fee_total: "one", content_hash: "bad" };
    const changed = [...(await put(bad)), ...(await put(order("paid", {}, 5)))];
    assert.deepEqual(await failuresOf(changed), [0]);
    assert.deepEqual(await sales(), [2, 0, 0, 0, 2, 0]);
    await count(await put(order("paid")));
    assert.deepEqual(await sales(), [3, 1, 1, 100, 3, 0]);
  });

  test("what DynamoDB refuses, or a damaged last count, is reported, and other orders count", async () => {
    await putItem(openTable(), { ...itemKeys.lastCounted(itemKeys.order(1, 4).PK), items: "none" });
    const records = await put(order("paid"), order("paid", {}, 4), order("paid", {}, 5));
    proxy.faultOf = ({ action, input }) =>
      action === "TransactWriteItems" && input.includes("#ORDER#5") ? refusals.invalid : undefined;
    assert.deepEqual((await failuresOf(records)).toSorted(), [1, 2]);
    assert.deepEqual(await sales(), [1, 0, 0, 0, 1, 0]);
  });

  test.each(["BatchGetItem", "TransactWriteItems"])(
    "if %s fails for long, all records fail and count later",
    async (failing) => {
      const records = await put(order("paid"), order("paid", {}, 4));
      proxy.faultOf = ({ action }) => (action === failing ? faults["over its throughput"] : undefined);
      assert.deepEqual(await failuresOf(records), [0, 1]);
      proxy.faultOf = () => undefined;
      await count(records);
      assert.deepEqual(await sales(), [2, 0, 0, 0, 2, 0]);
    },
  );

  test("a short failure of the table, and conflicts with other consumers, are retried in the batch", async () => {
    const records = await put(order("paid"));
    const left = { BatchGetItem: 4, TransactWriteItems: 8 };
    proxy.faultOf = ({ action }) => {
      if (action === "BatchGetItem" && left[action]-- > 0) return faults["failing with 500"];
      return action === "TransactWriteItems" && left[action]-- > 0 ? conflict : undefined;
    };
    assert.deepEqual(await handler({ Records: records }), { batchItemFailures: [] });
    assert.deepEqual(await sales(), [1, 0, 0, 0, 1, 0]);
  });
});

test("other items and the consumer's own items are ignored", async () => {
  const own = [itemKeys.lastCounted(order("paid").PK), itemKeys.eventSummary(1, 1), recordItem(eventRecord(1, 1))];
  await count(own.map((item) => streamRecord(item)));
  assert.deepEqual(await sales(), [0, 0, 0, 0, 0, 0]);
});

test("stored texts that a record may not have any more do not keep an item from counting", async () => {
  const item = { ...order("paid"), currency: "euro", date_created: "yesterday" };
  await putItem(openTable(), item);
  await count([streamRecord(item)]);
  const { orders_count, other_currencies } = await summaries().getEventSummary(1);
  assert.deepEqual([orders_count, other_currencies[0]?.currency_symbol], [1, "euro"]);
});
