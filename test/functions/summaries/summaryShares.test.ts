import assert from "node:assert/strict";
import { test } from "@jest/globals";
import fc from "fast-check";
import type { RecordItem } from "../../../functions/records/recordItem.ts";
import { addCounters, type Counters } from "../../../functions/summaries/counters.ts";
import {
  countedOf,
  countedSortKeys,
  countsAnything,
  sharesOf,
  sharesOfOrder,
} from "../../../functions/summaries/summaryShares.ts";
import { isTombstone } from "../../../functions/table/item.ts";
import { keys } from "../../../functions/table/keys.ts";
import { countedItem } from "../../support/data/recount.ts";
import { upsert } from "../../support/data/salesHistory.ts";

const event = keys.eventSummary(1, 5);
const date = keys.dateSummary(1, 6);
const parents = { event_id: 5, date_id: 6 };
const order = (fields: object) => countedItem.order(1, 2, { ...parents, ...fields });
const ticket = (fields: object) =>
  countedItem.ticket(1, 2, { ...parents, order_id: 7, ticket_category_id: 3, ...fields });
const payment = (fields: object) => countedItem.payment(1, 2, { ...parents, order_id: 7, amount: 40, ...fields });

const counted = (item: RecordItem) => countedOf(item, item);
const shares = (item: RecordItem) => sharesOf(counted(item));
const ofBoth = (counters: Counters) => [event, date].map((key) => ({ ...key, counters }));
const ofEvent = (counters: Counters) => [{ ...event, counters }];

test("an order counts while it is paid or refunded, with its discounts, fees and taxes in its currency", () => {
  const totals = { discount_total: 4, fee_total: 3, tax_total: 2, total: 900, currency: "EUR", currency_symbol: "€" };
  const counters = { orders_count: 1, "discount_total#EUR": 4, "fee_total#EUR": 3, "tax_total#EUR": 2 };
  for (const status of ["paid", "refunded"]) assert.deepEqual(shares(order({ status, ...totals })), ofBoth(counters));
  for (const status of ["pending", "cancelled", "expired"]) assert.deepEqual(shares(order({ status, ...totals })), []);
});

test("a currency is named by its code, otherwise by the first characters of its symbol, otherwise not at all", () => {
  const feeIn = (currency: string | null, currency_symbol: string | null) =>
    Object.keys(shares(order({ fee_total: 3, discount_total: 0, currency, currency_symbol }))[0]?.counters ?? {}).at(
      -1,
    );
  assert.equal(feeIn("EUR", "€"), "fee_total#EUR");
  assert.equal(feeIn(null, "€"), "fee_total#€");
  assert.equal(feeIn(null, `${"𝔈".repeat(16)}uro`), `fee_total#${"𝔈".repeat(16)}`);
  for (const symbol of [null, ""]) assert.equal(feeIn(null, symbol), "fee_total");
});

test("a ticket counts while it is valid, at its price before discounts, in its category, through its order", () => {
  const prices = { price: 100, original_price: 120 };
  const counters = { "category#3#tickets_sold": 1, "category#3#gross": 120 };
  const valid = (checked_in: boolean) => shares(ticket({ status: "valid", checked_in, ...prices }));
  assert.deepEqual(valid(false), ofBoth(counters));
  assert.deepEqual(valid(true), ofBoth({ checked_in_count: 1, ...counters }));
  assert.equal(counted(ticket({ status: "valid" })).order, keys.order(1, 7).PK);
  for (const status of ["void", "refunded"]) assert.ok(!countsAnything(counted(ticket({ status, checked_in: true }))));
});

test("a payment or refund counts while it is confirmed, for the event alone if it has no date, through its order if it has one", () => {
  const confirmed = (fields: object) => shares(payment({ status: "confirmed", ...fields }));
  assert.deepEqual(confirmed({ type: "payment" }), ofBoth({ net: 40 }));
  assert.deepEqual(confirmed({ type: "refund" }), ofBoth({ net: -40, refunded_total: 40 }));
  assert.deepEqual(confirmed({ type: "payment", date_id: null }), ofEvent({ net: 40 }));
  assert.equal(counted(payment({ status: "confirmed" })).order, keys.order(1, 7).PK);
  assert.equal(counted(payment({ status: "confirmed", order_id: null })).order, undefined);
  for (const status of ["pending", "failed", "cancelled"]) assert.ok(!countsAnything(counted(payment({ status }))));
});

test("of an order that is not sold, only the money that moved counts; of an unknown one nothing", () => {
  const counters = {
    "category#3#tickets_sold": 1,
    "category#3#gross": 9,
    checked_in_count: 1,
    net: 5,
    refunded_total: 2,
  };
  const tally = new Map(ofBoth(counters).map((share) => [share.PK, share]));
  const total = (fields: object) => [...sharesOfOrder(counted(order(fields)), tally).values()];
  const yen = { discount_total: 0, fee_total: 0, tax_total: 0, currency: "JPY" };
  const moved = { "net#JPY": 5, "refunded_total#JPY": 2 };
  for (const status of ["pending", "cancelled", "expired"]) assert.deepEqual(total({ status, ...yen }), ofBoth(moved));
  const sold = { "category#3#tickets_sold": 1, "category#3#gross#JPY": 9, checked_in_count: 1 };
  for (const status of ["paid", "refunded"])
    assert.deepEqual(total({ status, ...yen }), ofBoth({ orders_count: 1, ...sold, ...moved }));
  assert.equal(sharesOfOrder(countedOf(keys.order(1, 2), undefined), tally).size, 0);
});

test("balance payments and ticket categories count for the event alone", () => {
  const balance = (fields: object) => shares(countedItem.balancePayment(1, 2, { event_id: 5, amount: 7, ...fields }));
  assert.deepEqual(balance({ type: "payment", currency: "EUR" }), ofEvent({ "balance_paid_total#EUR": 7 }));
  assert.deepEqual(
    balance({ type: "refund", currency: null, currency_symbol: "€" }),
    ofEvent({ "balance_refunded_total#€": 7 }),
  );
  const category = (people: number) => shares(countedItem.category(1, 3, { event_id: 5, people }));
  assert.deepEqual(category(4), ofEvent({ "category#3#extra_people": 3 }));
  assert.deepEqual(category(0), ofEvent({ "category#3#extra_people": -1 }));
  assert.deepEqual(category(1), []);
});

test("a missing item or another type adds nothing, and an item that does not match its key is an error", () => {
  const { PK, SK } = order({});
  assert.deepEqual(sharesOf(countedOf({ PK, SK }, undefined)), []);
  assert.deepEqual(sharesOf(countedOf(keys.attendee(1, 2), {})), []);
  for (const SK of countedSortKeys) assert.throws(() => countedOf({ PK, SK }, { PK, SK }), { name: "ZodError" });
});

test("adding an item and removing it again leaves nothing", () => {
  const stored = upsert.map((make) => make(1)).filter((item) => !isTombstone(item));
  fc.assert(
    fc.property(stored, stored, (one, other) => {
      const counters = [one, other].map((item) => shares(item)[0]?.counters ?? {});
      const sum = counters.reduce((total, added) => addCounters(total, added, 1), {});
      assert.deepEqual(
        counters.reduce((total, added) => addCounters(total, added, -1), sum),
        {},
      );
    }),
  );
});
