import assert from "node:assert/strict";
import { beforeEach, test } from "@jest/globals";
import fc from "fast-check";
import type { Endpoint } from "../../../functions/api/endpoint.ts";
import { listDates } from "../../../functions/endpoints/listDates.ts";
import { listEvents } from "../../../functions/endpoints/listEvents.ts";
import { listOrders } from "../../../functions/endpoints/listOrders.ts";
import { listPayments } from "../../../functions/endpoints/listPayments.ts";
import { type RecordItem, recordItem } from "../../../functions/records/recordItem.ts";
import { resources } from "../../../functions/resources/index.ts";
import { payments } from "../../../functions/resources/payment.ts";
import { openTable } from "../../../functions/table/table.ts";
import { dateRecord, eventRecord, orderRecord, paymentRecord } from "../../support/data/records.ts";
import { repositoryOf } from "../../support/data/repositoryOf.ts";
import { emptyTable, putItems, putRecords } from "../../support/data/table.ts";
import { useTestTable } from "../../support/data/testTable.ts";
import { invoke, ofQuery } from "../../support/http/invoke.ts";
import { cases } from "../../support/jest/cases.ts";

beforeEach(useTestTable);

type Query = Record<string, string>;

async function pageOf(endpoint: Endpoint, query: Query) {
  const { statusCode, body } = await invoke(endpoint, ofQuery(query));
  return { statusCode, ...JSON.parse(body) };
}

/** The ids of the rows on all pages. */
async function idsOf(endpoint: Endpoint, query: Query): Promise<number[]> {
  const ids: number[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await pageOf(endpoint, cursor === undefined ? query : { ...query, cursor });
    assert.equal(page.statusCode, 200, JSON.stringify(page));
    ids.push(...page.data.map(({ id }: { id: number }) => id));
    cursor = page.pagination.next_cursor;
  }
  return ids;
}

/** Texts by the order of their instants. Without an offset they count as UTC. */
const ranks: Readonly<Record<string, number>> = {
  "2026-10-31T23:30:00Z": 0,
  "2026-11-01T00:15:00+00:30": 1,
  "2026-11-01": 2,
  "2026-11-01T00:00:00": 2,
  "2026-10-31T19:00:00-05": 2,
  "2026-11-01T00:00:00.000000001Z": 3,
  "2026-11-30T23:59:59Z": 4,
};
const texts = Object.keys(ranks);
const rankOf = (text: string) => ranks[text] ?? Number.NaN;

test("payments come latest first by date_completed, those without it last, each once, with any page sizes", async () => {
  const rows = fc.uniqueArray(fc.tuple(fc.integer({ min: 1, max: 30 }), fc.option(fc.constantFrom(...texts))), {
    selector: ([id]) => id,
    minLength: 1,
    maxLength: 15,
  });
  await fc.assert(
    fc.asyncProperty(rows, fc.integer({ min: 1, max: 5 }), async (completed, perPage) => {
      await emptyTable();
      await putRecords(completed.map(([id, date_completed]) => paymentRecord(1, id, { date_completed })));
      const rank = (text: string | null) => (text === null ? -1 : rankOf(text));
      const expected = completed.toSorted(([one, a], [other, b]) => rank(b) - rank(a) || other - one);
      assert.deepEqual(
        await idsOf(listPayments, { per_page: String(perPage) }),
        expected.map(([id]) => id),
      );
    }),
    { numRuns: cases(5, 50) },
  );
});

