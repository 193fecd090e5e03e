import assert from "node:assert/strict";
import { test } from "@jest/globals";
import { uniqueInteger } from "../../../functions/records/balanceRepository.ts";

test("ids are positive safe integers until 2090, and later ones are greater", () => {
  const years = [2026, 2027, 2050, 2090].map((year) => uniqueInteger(Date.UTC(year, 0, 1)));
  assert.ok(years.every((id) => Number.isSafeInteger(id) && id > 0));
  assert.deepEqual(
    [...years].sort((one, other) => one - other),
    years,
  );
});

test("ids of one millisecond are mostly different", () => {
  const now = Date.now();
  assert.ok(new Set(Array.from({ length: 50 }, () => uniqueInteger(now))).size > 40);
});
