import assert from "node:assert/strict";
import { test } from "@jest/globals";
import { summaryOf } from "../../../functions/summaries/summaryOf.ts";
import type { CategoryCounters } from "../../../functions/summaries/summaryRows.ts";

/** Lambda's limit ("Lambda quotas"). */
const maximumPayloadBytes = 6_291_456;
const event = { currency: "EUR", currency_symbol: "€", date_created: null };
const date_generated = "2026-11-29T10:00:00.000Z";

/** A row of a category or a currency, whose numbers have as many digits as those of a large event. */
const row = (ticket_category_id: number | undefined, currency: string): CategoryCounters => ({
  ...{ ticket_category_id, currency, date_generated },
  counters: { tickets_sold: 100, gross: 1_000_000, sales_total: 1_000_000, net: 1 },
});
const times = <Made>(length: number, make: (index: number) => Made) =>
  Array.from({ length }, (_, index) => make(index));

function summaryWith(rows: CategoryCounters[]) {
  const summary = summaryOf({ event_id: 1, date_id: null }, rows, event, new Map());
  const payload = JSON.stringify({ statusCode: 200, headers: {}, body: JSON.stringify(summary) });
  assert.ok(Buffer.byteLength(payload) < maximumPayloadBytes - 10_000);
  return summary;
}

test("50,000 ticket categories fit into a response", () => {
  const { ticket_categories, has_more_ticket_categories, tickets_sold } = summaryWith(
    times(50_000, (index) => row(1_000_000_000 + index, "EUR")),
  );
  assert.deepEqual(
    [ticket_categories.length, has_more_ticket_categories, tickets_sold],
    [50_000, undefined, 100 * 50_000],
  );
});

test("lists that do not fit into a response are cut and say so, and the numbers count everything", () => {
  const many = 80_000;
  const categories = summaryWith(times(many, (index) => row(index + 1, "EUR")));
  assert.equal(categories.has_more_ticket_categories, true);
  assert.equal(categories.has_more_other_currencies, undefined);
  assert.ok(categories.ticket_categories.length > 50_000 && categories.ticket_categories.length < many);
  assert.deepEqual([categories.tickets_sold, categories.gross], [100 * many, 1_000_000 * many]);
  const currencies = summaryWith(times(many, (index) => row(undefined, `"\\${index}`)));
  assert.equal(currencies.has_more_other_currencies, true);
  assert.ok(currencies.other_currencies.length > 10_000 && currencies.other_currencies.length < many);
  assert.deepEqual([currencies.tickets_sold, currencies.net], [100 * many, 0]);
});
