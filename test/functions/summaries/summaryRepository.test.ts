import assert from "node:assert/strict";
import { beforeAll, beforeEach, expect, test } from "@jest/globals";
import { recordItem } from "../../../functions/records/recordItem.ts";
import type { Payment } from "../../../functions/resources/payment.ts";
import { Summary } from "../../../functions/summaries/summary.ts";
import { summaryRepository } from "../../../functions/summaries/summaryRepository.ts";
import { openTable } from "../../../functions/table/table.ts";
import { dateRecord, eventRecord } from "../../support/data/records.ts";
import { countedItem } from "../../support/data/recount.ts";
import { emptyTable } from "../../support/data/table.ts";
import { useTestTable } from "../../support/data/testTable.ts";
import { count, put, summaries } from "./support/counting.ts";

beforeAll(useTestTable);
beforeEach(emptyTable);

interface Currency {
  currency: string | null;
  currency_symbol: string | null;
}
const euro = { currency: "EUR", currency_symbol: "€" };
const yen = { currency: "JPY", currency_symbol: "¥" };
const symbolOnly = { currency: null, currency_symbol: "€" };
const none = { currency: null, currency_symbol: null };

/** Sells a ticket of 100 in each currency. The first order has the id 1, its fee is 1, the second's 2, and so on. */
async function sell(...currencies: Currency[]): Promise<void> {
  const items = currencies.flatMap((currency, index) => {
    const id = index + 1;
    const order = countedItem.order(1, id, { ...currency, status: "paid", fee_total: id, discount_total: 0 });
    return [order, countedItem.ticket(1, id, { order_id: id, price: 90, original_price: 100 })];
  });
  await count(await put(...items));
}

/** The summary's and the other currencies, with their amounts that are not 0. */
async function amounts() {
  const { other_currencies, ...own } = await summaries().getEventSummary(1);
  const date = await summaries().getDateSummary(2);
  assert.deepEqual(date.other_currencies, other_currencies);
  assert.deepEqual(
    [own.currency, own.currency_symbol, own.gross, own.fee_total],
    [date.currency, date.currency_symbol, date.gross, date.fee_total],
  );
  return [own, ...other_currencies].map(({ currency, currency_symbol, gross, fee_total }) => [
    currency ?? currency_symbol,
    gross,
    fee_total,
  ]);
}

const putEvent = (currency: Currency) => put(recordItem(eventRecord(1, 1, currency)), recordItem(dateRecord(1, 1, 2)));

test("amounts with the event's code, symbol or neither are the summary's; others are listed in order", async () => {
  await putEvent(euro);
  await sell(
    yen,
    euro,
    symbolOnly,
    none,
    { currency: null, currency_symbol: "kr" },
    { currency: "DKK", currency_symbol: "kr" },
  );
  assert.deepEqual(await amounts(), [
    ["EUR", 300, 9],
    ["DKK", 100, 6],
    ["JPY", 100, 1],
    ["kr", 100, 5],
  ]);
  const { orders_count, tickets_sold, ticket_categories } = await summaries().getEventSummary(1);
  assert.deepEqual([orders_count, tickets_sold], [6, 6]);
  assert.deepEqual(ticket_categories, [
    { ticket_category_id: 4, tickets_sold: 6, people: 6, gross: 300, sales_total: 270 },
  ]);
});

test("sales are the sum of the sold tickets' prices, in each currency", async () => {
  await putEvent(euro);
  await sell(yen, euro, symbolOnly);
  const { gross, sales_total, other_currencies } = await summaries().getEventSummary(1);
  assert.deepEqual([gross, sales_total], [200, 180]);
  assert.deepEqual(
    other_currencies.map((one) => [one.currency, one.gross, one.sales_total]),
    [["JPY", 100, 90]],
  );
});

test("ticket categories are ordered by id", async () => {
  await putEvent(euro);
  const ids = [4, 9, 10, 100];
  const tickets = ids.map((id) => countedItem.ticket(1, id, { order_id: 1, ticket_category_id: id }));
  await count(await put(countedItem.order(1, 1, { ...euro, status: "paid" }), ...tickets));
  const { ticket_categories } = await summaries().getEventSummary(1);
  assert.deepEqual(
    ticket_categories.map(({ ticket_category_id }) => ticket_category_id),
    ids,
  );
});

test("the fields are in the documented order", async () => {
  await putEvent(euro);
  await sell(yen);
  const summary = await summaries().getEventSummary(1);
  const always = Object.keys(Summary.shape).filter((name) => !name.startsWith("has_more_"));
  assert.deepEqual(Object.keys(summary), always);
  const [other = {}] = summary.other_currencies;
  assert.deepEqual(Object.keys(other), Object.keys(Summary.shape.other_currencies.element.shape));
});

