import assert from "node:assert/strict";
import { test } from "@jest/globals";
import type { Record as InputRecord } from "../../../functions/resources/record.ts";
import { instantMs } from "../../../functions/values/instant.ts";
import { demoRecords } from "../../../local/demo/demoRecords.ts";

/** The date of the data: no sale is later. */
const now = "2026-11-01";

const records = demoRecords();

function dataOf<Type extends InputRecord["type"]>(type: Type, organisationId: number) {
  return records
    .filter((record): record is Extract<InputRecord, { type: Type }> => record.type === type)
    .filter(({ organisation_id }) => organisation_id === organisationId)
    .map((record) => record.data as Extract<InputRecord, { type: Type }>["data"]);
}

const sum = (amounts: number[]) => amounts.reduce((total, amount) => total + amount, 0);

/** Whether instants are in ascending order, ignoring null. */
function isInOrder(...instants: (string | null | undefined)[]): boolean {
  const ms = instants.flatMap((instant) => (instant == null ? [] : [instantMs(instant)]));
  return ms.every((value, index) => value >= Math.max(...ms.slice(0, index)));
}

test("each record follows the records that it belongs to, in its own organisation, and agrees with them", () => {
  const seen = new Map<string, object>();
  for (const { type, organisation_id, data, ...envelope } of records) {
    const fields = Object.entries({ ...data, ...envelope });
    for (const [field, id] of fields) {
      const parent = /^(?:refunded_)?(event|date|ticket_category|order|discount|ticket|payment)_id$/.exec(field)?.[1];
      if (!parent || id === null) continue;
      const found = seen.get(`${organisation_id} ${parent === "date" ? "event_date" : parent} ${id}`);
      assert.ok(found, `${type} ${data.id} of ${organisation_id}: ${field}`);
      for (const name of ["event_id", "date_id", "order_id"] as const) {
        const [own] = fields.filter(([other]) => other === name);
        if (own && own[1] !== null && name in found) assert.equal(Object(found)[name], own[1]);
      }
    }
    seen.set(`${organisation_id} ${type} ${data.id}`, { ...data, ...envelope });
  }
});

