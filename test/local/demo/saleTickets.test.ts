import assert from "node:assert/strict";
import { instantMs } from "../../../functions/resources/instant.ts";
import { eachOrganisation, isInOrder, now } from "./demoSales.ts";

eachOrganisation("keeps the rules of the ticket categories, and seats nobody on another's place", (sales) => {
  const { orders, tickets } = sales;
  for (const order of orders) {
    for (const [categoryId, { length }] of Map.groupBy(order.tickets, (ticket) => ticket.ticket_category_id)) {
      const category = sales.categories.get(categoryId);
      assert.ok(length <= (category?.limit ?? length) && length >= (category?.minimum_per_order ?? 0));
    }
  }
  for (const ticket of tickets) {
    assert.equal(ticket.original_price, sales.categories.get(ticket.ticket_category_id)?.price);
  }
  const seats = tickets.flatMap(({ date_id, seat }) => (seat === null ? [] : [`${date_id} ${seat}`]));
  assert.equal(new Set(seats).size, seats.length);
});

eachOrganisation("uses discounts as they allow, as often as they say", (sales) => {
  const { orders, tickets, discounts } = sales;
  for (const discount of discounts) {
    const users = orders.filter((order) => order.discount_id === discount.id);
    assert.equal(discount.times_used, users.length);
    assert.ok(discount.times_used <= (discount.usage_limit ?? discount.times_used));
    const isOver = discount.end_date !== null && discount.end_date < now;
    assert.equal(discount.active, !isOver && discount.times_used !== discount.usage_limit);
    assert.equal(discount.percent === null, discount.type === "amount");
    assert.equal(discount.amount === null, discount.type === "percent");
    for (const order of users) {
      assert.equal(order.event_id, discount.event_id);
      assert.equal(order.discount_code, discount.code);
      assert.ok(discount.date_ids.length === 0 || discount.date_ids.includes(order.date_id));
      assert.ok(order.tickets.length >= (discount.minimum_per_order ?? 0));
      assert.ok(isInOrder(discount.date_created, discount.start_date, order.date_created, discount.end_date));
      assert.ok(order.tickets.some((ticket) => ticket.discount_id === discount.id));
    }
  }
  for (const ticket of tickets) {
    const discount = ticket.discount_id === null ? undefined : sales.discountById.get(ticket.discount_id);
    const off = discount?.amount ?? Math.round((ticket.original_price * (discount?.percent ?? 0)) / 100);
    assert.equal(ticket.price, Math.max(ticket.original_price - off, 0));
    assert.ok([null, sales.orderById.get(ticket.order_id)?.discount_id].includes(ticket.discount_id));
    const only = discount?.ticket_category_ids ?? [];
    assert.ok(only.length === 0 || only.includes(ticket.ticket_category_id));
  }
});

eachOrganisation("names attendees who say the same as their tickets", (sales) => {
  const { attendees } = sales;
  for (const attendee of attendees) {
    const { attendee_id, status, ...ticket } = { ...sales.ticketById.get(attendee.ticket_id) };
    assert.equal(attendee_id, attendee.id);
    for (const field of ["order_id", "event_id", "date_id", "ticket_category_id", "date_checked_in"] as const) {
      assert.equal(attendee[field], ticket[field]);
    }
    assert.equal(attendee.checked_in, ticket.checked_in);
    assert.equal(attendee.status === "cancelled", status !== "valid");
  }
});

eachOrganisation(
  "checks in most of those with a valid ticket for a past date, around its start, and nobody else",
  (sales) => {
    const { tickets } = sales;
    for (const ticket of tickets) {
      assert.equal(ticket.checked_in, ticket.date_checked_in !== null);
      assert.equal(ticket.date_voided !== null, ticket.status !== "valid");
      if (ticket.date_checked_in === null) continue;
      const { date = "", event_id } = { ...sales.dates.get(ticket.date_id) };
      const earlyMs = instantMs(ticket.date_checked_in) - instantMs(date);
      assert.ok(Math.abs(earlyMs) < 3_600_000 || (date.length === 10 && earlyMs > 0 && earlyMs < 86_400_000));
      assert.equal(event_id, ticket.event_id);
      assert.equal(ticket.status, "valid");
      assert.equal(sales.orderById.get(ticket.order_id)?.status, "paid");
    }
    const past = tickets.filter(
      (ticket) => ticket.status === "valid" && (sales.dates.get(ticket.date_id)?.date ?? "") < now,
    );
    const share = past.filter(({ checked_in }) => checked_in).length / past.length;
    assert.ok(share > 0.8 && share < 1);
  },
);

eachOrganisation("gives every order a reference and every ticket a code of its own, once it is paid for", (sales) => {
  const { orders, tickets } = sales;
  const references = orders.map(({ reference }) => reference);
  const codes = tickets.flatMap(({ barcode }) => (barcode === null ? [] : [barcode]));
  assert.equal(new Set(references).size, references.length);
  assert.equal(new Set(codes).size, codes.length);
  for (const { tickets: own, paid_total, total } of orders) {
    assert.ok(own.every(({ barcode }) => (barcode !== null) === (paid_total === total)));
  }
});
