import assert from "node:assert/strict";
import { beforeAll, test } from "@jest/globals";
import { ChangesQuery } from "../../../functions/changes/change.ts";
import { changeRepository } from "../../../functions/changes/changeRepository.ts";
import { recordItem, tombstone } from "../../../functions/records/recordItem.ts";
import { openTable } from "../../../functions/table/table.ts";
import { putItem } from "../../../functions/table/writes.ts";
import { demoBalanceItem, demoBalancePaymentItems } from "../../../local/demo/demoBalancePayments.ts";
import { demoLines, loadDemoRecords } from "../../../local/demo/demoRecords.ts";
import { deleteItems, dumpTable } from "../../support/data/table.ts";
import { useTestTable } from "../../support/data/testTable.ts";

/** The items of the loaded demo data. */
const expected = [
  demoBalanceItem(),
  ...demoBalancePaymentItems(),
  ...demoLines().map((line) => {
    if ("deleted" in line) return tombstone(line);
    const { record_version: _, ...item } = recordItem(line);
    return item;
  }),
];

/** Without the expiry of tombstones, and the revision that a dump omits. */
const byKey = (items: Record<string, unknown>[]) =>
  new Map(items.map(({ expires_at: _, revision: _ofDump, ...item }) => [`${item.PK} ${item.SK}`, item]));

beforeAll(async () => {
  await useTestTable();
});

test("a load stores every record, and the list of changes shows them at once", async () => {
  await loadDemoRecords();
  assert.deepEqual(byKey(await dumpTable()), byKey(expected));
  const changes = changeRepository(1, openTable());
  const { data } = await changes.list(ChangesQuery.parse({ per_page: "200" }));
  assert.equal(data.length, 200);
  const { data: rare } = await changes.list(ChangesQuery.parse({ types: "order,balance_payment" }));
  assert.ok(rare.some(({ change }) => change === "deleted"));
  assert.ok(rare.some(({ type }) => type === "balance_payment"));
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