for (const organisationId of [1, 2]) {
  const [tickets, payments, attendees] = [
    dataOf("ticket", organisationId),
    dataOf("payment", organisationId),
    dataOf("attendee", organisationId),
  ];
  const discounts = new Map(dataOf("discount", organisationId).map((row) => [row.id, row]));
  const categories = new Map(dataOf("ticket_category", organisationId).map((row) => [row.id, row]));
  const dates = new Map(dataOf("event_date", organisationId).map((row) => [row.id, row]));
  const events = new Map(dataOf("event", organisationId).map((row) => [row.id, row]));
  const orders = dataOf("order", organisationId).map((order) => {
    const own = payments.filter(({ order_id }) => order_id === order.id);
    const confirmed = own.filter(({ status }) => status === "confirmed");
    return {
      ...order,
      tickets: tickets.filter(({ order_id }) => order_id === order.id),
      payments: own,
      paid: confirmed.filter(({ type }) => type === "payment"),
      refunded: confirmed.filter(({ type }) => type === "refund"),
    };
  });

  test(`organisation ${organisationId}: an order's amounts match its tickets and confirmed payments`, () => {
    for (const order of orders) {
      assert.equal(order.subtotal, sum(order.tickets.map((ticket) => ticket.original_price)));
      assert.equal(order.discount_total, sum(order.tickets.map((ticket) => ticket.original_price - ticket.price)));
      assert.equal(order.total, order.subtotal - order.discount_total + order.fee_total + order.tax_total);
      assert.equal(order.paid_total, sum(order.paid.map(({ amount }) => amount)));
      assert.equal(order.refunded_total, sum(order.refunded.map(({ amount }) => amount)));
      const stands = order.status === "paid" || order.status === "pending";
      assert.equal(order.balance, stands ? order.total - order.paid_total : 0);
      assert.ok(order.refunded_total <= order.paid_total && order.paid_total <= order.total);
      assert.equal(events.get(order.event_id)?.currency_symbol, order.currency_symbol);
    }
  });

  test(`organisation ${organisationId}: an order's tickets, payments and balance agree with its status`, () => {
    const ticketStatuses = {
      paid: [["valid"], ["refunded", "valid"]],
      pending: [["valid"]],
      cancelled: [["void"]],
      expired: [["void"]],
      refunded: [["refunded"]],
    };
    for (const order of orders) {
      const statuses = [...new Set(order.tickets.map(({ status }) => status))].toSorted();
      assert.ok(ticketStatuses[order.status].some((expected) => expected.join() === statuses.join()));
      assert.equal(order.date_cancelled !== null, order.status === "cancelled");
      if (order.status === "pending") assert.ok(order.balance > 0);
      if (order.status === "paid") assert.equal(order.balance, 0);
      if (order.status === "expired") assert.equal(order.paid_total, 0);
      if (order.status === "refunded") assert.equal(order.refunded_total, order.total);
    }
  });

  test(`organisation ${organisationId}: some orders are free, and some are paid in part, paid in two parts, or refunded in part`, () => {
    assert.ok(orders.some(({ total, status }) => total === 0 && status === "paid"));
    assert.ok(orders.some((order) => order.status === "pending" && order.paid_total > 0));
    assert.ok(orders.some((order) => order.status === "paid" && order.paid.length > 1));
    assert.ok(orders.some((order) => order.status === "paid" && order.refunded_total > 0));
    assert.ok(orders.some(({ fee_total }) => fee_total > 0));
  });

  test(`organisation ${organisationId}: a refund returns all or part of an earlier payment of the same order`, () => {
    for (const order of orders) {
      for (const refund of order.refunded) {
        const paid = order.paid.find(({ id }) => id === refund.refunded_payment_id);
        assert.ok(paid && paid.amount >= refund.amount && isInOrder(paid.date_completed, refund.date_created));
      }
    }
    for (const payment of payments) {
      assert.equal(payment.refunded_payment_id !== null, payment.type === "refund");
      assert.equal(payment.date_completed === null, payment.status === "pending");
    }
  });

  test(`organisation ${organisationId}: instants are in a possible order, and none is after the date of the data`, () => {
    for (const order of orders) {
      const { date } = dates.get(order.date_id) ?? {};
      assert.ok(isInOrder(events.get(order.event_id)?.date_created, order.date_created, date));
      assert.ok(isInOrder(order.date_created, order.date_cancelled, order.date_modified, now));
      for (const { date_created, date_voided, date_checked_in, date_modified } of order.tickets) {
        assert.ok(isInOrder(order.date_created, date_created, date_voided ?? date_checked_in, date_modified, now));
      }
      for (const { date_created, date_completed } of order.payments) {
        assert.ok(isInOrder(order.date_created, date_created, date_completed, order.date_modified));
      }
    }
  });

  test(`organisation ${organisationId}: tickets follow the rules of their categories, and seats, codes and references are unique`, () => {
    for (const { tickets: own, paid_total, total } of orders) {
      for (const [id, { length }] of Map.groupBy(own, (ticket) => ticket.ticket_category_id)) {
        const { limit, minimum_per_order } = categories.get(id) ?? assert.fail();
        assert.ok(length <= (limit ?? length) && length >= (minimum_per_order ?? 0));
      }
      assert.ok(own.every(({ barcode }) => (barcode !== null) === (paid_total === total)));
    }
    const seats = tickets.flatMap(({ date_id, seat }) => (seat === null ? [] : [`${date_id} ${seat}`]));
    // A seat that was sold again keeps its barcode.
    const codes = tickets.flatMap(({ barcode, status }) => (status === "valid" ? (barcode ?? []) : []));
    const references = orders.flatMap(({ reference }) => reference || []);
    for (const unique of [seats, codes, references]) assert.equal(new Set(unique).size, unique.length);
    for (const ticket of tickets) {
      assert.equal(ticket.original_price, categories.get(ticket.ticket_category_id)?.price);
      assert.equal(ticket.checked_in, ticket.date_checked_in !== null);
      assert.equal(ticket.date_voided !== null, ticket.status !== "valid");
    }
  });

  test(`organisation ${organisationId}: discounts are used as their rules allow, and as often as they state`, () => {
    for (const discount of discounts.values()) {
      const users = orders.filter((order) => order.discount_id === discount.id);
      assert.equal(discount.times_used, users.length);
      assert.ok(discount.times_used <= (discount.usage_limit ?? discount.times_used));
      const isOver = discount.end_date !== null && discount.end_date < now;
      assert.equal(discount.active, !isOver && discount.times_used !== discount.usage_limit);
      assert.equal(discount.percent === null, discount.type === "amount");
      assert.equal(discount.amount === null, discount.type === "percent");
      for (const order of users) {
        assert.equal(order.discount_code, discount.code);
        assert.ok(discount.date_ids.length === 0 || discount.date_ids.includes(order.date_id));
        assert.ok(order.tickets.length >= (discount.minimum_per_order ?? 0));
        assert.ok(isInOrder(discount.date_created, discount.start_date, order.date_created, discount.end_date));
      }
    }
    for (const ticket of tickets) {
      const { percent, amount } = discounts.get(ticket.discount_id ?? 0) ?? { percent: 0, amount: null };
      const off = amount ?? Math.round((ticket.original_price * (percent ?? 0)) / 100);
      assert.equal(ticket.price, Math.max(ticket.original_price - off, 0));
    }
  });

  test(`organisation ${organisationId}: attendees agree with their tickets`, () => {
    for (const attendee of attendees) {
      const ticket = tickets.find(({ id }) => id === attendee.ticket_id);
      assert.ok(ticket?.attendee_id);
      assert.equal(attendee.ticket_category_id, ticket.ticket_category_id);
      assert.equal(attendee.date_checked_in, ticket.date_checked_in);
      assert.equal(attendee.status === "cancelled", ticket.status !== "valid");
    }
    // A ticket may have further attendees.
    for (const { id, attendee_id } of tickets.filter(({ attendee_id }) => attendee_id !== null))
      assert.equal(attendees.find((attendee) => attendee.id === attendee_id)?.ticket_id, id);
  });

  test(`organisation ${organisationId}: names are in many scripts, and no address or number can be a real person's`, () => {
    const people = [...orders, ...attendees];
    const written = people.map(({ first_name, last_name }) => `${first_name} ${last_name}`).join();
    for (const script of [/\p{Script=Greek}/u, /\p{Script=Han}/u, /[øåłþğ]/]) assert.match(written, script);
    for (const { email, phone } of people) {
      assert.match(email ?? "a@b.example", /^[a-z0-9.-]+@[a-z]+\.example$/i);
      // Ranges that regulators reserve for fiction.
      assert.match(phone ?? "+44 1632 960000", /^(\+44 20 7946 0\d{3}|\+44 1632 960\d{3}|\+1 612 555 01\d\d)$/);
    }
  });
}
