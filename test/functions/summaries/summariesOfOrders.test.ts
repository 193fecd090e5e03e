import assert from "node:assert/strict";
import { beforeAll, beforeEach, test } from "@jest/globals";
import { recordItem } from "../../../functions/records/recordItem.ts";
import { handler } from "../../../functions/stream/stream.ts";
import type { Summary } from "../../../functions/summaries/summary.ts";
import { resetSummary } from "../../../functions/summaries/summaryWriter.ts";
import type { Item } from "../../../functions/table/item.ts";
import { keys } from "../../../functions/table/keys.ts";
import { getItem } from "../../../functions/table/reads.ts";
import { openTable } from "../../../functions/table/table.ts";
import { putItem } from "../../../functions/table/writes.ts";
import { useLocalTable } from "../../../local/localService.ts";
import { type FaultyProxy, faults, startFaultyProxy } from "../../support/data/faultyProxy.ts";
import { dateRecord, eventRecord } from "../../support/data/records.ts";
import { countedItem } from "../../support/data/recount.ts";
import { creationRecord, deleteItems, streamRecord } from "../../support/data/table.ts";
import { useTestTable } from "../../support/data/testTable.ts";
import { count, countUpTo, put, summaries } from "./support/counting.ts";

let proxy: FaultyProxy;

beforeAll(async () => {
  proxy = await startFaultyProxy((await useTestTable()).endpoint);
});

beforeEach(async () => {
  const { tableName } = await useTestTable();
  proxy.faultOf = () => undefined;
  useLocalTable(proxy.url, tableName);
  await put(recordItem(eventRecord(1, 1)), recordItem(dateRecord(1, 1, 2)));
});

type Status = "pending" | "paid" | "cancelled" | "expired" | "refunded";
const order = (status: Status, fields = {}, id = 3) =>
  countedItem.order(1, id, { status, discount_total: 0, fee_total: 1, ...fields });
const ticket = (id: number, fields = {}) =>
  countedItem.ticket(1, id, { status: "valid", original_price: 100, checked_in: true, ...fields });
const payment = (id: number, fields = {}) =>
  countedItem.payment(1, id, { status: "confirmed", type: "payment", amount: 70, ...fields });

const numbers = ["orders_count", "tickets_sold", "checked_in_count", "gross", "fee_total", "net"] as const;

/** The event's numbers, after checking that the date's are the same. */
async function sales() {
  const [event, date] = [await summaries().getEventSummary(1), await summaries().getDateSummary(2)];
  const of = (summary: Summary) => numbers.map((name) => summary[name]);
  assert.deepEqual(of(date), of(event));
  return of(event);
}

test("tickets count while their order is paid or refunded, confirmed payments in any state of their order", async () => {
  await count(await put(ticket(1), ticket(2), payment(1)));
  assert.deepEqual(await sales(), [0, 0, 0, 0, 0, 0]);
  for (const status of ["pending", "paid", "cancelled", "refunded", "expired"] as const) {
    await count(await put(order(status)));
    const isSold = status === "paid" || status === "refunded";
    assert.deepEqual(await sales(), isSold ? [1, 2, 2, 200, 1, 70] : [0, 0, 0, 0, 0, 70]);
  }
  await count(await put(order("paid"), ticket(1, { status: "void" })));
  assert.deepEqual(await sales(), [1, 1, 1, 100, 1, 70]);
});

test("without their order, tickets and payments count nothing", async () => {
  await count(await put(order("paid"), ticket(1), payment(1), payment(2, { order_id: null })));
  assert.deepEqual(await sales(), [1, 1, 1, 100, 1, 140]);
  const { PK, SK } = order("paid");
  await deleteItems([{ PK, SK }]);
  await count([streamRecord({ PK, SK })]);
  assert.deepEqual(await sales(), [0, 0, 0, 0, 0, 70]);
  await count(await put(order("paid")));
  assert.deepEqual(await sales(), [1, 1, 1, 100, 1, 140]);
});

test("a ticket that moves to another order counts there alone, at once", async () => {
  await count(await put(order("paid"), order("paid", {}, 4), ticket(1), ticket(2)));
  const calls = await count(await put(ticket(1, { order_id: 4 })));
  assert.equal(calls.TransactWriteItems, 1);
  await count(await put(order("cancelled")));
  assert.deepEqual(await sales(), [1, 1, 1, 100, 1, 0]);
  await count(await put(order("paid"), order("cancelled", {}, 4)));
  assert.deepEqual(await sales(), [1, 1, 1, 100, 1, 0]);
});

