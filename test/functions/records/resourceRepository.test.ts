import assert from "node:assert/strict";
import { beforeAll, test } from "@jest/globals";
import fc from "fast-check";
import { events } from "../../../functions/resources/event.ts";
import { dates } from "../../../functions/resources/eventDate.ts";
import type { Page, PageQuery } from "../../../functions/resources/page.ts";
import type { Record as InputRecord } from "../../../functions/resources/record.ts";
import { ticketCategories } from "../../../functions/resources/ticketCategory.ts";
import { itemKeys } from "../../../functions/table/itemKeys.ts";
import { openTable, type Table } from "../../../functions/table/table.ts";
import { updateItem, updateOf } from "../../../functions/table/writes.ts";
import { pagesOf } from "../../support/data/pages.ts";
import { categoryRecord, dateRecord, eventRecord } from "../../support/data/records.ts";
import { repositoryOf } from "../../support/data/repositoryOf.ts";
import { putRecords } from "../../support/data/table.ts";
import { useTestTable } from "../../support/data/testTable.ts";

beforeAll(useTestTable);

/** Every row of a list, in pages of the given sizes in turn. */
async function readAll<Row>(list: (page: PageQuery) => Promise<Page<Row>>, sizes: number[]): Promise<Row[]> {
  const rows: Row[] = [];
  let pages = 0;
  const sizeOf = (page: number) => sizes[page % sizes.length] ?? 1;
  for await (const { data } of pagesOf((cursor) => list({ per_page: sizeOf(pages), cursor }))) {
    assert.ok(data.length <= sizeOf(pages++));
    rows.push(...data);
  }
  return rows;
}

const id = fc.oneof(fc.integer({ min: 1, max: 30 }), fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }));
/** Texts by the order of their instants. */
const ranks: Readonly<Record<string, number>> = {
  "1842-12-07T20:00:00-04:56": 0,
  "2025-08-31T23:59:59.999Z": 1,
  "2025-08-31T23:59:59.9990001Z": 2,
  "2025-09-01T00:00:00Z": 3,
  "2025-09-01T02:00:00+02:00": 3,
  "2025-09-01": 3,
  "2025-09-01T00:00:00": 3,
  "2025-09-01T01:30:00.000000001+01:30": 4,
  "2025-09-01T00:00:00.00000001Z": 5,
  "2026-01-01": 6,
};
const rankOf = (text: string | null) => (text === null ? -1 : (ranks[text] ?? Number.NaN));
const instant = fc.constantFrom(...Object.keys(ranks));
const sizes = fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 4 });

function repositoriesOf(organisation: number, table: Table) {
  return {
    events: repositoryOf(events)(organisation, table),
    dates: repositoryOf(dates)(organisation, table),
    categories: repositoryOf(ticketCategories)(organisation, table),
  };
}

let organisationId = 1000;
async function organisationWith(records: (organisationId: number) => InputRecord[]) {
  organisationId += 1;
  const table = openTable();
  await putRecords(records(organisationId));
  return { ...repositoriesOf(organisationId, table), table };
}

test("events come most recent first, null last, ties by descending id, each once, with any page sizes", async () => {
  const rows = fc.uniqueArray(fc.tuple(id, fc.option(instant)), { selector: ([number]) => number, maxLength: 25 });
  await fc.assert(
    fc.asyncProperty(rows, sizes, async (created, pageSizes) => {
      const { events } = await organisationWith((organisation) =>
        created.map(([number, date_created]) => eventRecord(organisation, number, { date_created })),
      );
      const expected = created
        .map(([number, text]) => ({ id: number, rank: rankOf(text) }))
        .sort((one, other) => other.rank - one.rank || other.id - one.id);
      const listed = await readAll(events.all, pageSizes);
      assert.deepEqual(
        listed.map((event) => event.id),
        expected.map((event) => event.id),
      );
    }),
    { numRuns: 20 },
  );
});

test("dates come by start, then id; categories by sort_index, then id", async () => {
  const dateRows = fc.uniqueArray(fc.tuple(id, instant), {
    selector: ([number]) => number,
    minLength: 1,
    maxLength: 15,
  });
  const categoryRows = fc.uniqueArray(fc.tuple(id, fc.integer({ min: -3, max: 3 })), {
    selector: ([number]) => number,
    minLength: 1,
    maxLength: 15,
  });
  await fc.assert(
    fc.asyncProperty(dateRows, categoryRows, sizes, async (starts, indexes, pageSizes) => {
      const { dates, categories } = await organisationWith((organisation) => [
        eventRecord(organisation, 5),
        ...starts.map(([number, date]) => dateRecord(organisation, 5, number, { date })),
        ...indexes.map(([number, sort_index]) => categoryRecord(organisation, 5, number, { sort_index })),
      ]);
      const listedDates = await readAll((page) => dates.ofEvent(5, page), pageSizes);
      const byStart = starts.toSorted(([one, a], [other, b]) => rankOf(a) - rankOf(b) || one - other);
      assert.deepEqual(
        listedDates.map((date) => date.id),
        byStart.map(([number]) => number),
      );
      const listedCategories = await readAll((page) => categories.ofEvent(5, page), pageSizes);
      const byIndex = indexes.toSorted(([one, a], [other, b]) => a - b || one - other);
      assert.deepEqual(
        listedCategories.map((category) => category.id),
        byIndex.map(([number]) => number),
      );
    }),
    { numRuns: 15 },
  );
});

test("a range contains the dates from its beginning and before its end, to the nanosecond", async () => {
  const texts = Object.keys(ranks);
  const { dates } = await organisationWith((organisation) => [
    eventRecord(organisation, 5),
    ...texts.map((date, index) => dateRecord(organisation, 5, index + 1, { date })),
  ]);
  for (const from of texts)
    for (const to of texts.filter((text) => rankOf(text) >= rankOf(from))) {
      const { data } = await dates.all({ per_page: 200, cursor: undefined, from, to });
      const expected = texts.filter((text) => rankOf(text) >= rankOf(from) && rankOf(text) < rankOf(to));
      assert.deepEqual(data.map(({ date }) => date).sort(), expected.sort(), `${from} to ${to}`);
    }
});

test("a page whose rows are damaged shows the rows after them, and is empty only if it is the last", async () => {
  const numbers = [1, 2, 3, 4, 5];
  const { events, table } = await organisationWith((organisation) =>
    numbers.map((number) => eventRecord(organisation, number, { date_created: `2026-01-0${number}` })),
  );
  const damage = updateOf({ set: { name: 7 } });
  for (const number of [5, 4, 3]) await updateItem(table, itemKeys.event(organisationId, number), damage);
  const first = await events.all({ per_page: 2, cursor: undefined });
  assert.deepEqual([first.data.map((event) => event.id), first.pagination.has_more], [[2], true]);
  assert.deepEqual(
    (await readAll(events.all, [1])).map((event) => event.id),
    [2, 1],
  );
  for (const number of [2, 1]) await updateItem(table, itemKeys.event(organisationId, number), damage);
  const none = await events.all({ per_page: 2, cursor: undefined });
  assert.deepEqual([none.data, none.pagination.has_more], [[], false]);
});
