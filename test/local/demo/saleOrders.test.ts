import assert from "node:assert/strict";
import { confirmed, eachOrganisation, isInOrder, now, sum } from "./demoSales.ts";

eachOrganisation(
  "hangs together: every record's event, date, order, ticket, attendee, category and discount is there and agrees",
  (sales) => {
    const { orders, tickets, payments } = sales;
    for (const order of orders) {
      assert.equal(sales.dates.get(order.date_id)?.event_id, order.event_id);
      assert.equal(sales.events.get(order.event_id)?.currency_symbol, order.currency_symbol);
      assert.ok(order.tickets.length > 0);
      for (const part of [...order.tickets, ...order.payments]) {
        assert.deepEqual([part.event_id, part.date_id], [order.event_id, order.date_id]);
      }
    }
    for (const ticket of tickets) {
      assert.ok(sales.orderById.has(ticket.order_id));
      assert.equal(sales.categoryEvents.get(ticket.ticket_category_id), ticket.event_id);
      if (ticket.attendee_id !== null) assert.equal(sales.attendeeById.get(ticket.attendee_id)?.ticket_id, ticket.id);
    }
    for (const { order_id, event_id } of payments) {
      assert.ok(order_id === null ? sales.events.has(event_id) : sales.orderById.has(order_id));
    }
  },
);

eachOrganisation("adds up: an order's amounts are those of its tickets and confirmed payments", (sales) => {
  const { orders } = sales;
  for (const order of orders) {
    assert.equal(order.subtotal, sum(order.tickets.map((ticket) => ticket.original_price)));
    assert.equal(order.discount_total, sum(order.tickets.map((ticket) => ticket.original_price - ticket.price)));
    assert.equal(order.total, order.subtotal - order.discount_total + order.fee_total + order.tax_total);
    assert.equal(order.paid_total, sum(confirmed(order, "payment").map(({ amount }) => amount)));
    assert.equal(order.refunded_total, sum(confirmed(order, "refund").map(({ amount }) => amount)));
    // Nothing is asked for an order that has fallen through, nor again for what was paid back of one that stands.
    const stands = order.status === "paid" || order.status === "pending";
    assert.equal(order.balance, stands ? order.total - order.paid_total : 0);
    assert.ok(order.refunded_total <= order.paid_total && order.paid_total <= order.total);
    assert.ok(order.payments.every(({ amount }) => amount > 0));
  }
});

eachOrganisation("has of each order what its status says", (sales) => {
  const { orders } = sales;
  for (const order of orders) {
    const statuses = new Set(order.tickets.map(({ status }) => status));
    const paysOff = order.balance === 0 && order.paid_total === order.total;
    switch (order.status) {
      case "paid":
        assert.ok(paysOff && statuses.has("valid") && !statuses.has("void"));
        assert.equal(
          order.refunded_total,
          sum(order.tickets.filter(({ status }) => status === "refunded").map(({ price }) => price)),
        );
        break;
      case "pending":
        assert.ok(order.balance > 0 && order.payments.some(({ status }) => status === "pending"));
        assert.deepEqual([...statuses], ["valid"]);
        break;
      case "refunded":
        assert.ok(paysOff && order.refunded_total === order.total);
        assert.deepEqual([...statuses], ["refunded"]);
        break;
      case "cancelled":
        assert.deepEqual([...statuses], ["void"]);
        break;
      case "expired":
        assert.ok(order.paid_total === 0 && order.payments.every(({ status }) => status === "failed"));
        assert.deepEqual([...statuses], ["void"]);
    }
    assert.equal(order.date_cancelled !== null, order.status === "cancelled");
  }
});

eachOrganisation("has payments of which refunds pay back one of the same order, earlier and not less", (sales) => {
  const { orders, payments } = sales;
  for (const order of orders) {
    for (const refund of order.payments.filter(({ type }) => type === "refund")) {
      const paid = confirmed(order, "payment").find((payment) => payment.id === refund.refunded_payment_id);
      assert.ok(paid && paid.amount >= refund.amount && isInOrder(paid.date_completed, refund.date_created));
      assert.notEqual(refund.reason, null);
    }
  }
  for (const payment of payments) {
    assert.equal(payment.refunded_payment_id !== null, payment.type === "refund");
    assert.equal(payment.date_completed === null, payment.status === "pending");
  }
});

eachOrganisation(
  "came about in a possible order of time, and all of it before the day on which it is true",
  (sales) => {
    const { orders, attendees } = sales;
    for (const order of orders) {
      const event = sales.events.get(order.event_id);
      const start = sales.dates.get(order.date_id)?.date ?? "";
      assert.ok(isInOrder(event?.date_created ?? null, order.date_created, start));
      assert.ok(isInOrder(order.date_created, order.date_cancelled, order.date_modified, now));
      for (const ticket of order.tickets) {
        assert.ok(
          isInOrder(order.date_created, ticket.date_created, ticket.date_checked_in, ticket.date_modified, now),
        );
        assert.ok(isInOrder(ticket.date_created, ticket.date_voided, ticket.date_modified));
      }
      for (const payment of order.payments) {
        assert.ok(isInOrder(order.date_created, payment.date_created, payment.date_completed, order.date_modified));
      }
    }
    for (const row of [...attendees, ...sales.payments]) assert.ok(isInOrder(row.date_created, now));
    for (const row of attendees) assert.ok(isInOrder(row.date_created, row.date_checked_in, row.date_modified, now));
    assert.ok(orders.every((order, index) => isInOrder(orders[index - 1]?.date_created ?? null, order.date_created)));
  },
);