test("a payment that leaves its order, and one that joins it, count in the right place", async () => {
  const yen = { currency: "JPY", currency_symbol: "¥" };
  await count(await put(order("pending", yen), payment(1), payment(2, { order_id: null })));
  const net = async () => {
    const { net: own, other_currencies } = await summaries().getEventSummary(1);
    return [own, ...other_currencies.map((other) => [other.currency, other.net])];
  };
  assert.deepEqual(await net(), [70, ["JPY", 70]]);
  await count(await put(payment(1, { order_id: null }), payment(2)));
  assert.deepEqual(await net(), [70, ["JPY", 70]]);
  await count(await put(payment(2, { order_id: null })));
  assert.deepEqual(await net(), [140]);
});

test("a ticket of another date than its order's counts for its own date", async () => {
  await put(recordItem(dateRecord(1, 1, 5)));
  await count(await put(order("paid"), ticket(1), ticket(2, { date_id: 5 })));
  const of = async (id: number) => {
    const { orders_count, tickets_sold } = await summaries().getDateSummary(id);
    return { orders_count, tickets_sold };
  };
  assert.deepEqual(await of(2), { orders_count: 1, tickets_sold: 1 });
  assert.deepEqual(await of(5), { orders_count: 0, tickets_sold: 1 });
});

test("one ticket costs two reads more than its order with it, and a ticket of an order that is not sold no summary", async () => {
  assert.deepEqual(await count(await put(order("paid"), ticket(1))), { BatchGetItem: 3, TransactWriteItems: 1 });
  assert.deepEqual(await count(await put(ticket(2))), { BatchGetItem: 5, TransactWriteItems: 1 });
  const { date_generated } = await summaries().getEventSummary(1);
  await count(await put(order("pending", {}, 4), ticket(4, { order_id: 4 })));
  assert.equal((await summaries().getEventSummary(1)).date_generated, date_generated);
});

test("orders with their tickets are counted without further reads, although they need several transactions", async () => {
  const ids = Array.from({ length: 33 }, (_, index) => index + 1);
  const of = (id: number) => [
    order("paid", {}, id),
    ticket(2 * id, { order_id: id }),
    ticket(2 * id + 1, { order_id: id }),
  ];
  assert.deepEqual(await count(await put(...ids.flatMap(of))), { BatchGetItem: 3, TransactWriteItems: 2 });
  assert.deepEqual(await sales(), [33, 66, 66, 6_600, 33, 0]);
});

test("an order with more tickets than a transaction has room for is counted completely", async () => {
  const ids = Array.from({ length: 150 }, (_, index) => index + 1);
  const records = await put(order("paid"), ...ids.map((id) => ticket(id)));
  const calls = await count(records);
  assert.equal(calls.TransactWriteItems, 2);
  assert.deepEqual(await sales(), [1, 150, 150, 15_000, 1, 0]);
  assert.deepEqual(await count(records), { BatchGetItem: 2 });
});

test("an order with tickets of more dates than a transaction has room for is counted completely, also by a later delivery", async () => {
  const ids = Array.from({ length: 120 }, (_, index) => index + 1);
  await put(...ids.map((id) => recordItem(dateRecord(1, 1, 1000 + id))));
  await count(await put(...ids.map((id) => ticket(id, { date_id: 1000 + id }))));
  const records = await put(order("paid"));
  let transactions = 0;
  const isLater = () => transactions++ > 0;
  proxy.faultOf = ({ action }) =>
    action === "TransactWriteItems" && isLater() ? faults["failing with 500"] : undefined;
  const { batchItemFailures } = await handler({ Records: records }, { getRemainingTimeInMillis: () => 10_100 });
  proxy.faultOf = () => undefined;
  assert.equal(batchItemFailures.length, 1);
  await count(records);
  assert.equal((await summaries().getEventSummary(1)).tickets_sold, 120);
  for (const id of [1001, 1060, 1120]) assert.equal((await summaries().getDateSummary(id)).tickets_sold, 1);
  assert.deepEqual(await count(records), { BatchGetItem: 1 });
});

