import assert from "node:assert/strict";
import { jest, test } from "@jest/globals";
import { lowerVersion, storedVersion, storeReindexing } from "../../../functions/table/declarations.ts";
import { openTable } from "../../../functions/table/table.ts";
import { interceptCalls } from "../../support/data/interceptCalls.ts";
import { useTestTable } from "../../support/data/testTable.ts";

test("a write of an earlier version ends the reindex of a later one, and a write of the later one does not", async () => {
  await useTestTable();
  const table = openTable();
  await lowerVersion(table, 1, 0);
  await storeReindexing(table, 2);
  await lowerVersion(table, 2, 60_000);
  assert.deepEqual(await storedVersion(table), { declarations: 1, reindexing: 2 });
  await lowerVersion(table, 1, 120_000);
  assert.deepEqual(await storedVersion(table), { declarations: 1 });
});

test("after a check that failed, the next write checks again", async () => {
  await useTestTable();
  const table = openTable();
  interceptCalls(() => Promise.reject(new Error("down")));
  await assert.rejects(lowerVersion(table, 1, 0), /down/);
  jest.restoreAllMocks();
  await lowerVersion(table, 1, 1);
});
