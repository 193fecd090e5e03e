import assert from "node:assert/strict";
import { beforeAll, test } from "@jest/globals";
import { ChangesQuery } from "../../../functions/changes/change.ts";
import { changeRepository } from "../../../functions/changes/changeRepository.ts";
import { recordItem } from "../../../functions/records/recordItem.ts";
import { openTable } from "../../../functions/table/table.ts";
import { putItem } from "../../../functions/table/writes.ts";
import { demoRecords, loadDemoRecords } from "../../../local/demo/demoRecords.ts";
import { deleteItems, dumpTable } from "../../support/data/table.ts";
import { useTestTable } from "../../support/data/testTable.ts";

const records = demoRecords();

/** The items of the loaded demo data. */
const expected = records.map((record) => {
  const { record_version: _, ...item } = recordItem(record);
  return item;
});

const byKey = (items: Record<string, unknown>[]) => new Map(items.map((item) => [`${item.PK} ${item.SK}`, item]));

beforeAll(async () => {
  await useTestTable();
});

test("a load stores every record, and the list of changes shows them at once", async () => {
  await loadDemoRecords();
  assert.deepEqual(byKey(await dumpTable()), byKey(expected));
  const changes = changeRepository(1, openTable());
  const { data } = await changes.list(ChangesQuery.parse({ per_page: "200" }));
  assert.equal(data.length, 200);
});

test("a repeated load keeps later changes and deletions", async () => {
  const [changed, deleted] = expected;
  assert.ok(changed && deleted);
  await putItem(openTable(), { ...changed, name: "Changed" });
  await deleteItems([deleted]);
  const before = await dumpTable();
  await loadDemoRecords();
  assert.deepEqual(byKey(await dumpTable()), byKey(before));
});

test("a repeated load completes an interrupted one", async () => {
  await deleteItems(expected.slice(-200));
  await loadDemoRecords();
  assert.equal((await dumpTable()).length, expected.length);
});
