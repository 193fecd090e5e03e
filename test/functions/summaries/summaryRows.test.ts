import assert from "node:assert/strict";
import { test } from "@jest/globals";
import { countersOfRow } from "../../../functions/summaries/summaryRows.ts";
import { itemKeys } from "../../../functions/table/itemKeys.ts";

test("a damaged counter in a summary's row is an error, not a wrong number", () => {
  const row = { ...itemKeys.eventSummary(1, 1, { block: 2 }), date_generated: "2026-11-29T10:00:00.000Z" };
  assert.deepEqual(
    countersOfRow({ ...row, "3#gross": 5 }).map(({ ticket_category_id, counters }) => [ticket_category_id, counters]),
    [[23, { gross: 5 }]],
  );
  for (const damaged of ["5", 0.5, null, 2 ** 53])
    assert.throws(() => countersOfRow({ ...row, "3#gross": damaged }), /The counter 3#gross is not an integer/);
});
