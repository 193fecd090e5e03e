import assert from "node:assert/strict";
import { beforeEach, test } from "@jest/globals";
import { listQuery } from "../../../functions/api/readQuery.ts";
import { type RecordItem, recordItem } from "../../../functions/records/recordItem.ts";
import { resources } from "../../../functions/resources/index.ts";
import { orders } from "../../../functions/resources/order.ts";
import { tickets } from "../../../functions/resources/ticket.ts";
import { itemKeys } from "../../../functions/table/itemKeys.ts";
import { openTable } from "../../../functions/table/table.ts";
import { pagesOf } from "../../support/data/pages.ts";
import {
  attendeeRecord,
  categoryRecord,
  dateRecord,
  eventRecord,
  orderRecord,
  ticketRecord,
} from "../../support/data/records.ts";
import { repositoryOf } from "../../support/data/repositoryOf.ts";
import { deleteItems, putItems, putRecords } from "../../support/data/table.ts";
import { useTestTable } from "../../support/data/testTable.ts";

const everything = ["order", "event", "date", "ticket_category", "attendee"] as const;
const TicketsQuery = listQuery(tickets, "byBarcode", everything);
const parents = { event_id: 1, date_id: 2, order_id: 3, ticket_category_id: 4, attendee_id: 5 };
const barcoded = (query: object) => TicketsQuery.parse({ barcode: "007", ...query });

beforeEach(useTestTable);

const ticketsOf = repositoryOf(tickets, resources);
type Page = Awaited<ReturnType<ReturnType<typeof ticketsOf>["byBarcode"]>>;

/** The ids of the tickets on all pages, after a check of each page. */
async function everyPage(query: object, check: (page: Page) => void) {
  const ids: number[] = [];
  const { byBarcode } = ticketsOf(1, openTable());
  for await (const page of pagesOf((cursor) => byBarcode("007", barcoded({ ...query, cursor })))) {
    check(page);
    ids.push(...page.data.map(({ id }) => id));
  }
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
  const { get } = ticketsOf(1, openTable());
  const ticket = await get(6, everything);
  assert.deepEqual(ticket.order, (await repositoryOf(orders)(1, openTable()).all({ per_page: 1 })).data[0]);
  const { event, date, ticket_category, attendee } = ticket;
  assert.deepEqual([event?.id, date?.id, ticket_category?.id, attendee?.id], [1, 2, 4, 5]);
  assert.deepEqual(Object.keys(await get(7, ["date", "attendee"])).slice(-2), ["date", "attendee"]);
  assert.equal((await get(7, ["attendee"])).attendee, null);
  assert.ok(!("order" in (await get(6, ["date"]))));
  const ofOther = await ticketsOf(2, openTable()).get(6, everything);
  for (const name of everything) assert.equal(ofOther[name], null);
  await assert.rejects(get(8, everything), { code: "not_found" });
});

test("a deleted resource is null", async () => {
  await putRecords(data);
  await deleteItems([itemKeys.attendee(1, 5)]);
  const { attendee, event } = await ticketsOf(1, openTable()).get(6, everything);
  assert.deepEqual([attendee, event?.id], [null, 1]);
});

test("a damaged resource is null and hides no other", async () => {
  const [event, ...others] = data.map(recordItem);
  await putItems([{ ...event, name: 7 } as RecordItem, ...others]);
  const ticket = await ticketsOf(1, openTable()).get(6, everything);
  assert.deepEqual([ticket.event, ticket.order?.id], [null, 3]);
});

const large = 385_000;
const small = 100;
const few = (length: number, bytes: number) => Array<number>(length).fill(bytes);
/** The sizes of the resources that each ticket names. */
const sizesOf = {
  "small, then large resources": { names: "event", sizes: [...few(15, small), ...few(15, large)] },
  "some large resources": {
    names: "event",
    sizes: Array.from({ length: 30 }, (_, index) => (index % 3 ? small : large)),
  },
  "several large resources each": { names: everything.join(), sizes: few(5, large) },
};

test.each(Object.entries(sizesOf))(
  "pages of tickets with %s have every ticket once, with its resources, within the size of a response",
  async (_, { names, sizes }) => {
    await putRecords(sizes.flatMap((bytes, index) => ticketWith(names, index + 1, bytes)));
    const ids = await everyPage({ expand: names, per_page: "200" }, ({ data }) => {
      assert.ok(Buffer.byteLength(JSON.stringify(data)) <= 3_000_001 + data.length);
      for (const { id, order, attendee } of data) assert.ok([order, attendee].every((one) => !one || one.id === id));
    });
    assert.deepEqual(
      ids,
      sizes.map((_, index) => index + 1),
    );
  },
);

/** A ticket, and the resources of this size that it names, which no other ticket names. */
function ticketWith(names: string, id: number, bytes: number) {
  const text = "x".repeat(bytes);
  const ids = { event_id: id, date_id: id, order_id: id, ticket_category_id: id, attendee_id: id };
  const resources = {
    event: eventRecord(1, id, { description: text }),
    date: dateRecord(1, id, id, { name: text }),
    ticket_category: categoryRecord(1, id, id, { description: text }),
    order: orderRecord(1, id, { source: text.slice(0, 370_000) }),
    attendee: attendeeRecord(1, id, { first_name: text }),
  };
  const named = everything.filter((name) => names.split(",").includes(name)).map((name) => resources[name]);
  return [...named, ticketRecord(1, id, { ...ids, barcode: "007" })];
}

test("a ticket whose resources alone exceed a page is on a page of its own", async () => {
  const records = [1, 2].flatMap((id) => ticketWith(everything.join(), id, 110_000));
  const longer = JSON.stringify(records).replaceAll("xxxxxxxxxx", "\\u0001".repeat(10));
  await putRecords(JSON.parse(longer));
  assert.deepEqual(await everyPage({ expand: everything.join() }, ({ data }) => assert.equal(data.length, 1)), [1, 2]);
});
