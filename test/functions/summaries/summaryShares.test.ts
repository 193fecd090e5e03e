import assert from "node:assert/strict";
import { test } from "@jest/globals";
import fc from "fast-check";
import type { RecordItem } from "../../../functions/records/recordItem.ts";
import { addCounters, type Counters, countedSortKeys, sharesOf } from "../../../functions/summaries/summaryShares.ts";
import { keys } from "../../../functions/table/keys.ts";
import { countedItem } from "../../support/data/recount.ts";
import { upsert } from "../../support/data/salesHistory.ts";

const event = keys.eventSummary(1, 5);
const date = keys.dateSummary(1, 6);
const parents = { event_id: 5, date_id: 6 };
const order = (fields: object) => countedItem.order(1, 2, { ...parents, ...fields });
const ticket = (fields: object) => countedItem.ticket(1, 2, { ...parents, ticket_category_id: 3, ...fields });
const payment = (fields: object) => countedItem.payment(1, 2, { ...parents, amount: 40, ...fields });

const shares = (item: RecordItem) => sharesOf(item, item);
const ofBoth = (counters: Counters) => [event, date].map((key) => ({ ...key, counters }));
const ofEvent = (counters: Counters) => [{ ...event, counters }];

test("an order counts while it is paid or refunded, with its discounts, fees and taxes", () => {
  const totals = { discount_total: 4, fee_total: 3, tax_total: 2, total: 900 };
  const counters = { orders_count: 1, discount_total: 4, fee_total: 3, tax_total: 2 };
  for (const status of ["paid", "refunded"]) assert.deepEqual(shares(order({ status, ...totals })), ofBoth(counters));
  for (const status of ["pending", "cancelled", "expired"]) assert.deepEqual(shares(order({ status, ...totals })), []);
});

test("a ticket counts while it is valid, at its price before discounts, in its category", () => {
  const prices = { price: 100, original_price: 120 };
  const counters = { "category#3#tickets_sold": 1, "category#3#gross": 120 };
  const valid = (checked_in: boolean) => shares(ticket({ status: "valid", checked_in, ...prices }));
  assert.deepEqual(valid(false), ofBoth(counters));
  assert.deepEqual(valid(true), ofBoth({ checked_in_count: 1, ...counters }));
  for (const status of ["void", "refunded"]) assert.deepEqual(shares(ticket({ status, checked_in: true })), []);
});

test("a payment or refund counts while it is confirmed, for the event alone if it has no date", () => {
  const confirmed = (fields: object) => shares(payment({ status: "confirmed", ...fields }));
  assert.deepEqual(confirmed({ type: "payment" }), ofBoth({ net: 40 }));
  assert.deepEqual(confirmed({ type: "refund" }), ofBoth({ net: -40, refunded_total: 40 }));
  assert.deepEqual(confirmed({ type: "payment", date_id: null }), ofEvent({ net: 40 }));
  for (const status of ["pending", "failed", "cancelled"]) assert.deepEqual(shares(payment({ status })), []);
});

test("balance payments and ticket categories count for the event alone", () => {
  const balance = (type: "payment" | "refund") =>
    shares(countedItem.balancePayment(1, 2, { event_id: 5, type, amount: 7 }));
  assert.deepEqual(balance("payment"), ofEvent({ balance_paid_total: 7 }));
  assert.deepEqual(balance("refund"), ofEvent({ balance_refunded_total: 7 }));
  const category = (people: number) => shares(countedItem.category(1, 3, { event_id: 5, people }));
  assert.deepEqual(category(4), ofEvent({ "category#3#extra_people": 3 }));
  assert.deepEqual(category(0), ofEvent({ "category#3#extra_people": -1 }));
  assert.deepEqual(category(1), []);
});

test("a missing item or another type adds nothing, and an item that does not match its key is an error", () => {
  const { PK, SK } = order({});
  assert.deepEqual(sharesOf({ PK, SK }, undefined), []);
  assert.deepEqual(sharesOf(keys.attendee(1, 2), {}), []);
  for (const SK of countedSortKeys) assert.throws(() => sharesOf({ PK, SK }, { PK, SK }), { name: "ZodError" });
});

test("adding an item and removing it again leaves nothing", () => {
  fc.assert(
    fc.property(upsert, upsert, (one, other) => {
      const counters = [one, other].map((make) => shares(make(1))[0]?.counters ?? {});
      const sum = counters.reduce((total, added) => addCounters(total, added, 1), {});
      assert.deepEqual(
        counters.reduce((total, added) => addCounters(total, added, -1), sum),
        {},
      );
    }),
  );
});