test("an event with only a symbol takes its orders' code only if all have it", async () => {
  await putEvent(symbolOnly);
  await sell(euro, euro);
  assert.deepEqual(await amounts(), [["EUR", 200, 3]]);
  await sell(symbolOnly, euro);
  assert.deepEqual(await amounts(), [
    ["€", 100, 1],
    ["EUR", 100, 2],
  ]);
});

test("if the event has no currency, a single currency is the summary's, and one of several is not", async () => {
  await putEvent(none);
  await sell(symbolOnly);
  assert.deepEqual(await amounts(), [["€", 100, 1]]);
  await sell(yen);
  assert.deepEqual(await amounts(), [["JPY", 100, 1]]);
  await sell(yen, symbolOnly, none);
  assert.deepEqual(await amounts(), [
    [null, 100, 3],
    ["JPY", 100, 1],
    ["€", 100, 2],
  ]);
});

/** Amounts of a summary in its own currency, and `net` in others. */
async function netByCurrency() {
  const { currency, currency_symbol, net, fee_total, other_currencies } = await summaries().getEventSummary(1);
  const others = other_currencies.map((one) => [one.currency ?? one.currency_symbol, one.net]);
  return [[currency ?? currency_symbol, net, fee_total], ...others];
}

const payment = (id: number, fields: Partial<Payment>) =>
  countedItem.payment(1, id, { order_id: null, type: "payment", status: "confirmed", amount: 10 ** id, ...fields });

test("amounts without a currency join the only one known: a donation leaves the sales where they are", async () => {
  await putEvent(none);
  await sell(euro);
  await count(await put(payment(1, {})));
  assert.deepEqual(await netByCurrency(), [["EUR", 10, 1]]);
  await sell(euro, yen);
  assert.deepEqual(await netByCurrency(), [
    [null, 10, 0],
    ["EUR", 0],
    ["JPY", 0],
  ]);
});

test("a payment is in its own currency, otherwise in its order's, otherwise in its event's", async () => {
  await putEvent(euro);
  await sell(yen);
  const payments = [
    payment(1, { order_id: 1, currency: "USD" }),
    payment(2, { order_id: 1 }),
    payment(3, {}),
    payment(4, { currency: "USD" }),
    payment(5, { order_id: 9 }),
    payment(6, { order_id: 9, currency: "USD", type: "refund" }),
  ];
  await count(await put(...payments));
  assert.deepEqual(await netByCurrency(), [
    ["EUR", 101_000, 0],
    ["JPY", 100],
    ["USD", 10_010 - 1_000_000],
  ]);
});

test("an order's currency may change, and the event may come last", async () => {
  await sell(euro, yen);
  await sell(yen, yen);
  await putEvent(euro);
  assert.deepEqual(await amounts(), [
    ["EUR", 0, 0],
    ["JPY", 200, 3],
  ]);
  await sell(euro, euro);
  assert.deepEqual(await amounts(), [["EUR", 200, 3]]);
});

test("balance payments in another currency than the event's are listed separately", async () => {
  await putEvent(euro);
  const recorded = (id: number, currency: Currency, type: "payment" | "refund") =>
    countedItem.balancePayment(1, id, { event_id: 1, type, amount: 10 * id, ...currency });
  await count(await put(recorded(1, euro, "payment"), recorded(2, symbolOnly, "refund"), recorded(3, yen, "payment")));
  const { balance_paid_total, balance_refunded_total, other_currencies } = await summaries().getEventSummary(1);
  assert.deepEqual([balance_paid_total, balance_refunded_total], [10, 20]);
  expect(other_currencies).toEqual([expect.objectContaining({ currency: "JPY", balance_paid_total: 30, net: 0 })]);
});

test("numbers that were never counted are as old as their event, or from 1970 if it does not say", async () => {
  await put(recordItem(eventRecord(1, 1, { date_created: null })), recordItem(eventRecord(1, 2)));
  const generated = async (id: number) => (await summaries().getEventSummary(id)).date_generated;
  assert.deepEqual([await generated(1), await generated(2)], ["1970-01-01T00:00:00.000Z", "2025-09-01T00:00:00.000Z"]);
});

test("an event or date without sales has zeros, and one of another organisation is not found", async () => {
  await putEvent(euro);
  const { date_generated, ...event } = await summaries().getEventSummary(1);
  assert.equal(date_generated, "2025-09-01T00:00:00.000Z");
  assert.deepEqual([event.net, event.tickets_sold, event.currency_symbol, event.currency], [0, 0, "€", "EUR"]);
  assert.deepEqual(await summaries().getDateSummary(2), { ...event, date_id: 2, date_generated });
  const others = summaryRepository(2, openTable());
  await assert.rejects(others.getEventSummary(1), { code: "not_found", message: "No such event." });
  await assert.rejects(others.getDateSummary(2), { code: "not_found", message: "No such date." });
});
