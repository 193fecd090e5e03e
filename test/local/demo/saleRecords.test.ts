import assert from "node:assert/strict";
import { test } from "node:test";
import { Order } from "../../../functions/resources/order.ts";
import { Payment } from "../../../functions/resources/payment.ts";
import { Ticket } from "../../../functions/resources/ticket.ts";
import { both, confirmed, eachOrganisation, now } from "./demoSales.ts";

/** An event that is past, one with dates past and to come, and one to come, each with many orders. */
const mainEvents = new Map([
  [1, [1025, 1061, 1031]],
  [2, [1068, 1101, 1078]],
]);

eachOrganisation(
  "is hundreds of orders for two events, many for a third, some for a few, none for the rest",
  (sales) => {
    const counts = [...Map.groupBy(sales.orders, (order) => order.event_id)].map(([event, { length }]) => [
      event,
      length,
    ]);
    const [first, second, third, ...others] = counts.toSorted(([, a = 0], [, b = 0]) => b - a);
    const many = [first, second, third].map((count) => count?.[0]);
    assert.deepEqual(new Set(many), new Set(mainEvents.get(sales.id)));
    assert.ok(second?.[1] === 200 && third?.[1] === 60);
    assert.ok(others.length > 3 && others.length < sales.events.size / 4);
  },
);

eachOrganisation("is most for an event that is past, one that is on and one to come", ({ id, dates }) => {
  const isPast = mainEvents
    .get(id)
    ?.map((event) => [
      ...new Set([...dates.values()].filter(({ event_id }) => event_id === event).map(({ date }) => date < now)),
    ]);
  assert.deepEqual(isPast, [[true], [true, false], [false]]);
});

test("ids of what the two organisations sold coincide for some records of each type, with other content, and for some not", () => {
  const [one, two] = both;
  for (const type of ["orders", "tickets", "payments", "discounts", "attendees"] as const) {
    const others = new Map(two[type].map((row) => [row.id, row]));
    const shared = one[type].filter(({ id }) => others.has(id));
    assert.ok(shared.length > 0 && shared.length < one[type].length && shared.length < two[type].length, type);
    for (const row of shared) assert.notDeepEqual(row, others.get(row.id));
  }
});

eachOrganisation("has every status and type, each field that may be null with null and with a value", (sales) => {
  const { orders, tickets, payments, discounts, attendees } = sales;
  const all = { order: orders, ticket: tickets, payment: payments, discount: discounts, attendee: attendees };
  const statuses = { order: Order, ticket: Ticket, payment: Payment };
  for (const [type, schema] of Object.entries(statuses)) {
    const rows: { status?: string }[] = all[type as keyof typeof statuses];
    assert.deepEqual(new Set(rows.map(({ status }) => status)), new Set(schema.shape.status.options));
  }
  assert.deepEqual(new Set(payments.map(({ type }) => type)), new Set(["payment", "refund"]));
  assert.deepEqual(new Set(discounts.map(({ type }) => type)), new Set(["percent", "amount"]));
  assert.deepEqual(new Set(attendees.map(({ status }) => status)), new Set(["confirmed", "invited", "cancelled"]));
  const nullable = {
    order:
      "date_cancelled first_name last_name email phone currency_symbol discount_id discount_code payment_method source admin_note",
    ticket: "attendee_id discount_id barcode seat date_checked_in date_voided",
    payment: "order_id date_id method provider external_reference refunded_payment_id reason date_completed",
    discount: "name code percent amount start_date end_date usage_limit date_created",
    attendee: "first_name last_name email phone date_checked_in",
  };
  for (const [type, names] of Object.entries(nullable)) {
    const rows: Record<string, unknown>[] = all[type as keyof typeof nullable];
    for (const name of names.split(" ")) {
      assert.deepEqual(new Set(rows.map((row) => row[name] === null)), new Set([true, false]), `${type} ${name}`);
    }
  }
  const given = attendees.flatMap(({ answers }) => answers.map(({ answer }) => answer === null));
  assert.equal(new Set(given).size, 2);
});

eachOrganisation(
  "has free orders, tickets for several people, part payments, orders paid in two parts, several currencies",
  (sales) => {
    const { orders, tickets } = sales;
    assert.ok(orders.some(({ total, status }) => total === 0 && status === "paid"));
    assert.ok(tickets.some((ticket) => (sales.categories.get(ticket.ticket_category_id)?.people ?? 1) > 1));
    assert.ok(orders.some((order) => order.status === "pending" && order.paid_total > 0));
    assert.ok(orders.some((order) => order.status === "paid" && confirmed(order, "payment").length > 1));
    assert.ok(orders.some((order) => order.status === "paid" && order.refunded_total > 0));
    assert.ok(orders.some(({ fee_total }) => fee_total > 0));
    // Only where prices do not include the tax.
    assert.equal(
      orders.some(({ tax_total }) => tax_total > 0),
      sales.id === 2,
    );
    assert.ok(new Set(orders.map(({ currency_symbol }) => currency_symbol)).size > 2);
  },
);

eachOrganisation(
  "has more orders for a date that is sold out than for its event's others, and never a few",
  (sales) => {
    const { orders } = sales;
    const counts = new Map(
      [...Map.groupBy(orders, (order) => order.date_id)].map(([date, { length }]) => [date, length]),
    );
    const soldOut = [...sales.dates.values()].filter((date) => date.sold_out && counts.has(date.id));
    assert.ok(soldOut.length > 0);
    for (const date of soldOut) {
      const others = [...sales.dates.values()].filter((other) => other.event_id === date.event_id && !other.sold_out);
      const count = counts.get(date.id) ?? 0;
      assert.ok(count >= 20 && others.every((other) => count > (counts.get(other.id) ?? 0)));
    }
  },
);

eachOrganisation(
  "has names of many scripts, and no address or number that could be anybody's",
  ({ orders, attendees }) => {
    const people = [...orders, ...attendees];
    const written = people.map(({ first_name, last_name }) => `${first_name} ${last_name}`).join();
    for (const script of [/\p{Script=Greek}/u, /\p{Script=Han}/u, /[øåłþğ]/]) assert.match(written, script);
    for (const { email, phone } of people) {
      assert.match(email ?? "a@b.example", /^[a-z0-9.-]+@[a-z]+\.example$/);
      assert.match(phone ?? "+44 1632 960000", /^(\+44 20 7946 0\d{3}|\+44 1632 960\d{3}|\+1 612 555 01\d\d)$/);
    }
  },
);
