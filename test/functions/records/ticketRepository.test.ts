import assert from "node:assert/strict";
import { beforeEach, test } from "@jest/globals";
import { type RecordItem, recordItem } from "../../../functions/records/recordItem.ts";
import { repositoryOf } from "../../../functions/records/resourceRepository.ts";
import { ticketRepository } from "../../../functions/records/ticketRepository.ts";
import { TicketQuery, TicketsQuery, ticketExpansions } from "../../../functions/resources/expanded.ts";
import { orders } from "../../../functions/resources/order.ts";
import { itemKeys } from "../../../functions/table/itemKeys.ts";
import { openTable, type TableUsage } from "../../../functions/table/table.ts";
import {
  attendeeRecord,
  categoryRecord,
  dateRecord,
  eventRecord,
  orderRecord,
  ticketRecord,
} from "../../support/data/records.ts";
import { deleteItems, putItems, putRecords } from "../../support/data/table.ts";
import { useTestTable } from "../../support/data/testTable.ts";
import { cases } from "../../support/jest/cases.ts";

const everything = TicketQuery.parse({ expand: Object.keys(ticketExpansions).join() }).expand;
const parents = { event_id: 1, date_id: 2, order_id: 3, ticket_category_id: 4, attendee_id: 5 };
const barcoded = (query: object) => TicketsQuery.parse({ barcode: "007", ...query });

beforeEach(useTestTable);

/** A page, and the calls and read units that it takes. */
async function measuredPage(query: object) {
  // Once in each process, a look-up reads whether the table satisfies it.
  await ticketRepository(1, openTable()).byBarcode(barcoded({ per_page: "1" }));
  const usage: TableUsage = { calls: {}, capacityUnits: 0 };
  const page = await ticketRepository(1, openTable(usage)).byBarcode(barcoded(query));
  return { page, usage };
}

/** The ids of the tickets on all pages, after a check of each page. */
async function everyPage(query: object, check: (measured: Awaited<ReturnType<typeof measuredPage>>) => void) {
  const ids: number[] = [];
  let cursor: string | undefined;
  do {
    const measured = await measuredPage({ ...query, ...(cursor && { cursor }) });
    check(measured);
    const { data, pagination } = measured.page;
    assert.equal(pagination.has_more, pagination.next_cursor !== null);
    ids.push(...data.map(({ id }) => id));
    cursor = pagination.next_cursor ?? undefined;
  } while (cursor);
  return ids;
}

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
  await deleteItems([itemKeys.attendee(1, 5)]);
  const { attendee, event } = await ticketRepository(1, openTable()).get(6, everything);
  assert.deepEqual([attendee, event?.id], [null, 1]);
});

test("a damaged resource is null and hides no other", async () => {
  const [event, ...others] = data.map(recordItem);
  await putItems([{ ...event, name: 7 } as RecordItem, ...others]);
  const ticket = await ticketRepository(1, openTable()).get(6, everything);
  assert.deepEqual([ticket.event, ticket.order?.id], [null, 3]);
});

