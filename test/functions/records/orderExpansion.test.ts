import assert from "node:assert/strict";
import { beforeEach, test } from "@jest/globals";
import { listQuery, selectedList } from "../../../functions/api/readQuery.ts";
import { type RecordItem, recordItem } from "../../../functions/records/recordItem.ts";
import { resources } from "../../../functions/resources/index.ts";
import { orders } from "../../../functions/resources/order.ts";
import { payments } from "../../../functions/resources/payment.ts";
import { tickets } from "../../../functions/resources/ticket.ts";
import { itemKeys } from "../../../functions/table/itemKeys.ts";
import { openTable } from "../../../functions/table/table.ts";
import { pagesOf } from "../../support/data/pages.ts";
import {
  attendeeRecord,
  dateRecord,
  discountRecord,
  eventRecord,
  orderRecord,
  paymentRecord,
  ticketRecord,
} from "../../support/data/records.ts";
import { repositoryOf } from "../../support/data/repositoryOf.ts";
import { deleteItems, putItems, putRecords } from "../../support/data/table.ts";
import { useTestTable } from "../../support/data/testTable.ts";

beforeEach(useTestTable);

const table = openTable();
const ordersWithTickets = repositoryOf(orders, resources)(1, table);
const { ofOrder: paymentsOfOrder } = repositoryOf(payments)(1, table);

const everything = Object.keys(orders.expand ?? {});
const OrdersQuery = listQuery(orders, "all", everything);

/** The orders that `GET /v1/orders` lists for a query. */
function listed(query: object = {}, from = table) {
  const parsed = OrdersQuery.parse(query);
  const { all, byEmail, byReference } = repositoryOf(orders, resources)(1, from);
  const { name, text = "" } = selectedList(orders, "all", parsed);
  if (name === "byEmail") return byEmail(text, parsed);
  return name === "byReference" ? byReference(text, parsed) : all(parsed);
}

/** An order with two of each child, and the names to expand. */
const expandable = [
  eventRecord(1, 15),
  dateRecord(1, 15, 16),
  discountRecord(1, 17, { event_id: 15 }),
  orderRecord(1, 7, { event_id: 15, date_id: 16, discount_id: 17 }),
  ...[1, 2].flatMap((id) => [
    ticketRecord(1, id, { order_id: 7 }),
    paymentRecord(1, id, { order_id: 7 }),
    attendeeRecord(1, id, { date_id: 16, order_id: 7 }),
  ]),
];
const idsOf = (rows: { id: number }[] = []) => rows.map(({ id }) => id).sort();

test("an expanded order contains the same resources as their own lists and endpoints", async () => {
  await putRecords([...expandable, orderRecord(2, 7), paymentRecord(2, 3, { order_id: 7 })]);
  const order = await ordersWithTickets.get(7, everything);
  assert.deepEqual([order.event?.id, order.date?.id, order.discount?.id], [15, 16, 17]);
  assert.deepEqual([order.tickets, order.payments, order.attendees].map(idsOf), [
    [1, 2],
    [1, 2],
    [1, 2],
  ]);
  const { data: paid } = await paymentsOfOrder(7, { per_page: 50, cursor: undefined });
  assert.deepEqual(order.payments, paid);
  const [inList] = (await listed({ expand: everything.join() })).data;
  assert.deepEqual(inList, order);
  assert.ok(!("payments" in (await ordersWithTickets.get(7, ["event"]))));
  const ofOther = await repositoryOf(orders, resources)(2, table).get(7, everything);
  assert.deepEqual([ofOther.event, ofOther.discount, idsOf(ofOther.payments)], [null, null, [3]]);
});

test.each([{}, { email: "a@b" }, { reference: "R" }])(
  "a page of expanded orders has at most a hundred lists, read by a few statements: %j",
  async (filter) => {
    const ids = Array.from({ length: 60 }, (_, index) => index + 1);
    const fields = { event_id: 15, email: "a@b", reference: "R" };
    await putRecords(ids.flatMap((id) => [orderRecord(1, id, fields), ticketRecord(1, id, { order_id: id })]));
    await listed(filter);
    const seen: number[] = [];
    const own = openTable();
    const query = { ...filter, per_page: "200", expand: "tickets,payments" };
    for await (const { data } of pagesOf((cursor) => listed({ ...query, cursor }, own))) {
      assert.deepEqual(own.usage.calls, { Query: 1, ExecuteStatement: 2 * Math.ceil(data.length / 17) });
      own.usage.calls = {};
      for (const { id, tickets } of data) assert.deepEqual(idsOf(tickets), [id]);
      seen.push(...idsOf(data));
    }
    assert.deepEqual(
      seen.toSorted((one, other) => one - other),
      ids,
    );
    const { data } = await listed({ ...filter, per_page: "200", expand: "tickets" });
    assert.deepEqual(
      data.map(({ tickets }) => idsOf(tickets)),
      data.map(({ id }) => [id]),
    );
    assert.equal(data.length, ids.length);
  },
);

