import assert from "node:assert/strict";
import { test } from "@jest/globals";
import { one, two } from "../support/service/testedService.ts";

const names = "order,event,date,ticket_category,attendee";

/** The path of each included resource. Ticket categories have none. */
const pathsOf = (ticket: Record<string, unknown>) => ({
  order: `/v1/orders/${ticket.order_id}`,
  event: `/v1/events/${ticket.event_id}`,
  date: `/v1/dates/${ticket.date_id}`,
  attendee: ticket.attendee_id === null ? null : `/v1/attendees/${ticket.attendee_id}`,
});

test("one request by barcode answers whether a ticket may enter", async () => {
  for (const client of [one, two]) {
    const tickets = await client.rows(`/v1/tickets?barcode=7001420080132&expand=${names}`);
    assert.ok(tickets.length > 1);
    for (const ticket of tickets) {
      for (const [name, path] of Object.entries(pathsOf(ticket))) {
        const { tickets: _, ...alone } = path === null ? {} : Object(await client.json(path));
        assert.deepEqual(ticket[name], path === null ? null : alone, name);
      }
      const categories = await client.rows(`/v1/events/${ticket.event_id}/ticket-categories`);
      const category = categories.find(({ id }) => id === ticket.ticket_category_id);
      assert.deepEqual(ticket.ticket_category, category);
      const repeated = names.replaceAll(",", "&expand=");
      assert.deepEqual(await client.json(`/v1/tickets/${ticket.id}?expand=${repeated}`), ticket);
    }
  }
});

test("each ticket of a date has everything that the checks need offline", async () => {
  const [scanned] = await one.rows(`/v1/tickets?barcode=7001420080132&expand=${names}`);
  const { event: _, date: __, ...expected } = scanned ?? {};
  const tickets = await one.rows(`/v1/dates/${scanned?.date_id}/tickets?expand=order,ticket_category,attendee`);
  assert.deepEqual(
    tickets.find(({ id }) => id === scanned?.id),
    expected,
  );
});
