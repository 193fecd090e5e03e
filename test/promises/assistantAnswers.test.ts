import assert from "node:assert/strict";
import { test } from "@jest/globals";
import { argumentsOf, tools } from "../../functions/mcp/tools.ts";
import { events } from "../../functions/resources/event.ts";
import { Order, orders } from "../../functions/resources/order.ts";
import { tickets as ticketResource } from "../../functions/resources/ticket.ts";
import { type Members, useTool } from "../support/http/mcp.ts";
import { one } from "../support/service/testedService.ts";

const listOrders = argumentsOf(tools.list_orders ?? assert.fail());
const rowsIn = (body: Members) => Object(body).data as Members[];

test("a tool returns 20 rows in a short form by default, and the fields that were asked for", async () => {
  const { body } = await useTool(one, "list_orders");
  const rows = rowsIn(body);
  const [first = assert.fail()] = rows;
  assert.ok(rows.length === 20 && Object(body.pagination).per_page === 20);
  assert.deepEqual(Object.keys(first), orders.short);
  const left = String(body.more_fields).split(", ");
  assert.deepEqual(new Set([...left, ...orders.short]), new Set(Object.keys(Order.shape)));
  const { data, more_fields } = (await useTool(one, "list_orders", { per_page: 1, fields: "email, phone" })).body;
  const [row = assert.fail()] = rowsIn({ data });
  assert.deepEqual(
    Object.keys(row),
    Object.keys(Order.shape).filter((name) => name in row),
  );
  assert.ok("email" in row && "phone" in row && !String(more_fields).includes("email"));
});

test("list_changes has each resource in its short form", async () => {
  const values = { types: ["event", "order"], per_page: 60 };
  const { data } = (await useTool(one, "list_changes", values)).body;
  const rows = data as { type: string; data: Members | null }[];
  const short = { event: events.short, order: orders.short } as Record<string, readonly string[]>;
  assert.equal(new Set(rows.map(({ type }) => type)).size, 2);
  for (const row of rows) if (row.data) assert.deepEqual(Object.keys(row.data), short[row.type]);
});

test("a tool returns one resource whole, and those in it in their short form without their parent's ids", async () => {
  const orderRows = await one.rows("/v1/orders?expand=tickets");
  const { id } = orderRows.find(({ tickets }) => Array.isArray(tickets) && tickets.length > 1) ?? assert.fail();
  const whole = Object(await one.json(`/v1/orders/${id}?expand=event`));
  const { tickets, event, ...order } = (await useTool(one, "get_order", { order_id: id, expand: ["event"] })).body;
  const { tickets: allTickets, event: wholeEvent, ...own } = whole;
  assert.deepEqual(order, own);
  const short = (names: readonly string[], row: Members) => Object.fromEntries(names.map((name) => [name, row[name]]));
  const ofTicket = ticketResource.short.filter((name) => name !== "order_id" && name !== "date_id");
  assert.deepEqual(
    tickets,
    allTickets.map((ticket: Members) => short(ofTicket, ticket)),
  );
  assert.deepEqual(event, short(events.short, wholeEvent));
});

test("a tool takes a value that stands for none as an absent argument", async () => {
  const first = await useTool(one, "list_orders", { per_page: 5 });
  for (const cursor of ["", null, "undefined", "null", "None", "none"]) {
    const filled = { cursor, reference: "", email: "", expand: [], date_id: 0, fields: "" };
    assert.deepEqual(await useTool(one, "list_orders", { per_page: 5, ...filled }), first);
  }
  const [{ id } = assert.fail()] = await one.rows("/v1/events");
  const zeros = { date_id: 0, discount_id: "0", attendee_id: null, expand: [""], fields: [] };
  const { body } = await useTool(one, "get_record", { ...zeros, event_id: id });
  assert.deepEqual(body, await one.json(`/v1/events/${id}`));
});

test("a tool refuses an unknown argument that looks like a filter, and names its own", async () => {
  for (const name of ["buyer_email", "status", "customerName", "since", "date", "id", "limit", "order_status"]) {
    const { isError, body } = await useTool(one, "list_orders", { [name]: "x", per_page: 2 });
    const detail = `${name}: Unknown argument. The tool's arguments are ${Object.keys(listOrders).join(", ")}.`;
    assert.deepEqual([isError, body.detail], [true, detail]);
  }
});

test("a tool ignores a client's own arguments, and names them first in its answer", async () => {
  const own = { reason: "the user asked", sessionId: "7", toolCallId: 1, _meta: {}, status: "", ticket_id: 0 };
  const { isError, body } = await useTool(one, "list_orders", { ...own, per_page: 1 });
  assert.deepEqual([isError, Object.entries(body)[0]], [false, ["ignored_arguments", Object.keys(own).join(", ")]]);
  const { ignored_arguments: _, ...rest } = body;
  assert.deepEqual(rest, (await useTool(one, "list_orders", { per_page: 1 })).body);
});

test("a refused call gets an error whose detail comes first and says what to do", async () => {
  const hint =
    "The first page needs no cursor. The cursor of the next page is pagination.next_cursor, with the same other arguments.";
  for (const [name, values, detail] of [
    ["list_orders", { date_id: 1, reference: "a" }, "reference: Not with date_id."],
    ["list_orders", { date_id: 1, expand: ["event"] }, "expand: Not with date_id."],
    ["list_orders", { cursor: "another_list_page2" }, `cursor: Not a cursor of this list. ${hint}`],
    ["get_order", { order_id: 999_999_999 }, "No such order."],
  ] as const) {
    const { isError, body } = await useTool(one, name, values);
    assert.deepEqual([isError, Object.entries(body)[0]], [true, ["detail", detail]]);
  }
  const { body } = await useTool(one, "list_discounts", { event_id: 1, fields: "colour" });
  assert.match(String(body.detail), /^fields: Must be names out of all, id, .*active/);
});
