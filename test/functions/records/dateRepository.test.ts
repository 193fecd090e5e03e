import assert from "node:assert/strict";
import { beforeEach, test } from "@jest/globals";
import { dateRepository } from "../../../functions/records/dateRepository.ts";
import { repositoryOf } from "../../../functions/records/resourceRepository.ts";
import { events } from "../../../functions/resources/event.ts";
import { DatesQuery, EventDatesQuery } from "../../../functions/resources/expanded.ts";
import { openTable } from "../../../functions/table/table.ts";
import { dateRecord, eventRecord } from "../../support/data/records.ts";
import { putRecords } from "../../support/data/table.ts";
import { useTestTable } from "../../support/data/testTable.ts";

beforeEach(useTestTable);

test("a date has its event if a request names it, alone and in both lists", async () => {
  const day = (text: string) => ({ date: `2026-12-${text}T19:30:00Z` });
  await putRecords([
    eventRecord(1, 1, { private: true, unlisted: true }),
    eventRecord(1, 2),
    dateRecord(1, 1, 11, day("11")),
    dateRecord(1, 2, 21, day("12")),
    dateRecord(1, 1, 12, day("13")),
    dateRecord(1, 3, 31, day("14")),
  ]);
  const [first, second] = await Promise.all([1, 2].map((id) => repositoryOf(events)(1, openTable()).get(id)));
  const table = openTable();
  const dates = dateRepository(1, table);

  const from = { expand: "event", from: "2026-12-11", per_page: "200" };
  const all = await dates.all(DatesQuery.parse(from));
  assert.deepEqual(
    all.data.map(({ id, event }) => [id, event]),
    [
      [11, first],
      [21, second],
      [12, first],
      [31, null],
    ],
  );
  assert.deepEqual(table.usage.calls, { Query: 1, BatchGetItem: 1 });

  const page = await dates.ofEvent(1, EventDatesQuery.parse({ expand: "event", per_page: "1" }));
  const next = EventDatesQuery.parse({ expand: "event", cursor: page.pagination.next_cursor });
  const rest = await dates.ofEvent(1, next);
  assert.deepEqual(
    [...page.data, ...rest.data].map(({ id, event }) => [id, event]),
    [
      [11, first],
      [12, first],
    ],
  );

  assert.deepEqual((await dates.get(11, ["event"])).event, first);
  assert.ok(!("event" in (await dates.get(11, []))));
  assert.ok(!("event" in ((await dates.all(DatesQuery.parse({}))).data[0] ?? { event: 0 })));
});
