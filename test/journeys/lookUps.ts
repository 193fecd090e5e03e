import assert from "node:assert/strict";
import { test } from "@jest/globals";
import { assertInvalidParameters } from "../support/http/assertProblem.ts";
import { one, two } from "../support/service/journeyService.ts";

/** Where each expansion of a ticket is read alone. */
const pathsOf = (ticket: Record<string, unknown>) => ({
  order: `/v1/orders/${ticket.order_id}`,
  event: `/v1/events/${ticket.event_id}`,
  date: `/v1/dates/${ticket.date_id}`,
  attendee: ticket.attendee_id === null ? null : `/v1/attendees/${ticket.attendee_id}`,
});

test("a scanned barcode leads in one call to everything that admission depends on", async () => {
  const names = "order,event,date,ticket_category,attendee";
  for (const client of [one, two]) {
    const tickets = await client.rows(`/v1/tickets?barcode=7001420080131&expand=${names}`);
    assert.ok(tickets.length > 1);
    for (const ticket of tickets) {
      for (const [name, path] of Object.entries(pathsOf(ticket))) {
        const { tickets: _, ...alone } = path === null ? {} : Object(await client.json(path));
        assert.deepEqual(ticket[name], path === null ? null : alone, name);
      }
      const categories = await client.rows(`/v1/events/${ticket.event_id}/ticket-categories`);
      assert.deepEqual(
        ticket.ticket_category,
        categories.find(({ id }) => id === ticket.ticket_category_id),
      );
      assert.deepEqual(
        await client.json(`/v1/tickets/${ticket.id}?expand=attendee&expand=${names.replace(",attendee", "")}`),
        ticket,
      );
    }
  }
});

test("what a customer bought takes one call: each order with its tickets, payments and attendees, and what it names", async () => {
  const lists = ["tickets", "payments", "attendees"];
  const names = [...lists, "event", "date", "discount"].join();
  for (const client of [one, two]) {
    const alone = (await client.rows("/v1/orders")).find(({ email }) => email);
    const orders = await client.rows(`/v1/orders?email=${encodeURIComponent(String(alone?.email))}&expand=${names}`);
    assert.ok(orders.length > 0);
    for (const order of orders) {
      for (const name of lists)
        assert.deepEqual(order[name], await client.rows(`/v1/orders/${order.id}/${name}`), name);
      for (const name of ["event", "date", "discount"]) {
        const id = order[`${name}_id`];
        assert.deepEqual(order[name], id === null ? null : await client.json(`/v1/${name}s/${id}`), name);
      }
      const sorted = (row: object) => Object.fromEntries(Object.entries(row).sort());
      assert.deepEqual(sorted(Object(await client.json(`/v1/orders/${order.id}?expand=${names}`))), sorted(order));
    }
  }
  assertInvalidParameters(await one.get("/v1/orders?expand=ticket"), "expand");
});

test("a date's tickets come with what a scanner needs offline", async () => {
  const [scanned] = await one.rows("/v1/tickets?barcode=7001420080131");
  const tickets = await one.rows(`/v1/dates/${scanned?.date_id}/tickets?expand=order,ticket_category,attendee`);
  assert.ok(tickets.length > 0);
  for (const ticket of tickets) {
    const { tickets: _, ...order } = Object(await one.json(`/v1/orders/${ticket.order_id}`));
    assert.deepEqual(ticket.order, order);
    assert.equal(Object(ticket.ticket_category).id, ticket.ticket_category_id);
    assert.equal(Object(ticket.attendee).id, ticket.attendee_id ?? undefined);
  }
});

test("a calendar of all events takes one call a page: each date with its event, as the event's and its own path show it", async () => {
  const dates = await one.rows("/v1/dates?expand=event");
  assert.ok(dates.length > 1);
  for (const date of dates) {
    const event = await one.json(`/v1/events/${date.event_id}`);
    assert.deepEqual(date.event, event);
    assert.deepEqual(await one.json(`/v1/dates/${date.id}?expand=event`), date);
    const ofEvent = await one.rows(`/v1/events/${date.event_id}/dates?expand=event`);
    assert.deepEqual(
      ofEvent.find(({ id }) => id === date.id),
      date,
    );
  }
});

test("orders are found by the buyer's e-mail address and by their reference, in upper or lower case", async () => {
  for (const client of [one, two]) {
    const orders = await client.rows("/v1/orders");
    const known = orders.find(({ email, reference }) => email && reference);
    const { email, reference } = { email: String(known?.email), reference: String(known?.reference) };
    const buyers = orders.filter((order) => String(order.email).trim().toLowerCase() === email.trim().toLowerCase());
    for (const text of [email, email.toUpperCase(), ` ${email} `]) {
      assert.deepEqual(await client.rows(`/v1/orders?email=${encodeURIComponent(text)}`), buyers);
    }
    const named = orders.filter((order) => order.reference === reference);
    for (const text of [reference, reference.toLowerCase()]) {
      assert.deepEqual(await client.rows(`/v1/orders?reference=${encodeURIComponent(text)}`), named);
    }
  }
  assertInvalidParameters(await one.get("/v1/orders?email=ada%40example.org&reference=A"), "email");
});