test("a page of a thousand rows reads few of the resources that do not fit into it", async () => {
  const ids = Array.from({ length: 700 }, (_, index) => index + 1);
  const description = "x".repeat(30_000);
  await putRecords(ids.flatMap((id) => [eventRecord(1, id, { description }), orderRecord(1, id, { event_id: id })]));
  const own = openTable();
  const { data, pagination } = await listed({ expand: "event", per_page: "1000" }, own);
  assert.ok(data.length > 90 && data.length < 100 && pagination.has_more, String(data.length));
  const pageUnits = 200;
  assert.ok(own.usage.capacityUnits <= pageUnits + (8 + 64 + 300) * 4, String(own.usage.capacityUnits));
});

test("a list of children ends after a hundred, or at an eighth of a response, and says that there are more", async () => {
  await putRecords([orderRecord(1, 7), orderRecord(1, 8)]);
  await putRecords(Array.from({ length: 101 }, (_, id) => ticketRecord(1, id + 1, { order_id: 7 })));
  const answers = [{ question_id: 1, question: "?", answer: "x".repeat(200_000) }];
  await putRecords([1, 2].map((id) => attendeeRecord(1, id, { order_id: 8, answers })));
  const { data } = await listed({ expand: "tickets,attendees" });
  const shown = Object.fromEntries(
    data.map(({ id, tickets, has_more_tickets, attendees, has_more_attendees }) => [
      id,
      [tickets?.length, has_more_tickets, attendees?.length, has_more_attendees],
    ]),
  );
  assert.deepEqual(shown, { 7: [100, true, 0, undefined], 8: [0, undefined, 1, true] });
});

test("orders whose lists are too large to be read together get the same as each alone", async () => {
  const answers = [{ question_id: 1, question: "?", answer: "x".repeat(200_000) }];
  await putRecords([7, 8, 9].map((id) => orderRecord(1, id)));
  await putRecords([1, 2, 3, 4, 5, 6].map((id) => attendeeRecord(1, id, { order_id: id === 6 ? 9 : 8, answers })));
  const own = openTable();
  const { data } = await listed({ expand: "attendees" }, own);
  assert.deepEqual(own.usage.calls, { Query: 1 + 3, ExecuteStatement: 1 });
  for (const order of data) {
    const { tickets: _, ...alone } = await ordersWithTickets.get(order.id, ["attendees"]);
    assert.deepEqual(order, alone);
  }
});

test("a damaged or deleted child or parent hides nothing else", async () => {
  await putRecords(expandable.filter(({ type, data }) => type !== "ticket" || data.id !== 2));
  await deleteItems([itemKeys.event(1, 15), itemKeys.payment(1, 1)]);
  await putItems([{ ...recordItem(ticketRecord(1, 2, { order_id: 7 })), barcode: 7 } as unknown as RecordItem]);
  const [inList] = (await listed({ expand: everything.join() })).data;
  for (const order of [inList, await ordersWithTickets.get(7, everything)])
    assert.deepEqual(
      [order?.event, order?.date?.id, idsOf(order?.tickets), idsOf(order?.payments)],
      [null, 16, [1], [2]],
    );
});

test("a date's tickets can be expanded", async () => {
  await putRecords([...expandable, ticketRecord(1, 3, { order_id: 7, date_id: 16, attendee_id: 1 })]);
  const query = { per_page: 50, expand: ["order", "attendee"] };
  const [ticket, ...others] = (await repositoryOf(tickets, resources)(1, table).ofDate(16, query)).data;
  assert.deepEqual([ticket?.id, ticket?.order?.id, ticket?.attendee?.id, others.length], [3, 7, 1, 0]);
  await assert.rejects(repositoryOf(tickets)(2, table).ofDate(16, query), { code: "not_found" });
});

test("an order comes with its tickets by id", async () => {
  await putRecords([orderRecord(1, 7)]);
  await putRecords([12, 11, 2].map((id) => ticketRecord(1, id, { order_id: 7 })));
  await putRecords([ticketRecord(1, 5, { order_id: 8 })]);
  assert.deepEqual(await ordersWithTickets.get(7), {
    ...orderRecord(1, 7).data,
    tickets: [2, 11, 12].map((id) => ticketRecord(1, id, { order_id: 7 }).data),
  });
  await assert.rejects(repositoryOf(orders)(2, table).get(7), { code: "not_found" });
});

test("payments of an order come newest first, and an unknown order is not found", async () => {
  await putRecords([orderRecord(1, 7)]);
  const dated = (id: number, day: string) => paymentRecord(1, id, { order_id: 7, date_created: `2026-01-${day}` });
  await putRecords([dated(1, "02"), dated(2, "03"), dated(3, "02")]);
  const page = { per_page: 50, cursor: undefined };
  assert.deepEqual(
    (await paymentsOfOrder(7, page)).data.map(({ id }) => id),
    [2, 3, 1],
  );
  await putRecords([orderRecord(1, 8)]);
  assert.deepEqual((await paymentsOfOrder(8, page)).data, []);
  await assert.rejects(paymentsOfOrder(9, page), { code: "not_found" });
});
