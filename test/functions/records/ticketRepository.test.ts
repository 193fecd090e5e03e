import assert from "node:assert/strict";
import { beforeEach, test } from "@jest/globals";
import { repositoryOf } from "../../../functions/records/resourceRepository.ts";
import { ticketRepository } from "../../../functions/records/ticketRepository.ts";
import { expansions, TicketQuery, TicketsQuery } from "../../../functions/resources/expandedTicket.ts";
import { orders } from "../../../functions/resources/order.ts";
import { keys } from "../../../functions/table/keys.ts";
import { openTable } from "../../../functions/table/table.ts";
import {
  attendeeRecord,
  categoryRecord,
  dateRecord,
  eventRecord,
  orderRecord,
  ticketRecord,
} from "../../support/data/records.ts";
import { deleteItems, putRecords } from "../../support/data/table.ts";
import { useTestTable } from "../../support/data/testTable.ts";

const everything = TicketQuery.parse({ expand: Object.keys(expansions).join() }).expand;
const parents = { event_id: 1, date_id: 2, order_id: 3, ticket_category_id: 4, attendee_id: 5 };
const barcoded = (query: object) => TicketsQuery.parse({ barcode: "007", ...query });

beforeEach(useTestTable);

const data = [
  eventRecord(1, 1),
  dateRecord(1, 1, 2),
  categoryRecord(1, 1, 4),
  orderRecord(1, 3, { event_id: 1, date_id: 2 }),
  attendeeRecord(1, 5, { date_id: 2, order_id: 3 }),
  ticketRecord(1, 6, { ...parents, barcode: "007" }),
  ticketRecord(1, 7, { ...parents, attendee_id: null, barcode: "007" }),
];

test("a ticket has the resources that a request names, as their own endpoints return them", async () => {
  await putRecords([...data, ticketRecord(2, 6, { ...parents, barcode: "007" })]);
  const { get } = ticketRepository(1, openTable());
  const ticket = await get(6, everything);
  assert.deepEqual(ticket.order, await repositoryOf(orders)(1, openTable()).get(3));
  const { event, date, ticket_category, attendee } = ticket;
  assert.deepEqual([event?.id, date?.id, ticket_category?.id, attendee?.id], [1, 2, 4, 5]);
  assert.deepEqual(Object.keys(await get(7, ["date", "attendee"])).slice(-2), ["date", "attendee"]);
  assert.equal((await get(7, ["attendee"])).attendee, null);
  assert.ok(!("order" in (await get(6, ["date"]))));
  const ofOther = await ticketRepository(2, openTable()).get(6, everything);
  for (const name of everything) assert.equal(ofOther[name], null);
  await assert.rejects(get(8, everything), { code: "not_found" });
});

test("a deleted resource is null", async () => {
  await putRecords(data);
  await deleteItems([keys.attendee(1, 5)]);
  const { attendee, event } = await ticketRepository(1, openTable()).get(6, everything);
  assert.deepEqual([attendee, event?.id], [null, 1]);
});

test("a scanned ticket with everything takes two calls, and half a read unit for each resource", async () => {
  await putRecords(data);
  const usage = { calls: {}, capacityUnits: 0 };
  const page = await ticketRepository(1, openTable(usage)).byBarcode(barcoded({ expand: everything.join() }));
  assert.deepEqual(
    page.data.map(({ id, order, attendee }) => [id, order?.id, attendee?.id]),
    [
      [6, 3, 5],
      [7, 3, undefined],
    ],
  );
  assert.deepEqual(usage.calls, { Query: 1, BatchGetItem: 1 });
  assert.equal(usage.capacityUnits, 0.5 + 5 * 0.5);
});

test("tickets whose resources do not fit into a response come on several pages", async () => {
  const description = "\u0001".repeat(100_000);
  const ids = Array.from({ length: 12 }, (_, index) => index + 1);
  await putRecords([
    ...ids.map((id) => eventRecord(1, id, { description })),
    ...ids.map((id) => ticketRecord(1, id, { ...parents, event_id: id, barcode: "007" })),
  ]);
  const { byBarcode } = ticketRepository(1, openTable());
  const found: number[] = [];
  let cursor: string | undefined;
  let pages = 0;
  do {
    const page = await byBarcode(barcoded({ expand: "event", ...(cursor && { cursor }) }));
    assert.ok(Buffer.byteLength(JSON.stringify(page.data)) <= 3_000_001 + page.data.length);
    assert.ok(page.data.every(({ event }) => event?.description === description));
    assert.equal(page.pagination.per_page, 50);
    found.push(...page.data.map(({ id }) => id));
    cursor = page.pagination.next_cursor ?? undefined;
    pages += 1;
  } while (cursor);
  assert.deepEqual(found, ids);
  assert.ok(pages > 1);
});