test("a late count of a ticket cannot write what it read of its order before a change", async () => {
  await count(await put(order("paid")));
  const late = await countUpTo(proxy, await put(ticket(1)));
  await count(await put(order("cancelled")));
  late.release();
  assert.deepEqual(await late.counted, { BatchGetItem: 10, TransactWriteItems: 2 });
  assert.deepEqual(await sales(), [0, 0, 0, 0, 0, 0]);
});

test("a ticket's count is right if its order changes and is counted between any two of its calls", async () => {
  for (const id of [1, 2, 3, 4, 5, 6]) {
    await count(await put(order("pending", {}, id)));
    let calls = 0;
    const isHeld = (action: string) => action !== "Query" && ++calls === id;
    const late = await countUpTo(proxy, await put(ticket(id, { order_id: id })), isHeld);
    await count(await put(order("paid", {}, id)));
    late.release();
    await late.counted;
    assert.deepEqual(await sales(), [id, id, id, 100 * id, id, 0]);
  }
});

test("late counts of two tickets of one order both count", async () => {
  await count(await put(order("paid")));
  const late = await countUpTo(proxy, await put(ticket(1)));
  await count(await put(ticket(2)));
  late.release();
  await late.counted;
  assert.deepEqual(await sales(), [1, 2, 2, 200, 1, 0]);
});

test("a new pending order counts its payment, even while that is counted", async () => {
  const late = await countUpTo(proxy, await put(payment(1)));
  const pending = order("pending");
  await put(pending);
  await count([creationRecord(pending)]);
  late.release();
  await late.counted;
  assert.deepEqual(await sales(), [0, 0, 0, 0, 0, 70]);
});

test("what an earlier version stored counts, even if its texts are not valid any more", async () => {
  const items: Item[] = [
    { ...order("paid"), currency: "euro", date_created: "yesterday", status: "paid" },
    { ...ticket(1), date_created: "1 May" },
    { ...payment(1), method: "", date_created: "" },
    { ...recordItem(eventRecord(1, 1)), currency: "Euro", date_created: "long ago" },
  ];
  for (const item of items) await putItem(openTable(), item);
  await count(items.slice(0, 3).map((item) => streamRecord({ PK: String(item.PK), SK: String(item.SK) })));
  const { orders_count, tickets_sold, other_currencies } = await summaries().getEventSummary(1);
  assert.deepEqual([orders_count, tickets_sold], [1, 1]);
  assert.deepEqual(
    other_currencies.map(({ currency, currency_symbol, gross, net }) => ({ currency, currency_symbol, gross, net })),
    [{ currency: null, currency_symbol: "euro", gross: 100, net: 70 }],
  );
});

test("an order that does not match its key is reported, and its tickets count when it is valid again", async () => {
  const bad = { ...order("paid"), fee_total: "one" };
  await put(bad);
  const records = [streamRecord(bad), ...(await put(ticket(1)))];
  const { batchItemFailures } = await handler({ Records: records });
  assert.deepEqual(batchItemFailures, [{ itemIdentifier: records[0]?.dynamodb?.SequenceNumber }]);
  await count(await put(order("paid", { fee_total: 2 })));
  assert.deepEqual(await sales(), [1, 1, 1, 100, 2, 0]);
});

test("while the contribution of an order is damaged, its tickets are reported as failed, and others count", async () => {
  await putItem(openTable(), { ...keys.contribution(keys.order(1, 3).PK), shares: "none" });
  await put(order("paid", {}, 4));
  const records = await put(ticket(1), ticket(2, { order_id: 4 }));
  const { batchItemFailures } = await handler({ Records: records });
  assert.deepEqual(batchItemFailures, [{ itemIdentifier: records[0]?.dynamodb?.SequenceNumber }]);
  assert.equal((await summaries().getEventSummary(1)).tickets_sold, 1);
});

test("the contribution of an order with tickets of three categories takes at most 1 KB, the unit of writes", async () => {
  for (const key of [keys.eventSummary(1, 1), keys.dateSummary(1, 2)]) await resetSummary(openTable(), key);
  const categories = [150_821, 150_822, 150_823];
  const tickets = categories.map((ticket_category_id, index) => ticket(index + 1, { ticket_category_id }));
  await count(await put(order("paid"), payment(1), ...tickets));
  const stored = await getItem(openTable(), keys.contribution(keys.order(1, 3).PK));
  assert.deepEqual(await sales(), [1, 3, 3, 300, 1, 70]);
  assert.ok(JSON.stringify(stored).length <= 1024);
});
