import assert from "node:assert/strict";
import { test } from "@jest/globals";
import fc from "fast-check";
import { apiKeyRepository } from "../../../functions/keys/apiKeyRepository.ts";
import {
  attendeeRecord,
  categoryRecord,
  dateRecord,
  discountRecord,
  eventRecord,
  orderRecord,
  paymentRecord,
  someone,
  ticketRecord,
} from "../../support/data/records.ts";
import { putRecords } from "../../support/data/table.ts";
import { clientOf, type PageBody } from "../../support/http/client.ts";
import { cases } from "../../support/jest/cases.ts";
import { baseUrl, localTable } from "../../support/service/journeyService.ts";

const eventId = 1;
const dateId = 1;
const orderId = 1;
const rows = cases(12, 24);
/** Days of January, few enough that many rows share one and are ordered by id. */
const days = ["01", "02", "03", "04"] as const;
const rank = fc.constantFrom(...days);

/** Each list, and a function that makes its record at a rank. */
const changing = {
  "/v1/events": (organisation: number, id: number, day: string) =>
    eventRecord(organisation, id, { date_created: `2026-01-${day}` }),
  [`/v1/events/${eventId}/dates`]: (organisation: number, id: number, day: string) =>
    dateRecord(organisation, eventId, id, { date: `2026-01-${day}T10:00:00Z` }),
  [`/v1/events/${eventId}/ticket-categories`]: (organisation: number, id: number, day: string) =>
    categoryRecord(organisation, eventId, id, { sort_index: Number(day) - 2 }),
  [`/v1/events/${eventId}/discounts`]: (organisation: number, id: number, day: string) =>
    discountRecord(organisation, id, { event_id: eventId, name: day }),
  [`/v1/events/${eventId}/payments`]: (organisation: number, id: number, day: string) =>
    paymentRecord(organisation, id, { event_id: eventId, date_created: `2026-01-${day}` }),
  [`/v1/orders/${orderId}/payments`]: (organisation: number, id: number, day: string) =>
    paymentRecord(organisation, id, { order_id: orderId, date_created: `2026-01-${day}` }),
  [`/v1/dates/${dateId}/orders`]: (organisation: number, id: number, day: string) =>
    orderRecord(organisation, id, { date_id: dateId, date_created: `2026-01-${day}` }),
  [`/v1/dates/${dateId}/tickets`]: (organisation: number, id: number, day: string) =>
    ticketRecord(organisation, id, { date_id: dateId, seat: day }),
  [`/v1/dates/${dateId}/attendees`]: (organisation: number, id: number, day: string) =>
    attendeeRecord(organisation, id, { date_id: dateId, status: day }),
};

let organisationId = 7100;
for (const [path, record] of Object.entries(changing)) {
  test(`${path} shows every unmoved row once, while other rows are inserted, changed or moved`, async () => {
    const table = localTable();
    const change = fc.record({ id: fc.integer({ min: 2, max: 2 * rows }), rank });
    const ranks = fc.array(rank, { minLength: rows, maxLength: rows });
    const scenario = fc.tuple(ranks, fc.array(change, { maxLength: 12 }), fc.integer({ min: 1, max: 7 }));
    await fc.assert(
      fc.asyncProperty(scenario, async ([initial, changes, per_page]) => {
        organisationId += 1;
        const { key } = await apiKeyRepository(organisationId, table).create("Pager", [], someone);
        const client = clientOf(baseUrl, key);
        const put = (id: number, day: string) => putRecords([record(organisationId, id, day)]);
        // A list requires an existing parent.
        const elsewhere = { event_id: 999, date_id: 999 };
        const parents = [dateRecord(organisationId, 999, dateId), orderRecord(organisationId, orderId, elsewhere)];
        if (path !== "/v1/events") parents.push(eventRecord(organisationId, eventId));
        await putRecords(parents);
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