test("a scanned ticket with everything takes two calls, and half a read unit for each resource", async () => {
  await putRecords(data);
  const { page, usage } = await measuredPage({ expand: everything.join() });
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

const large = 385_000;
const small = 100;
const few = (length: number, bytes: number) => Array<number>(length).fill(bytes);
/** The sizes of what each ticket names, and whether all tickets name the same event. */
const sizesOf: Record<string, { names: string; sizes: number[]; isShared?: boolean }> = {
  "large resources": { names: "event", sizes: few(20, large) },
  "small, then large resources": { names: "event", sizes: [...few(15, small), ...few(15, large)] },
  "large, then small resources": { names: "event", sizes: [...few(9, large), ...few(60, small)] },
  "some large resources": {
    names: "event",
    sizes: Array.from({ length: 30 }, (_, index) => (index % 3 ? small : large)),
  },
  "several large resources each": { names: everything.join(), sizes: few(5, large) },
  "small, then several large resources": { names: everything.join(), sizes: [...few(5, small), ...few(3, large)] },
  "one large resource that all name": { names: "event,order", sizes: few(20, small), isShared: true },
};

const triedSizes = cases(
  ["small, then large resources", "some large resources", "several large resources each"],
  Object.keys(sizesOf),
);

test.each(triedSizes)(
  "pages of tickets with %s have every ticket once, with its resources, within the size of a response",
  async (name) => {
    const { names, sizes, isShared = false } = sizesOf[name] ?? { names: "", sizes: [] };
    await putRecords(sizes.flatMap((bytes, index) => ticketWith(names, index + 1, bytes, isShared ? 100 : undefined)));
    const ids = await everyPage({ expand: names, per_page: "200" }, ({ page: { data } }) => {
      assert.ok(Buffer.byteLength(JSON.stringify(data)) <= 3_000_001 + data.length);
      for (const { id, order, attendee } of data) assert.ok([order, attendee].every((one) => !one || one.id === id));
    });
    assert.deepEqual(
      ids,
      sizes.map((_, index) => index + 1),
    );
  },
);

/** A ticket, and the resources of this size that it names, which no other ticket names, except the shared event. */
function ticketWith(names: string, id: number, bytes: number, sharedEvent?: number) {
  const text = "x".repeat(bytes);
  const ids = { event_id: sharedEvent ?? id, date_id: id, order_id: id, ticket_category_id: id, attendee_id: id };
  const resources = {
    event: eventRecord(1, ids.event_id, { description: sharedEvent ? "x".repeat(large) : text }),
    date: dateRecord(1, ids.event_id, id, { name: text }),
    ticket_category: categoryRecord(1, ids.event_id, id, { description: text }),
    order: orderRecord(1, id, { source: text.slice(0, 370_000) }),
    attendee: attendeeRecord(1, id, { first_name: text }),
  };
  const named = everything.filter((name) => names.split(",").includes(name)).map((name) => resources[name]);
  return [...named, ticketRecord(1, id, { ...ids, barcode: "007" })];
}

test("a page that fits into a response reads each resource once, in as many calls as their number needs", async () => {
  const ids = Array.from({ length: 200 }, (_, index) => index + 1);
  await putRecords(ids.flatMap((id) => ticketWith("order", id, 14_000)));
  for (const [tickets, calls] of [
    [7, 1],
    [50, 2],
    [200, 4],
  ] as const) {
    const { page, usage } = await measuredPage({ expand: "order", per_page: String(tickets) });
    assert.deepEqual(
      page.data.map(({ order }) => order?.id),
      ids.slice(0, tickets),
    );
    assert.deepEqual(usage.calls, { Query: 1, BatchGetItem: calls });
    const { usage: without } = await measuredPage({ per_page: String(tickets) });
    assert.equal(usage.capacityUnits, without.capacityUnits + 2 * tickets);
  }
});

test("tickets whose resources do not fit into a response come on several pages", async () => {
  const description = "\u0001".repeat(100_000);
  const ids = Array.from({ length: 12 }, (_, index) => index + 1);
  await putRecords([
    ...ids.map((id) => eventRecord(1, id, { description })),
    ...ids.map((id) => ticketRecord(1, id, { ...parents, event_id: id, barcode: "007" })),
  ]);
  let pages = 0;
  const found = await everyPage({ expand: "event" }, ({ page }) => {
    assert.ok(Buffer.byteLength(JSON.stringify(page.data)) <= 3_000_001 + page.data.length);
    assert.ok(page.data.every(({ event }) => event?.description === description));
    assert.equal(page.pagination.per_page, 50);
    pages += 1;
  });
  assert.deepEqual(found, ids);
  assert.ok(pages > 1);
});

test("a ticket whose resources alone exceed a page is on a page of its own", async () => {
  const records = [1, 2].flatMap((id) => ticketWith(everything.join(), id, 110_000));
  const longer = JSON.stringify(records).replaceAll("xxxxxxxxxx", "\\u0001".repeat(10));
  await putRecords(JSON.parse(longer));
  assert.deepEqual(
    await everyPage({ expand: everything.join() }, ({ page }) => assert.equal(page.data.length, 1)),
    [1, 2],
  );
});