for (const [endpoint, from, to, recordOf] of [
  [
    listPayments,
    "completed_from",
    "completed_to",
    (id: number, time: string) => paymentRecord(1, id, { date_completed: time }),
  ],
  [listOrders, "from", "to", (id: number, time: string) => orderRecord(1, id, { date_created: time })],
  [listEvents, "from", "to", (id: number, time: string) => eventRecord(1, id, { date_created: time })],
] as const) {
  test(`${endpoint.operationId} has a range's rows from its start and before its end, on all pages`, async () => {
    const withoutTime = [paymentRecord(1, 99, { date_completed: null }), eventRecord(1, 99, { date_created: null })];
    await putRecords([...withoutTime, ...texts.map((text, index) => recordOf(index + 1, text))]);
    const expected = (isInside: (rank: number) => boolean) =>
      texts.flatMap((text, index) => (isInside(rankOf(text)) ? [index + 1] : []));
    const found = async (query: Query) => (await idsOf(endpoint, { ...query, per_page: "2" })).sort((a, b) => a - b);
    for (const text of texts) {
      assert.deepEqual(
        await found({ [from]: text }),
        expected((rank) => rank >= rankOf(text)),
        text,
      );
      assert.deepEqual(
        await found({ [to]: text }),
        expected((rank) => rank < rankOf(text)),
        text,
      );
    }
    const november = expected((rank) => rank >= 2 && rank < 4);
    assert.deepEqual(await found({ [from]: "2026-11-01", [to]: "2026-11-30T23:59:59Z" }), november);
    assert.deepEqual(await found({ [from]: "2026-11-01", [to]: "2026-11-01" }), []);
  });

  test(`${endpoint.operationId} returns 400 for a range that ends before it begins, and for a cursor of another`, async () => {
    await putRecords(texts.map((text, index) => recordOf(index + 1, text)));
    const reversed = await pageOf(endpoint, { [from]: "2026-11-02", [to]: "2026-11-01" });
    assert.deepEqual(reversed.errors, [{ parameter: to, detail: `Must not be before ${from}.` }]);
    const { pagination } = await pageOf(endpoint, { per_page: "1", [from]: "2026-11-01" });
    const cursor = pagination.next_cursor;
    for (const query of [{}, { [from]: "2026-10-01" }, { [from]: "2026-11-01", [to]: "2027-01-01" }])
      assert.equal((await pageOf(endpoint, { per_page: "1", cursor, ...query })).errors[0].parameter, "cursor");
  });
}

test("bounds that are 14 hours wider find every row of a local day, with any offset or none", async () => {
  const offsets = ["", "Z", "+14:00", "+05:45", "-0330", "-12"];
  const times = [
    "2026-11-01",
    ...offsets.flatMap((offset) => ["T00:00", "T23:59:59.999"].map((time) => `2026-11-01${time}${offset}`)),
  ];
  await putRecords(times.map((date, index) => dateRecord(1, 5, index + 1, { date })));
  const found = await idsOf(listDates, { from: "2026-10-31T10:00", to: "2026-11-02T14:00" });
  assert.equal(found.length, times.length);
});

test("a range also limits the orders that a reference or an address finds", async () => {
  const day = (id: number) => `2026-11-0${id}`;
  const common = { reference: "K7P2QX", email: "ada@example.org" };
  await putRecords([1, 2, 3, 4].map((id) => orderRecord(1, id, { ...common, date_created: day(id) })));
  for (const lookUp of Object.entries(common)) {
    const query = { ...Object.fromEntries([lookUp]), per_page: "1" };
    assert.deepEqual(await idsOf(listOrders, { ...query, from: day(2), to: day(4) }), [3, 2]);
    assert.deepEqual(await idsOf(listOrders, query), [4, 3, 2, 1]);
  }
});

test("a list without a range has the rows whose stored time cannot be read, and a range does not", async () => {
  const item = recordItem(dateRecord(1, 5, 1));
  const unreadable = { ...item, date: "5 o'clock", GSI2SK: `#${"1".padStart(16, "0")}` } as RecordItem;
  await putItems([unreadable, recordItem(dateRecord(1, 5, 2))]);
  assert.deepEqual(await idsOf(listDates, { per_page: "1" }), [1, 2]);
  assert.deepEqual(await idsOf(listDates, { per_page: "1", to: "9999-12-31" }), [2]);
});

test("a page that its expansions make shorter continues within its range", async () => {
  const description = "x".repeat(390_000);
  const ids = Array.from({ length: 9 }, (_, index) => index + 1);
  await putRecords([
    ...ids.map((id) => eventRecord(1, id, { description })),
    ...ids.map((id) => dateRecord(1, id, id, { date: `2026-03-0${id}` })),
  ]);
  const query = { expand: "event", from: "2026-03-02", to: "2027-01-01" };
  assert.deepEqual(await idsOf(listDates, query), ids.slice(1));
  assert.ok((await pageOf(listDates, query)).pagination.has_more);
});

test("a payment has the order and the event that a request names, and null for those that are missing", async () => {
  await putRecords([
    eventRecord(1, 1),
    orderRecord(1, 3),
    paymentRecord(1, 1, { order_id: 3 }),
    paymentRecord(1, 2, { order_id: null, event_id: 7 }),
    paymentRecord(2, 1, { order_id: 3 }),
  ]);
  const expanded = async (organisationId: number, id: number) => {
    const { order, event } = await repositoryOf(payments, resources)(organisationId, openTable()).get(id, [
      "order",
      "event",
    ]);
    return [order === null ? null : order?.id, event === null ? null : event?.id];
  };
  assert.deepEqual(await expanded(1, 1), [3, 1]);
  assert.deepEqual(await expanded(1, 2), [null, null]);
  assert.deepEqual(await expanded(2, 1), [null, null]);
});
