import assert from "node:assert/strict";
import { test } from "@jest/globals";
import fc from "fast-check";
import { categoryRecord, dateRecord, eventRecord, ticketRecord } from "../../support/data/records.ts";
import { putRecords } from "../../support/data/table.ts";
import type { PageBody } from "../../support/http/client.ts";
import { cases } from "../../support/jest/cases.ts";
import { newHolder } from "../../support/service/testedService.ts";

const eventId = 1;
const dateId = 1;
const rows = cases(12, 24);
/** Days of January, few enough that many rows share one and are ordered by id. */
const days = ["01", "02", "03", "04"] as const;
const rank = fc.constantFrom(...days);

/** Lists with each kind of order, and a function that makes a record at a rank. */
const changing = {
  "/v1/events": (organisation: number, id: number, day: string) =>
    eventRecord(organisation, id, { date_created: `2026-01-${day}` }),
  [`/v1/events/${eventId}/dates`]: (organisation: number, id: number, day: string) =>
    dateRecord(organisation, eventId, id, { date: `2026-01-${day}T10:00:00Z` }),
  [`/v1/events/${eventId}/ticket-categories`]: (organisation: number, id: number, day: string) =>
    categoryRecord(organisation, eventId, id, { sort_index: Number(day) - 2 }),
  [`/v1/dates/${dateId}/tickets`]: (organisation: number, id: number, day: string) =>
    ticketRecord(organisation, id, { date_id: dateId, seat: day }),
};

let organisationId = 7100;
for (const [path, record] of Object.entries(changing)) {
  test(`${path} neither repeats nor skips a row if others are added, changed or moved`, async () => {
    const change = fc.record({ id: fc.integer({ min: 2, max: 2 * rows }), rank });
    const ranks = fc.array(rank, { minLength: rows, maxLength: rows });
    const scenario = fc.tuple(ranks, fc.array(change, { maxLength: 12 }), fc.integer({ min: 1, max: 7 }));
    await fc.assert(
      fc.asyncProperty(scenario, async ([initial, changes, per_page]) => {
        organisationId += 1;
        const client = await newHolder(organisationId, []);
        const put = (id: number, day: string) => putRecords([record(organisationId, id, day)]);
        // A list requires an existing parent.
        if (path !== "/v1/events")
          await putRecords([dateRecord(organisationId, 999, dateId), eventRecord(organisationId, eventId)]);
        await Promise.all(initial.map((day, index) => put(index + 2, day)));
        const unmoved = (await client.rows(path))
          .map(({ id }) => Number(id))
          .filter((id) => changes.every((change) => change.id !== id || change.rank === initial[id - 2]));

        const seen: number[] = [];
        const pending = [...changes];
        let cursor: string | null = null;
        do {
          const page: PageBody = await client.page(path, { per_page, ...(cursor && { cursor }) });
          seen.push(...page.data.map(({ id }) => Number(id)));
          cursor = page.pagination.next_cursor;
          const next = pending.shift();
          if (next) await put(next.id, next.rank);
        } while (cursor !== null);
        assert.deepEqual(
          seen.filter((id) => unmoved.includes(id)),
          unmoved,
        );
      }),
      { numRuns: cases(1, 4) },
    );
  });
}
