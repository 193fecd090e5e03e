import assert from "node:assert/strict";
import { beforeEach, test } from "@jest/globals";
import { type RecordItem, recordItem } from "../../../../functions/data/records/recordItem.ts";
import { maximumBatch, upsertBatch, upsertRecord } from "../../../../functions/data/records/upsertRecord.ts";
import { openTable } from "../../../../functions/data/table/table.ts";
import { dumpTable } from "../../../support/data/dumpTable.ts";
import { categoryRecord, dateRecord, eventRecord } from "../../../support/data/records.ts";
import { useTestTable } from "../../../support/data/testTable.ts";

beforeEach(useTestTable);

const table = openTable();

function versionedEvent(version: number, name = `Version ${version}`): RecordItem {
  return recordItem({ ...eventRecord(1, 1, { name }), version });
}

function plainEvent(name: string): RecordItem {
  return recordItem(eventRecord(1, 1, { name }));
}

async function storedName() {
  const items = await dumpTable();
  assert.equal(items.length, 1);
  return items[0]?.name;
}

test("a higher or equal version replaces the stored record, and a lower one does not", async () => {
  const put = [];
  for (const version of [0, 2, 1, 2, 3]) put.push(await upsertRecord(table, versionedEvent(version)));
  assert.deepEqual(put, [true, true, false, true, true]);
  assert.equal(await storedName(), "Version 3");
  assert.equal(await upsertRecord(table, versionedEvent(3, "Version 3 again")), true);
  assert.equal(await storedName(), "Version 3 again");
});

test("the highest version of concurrent writes wins", async () => {
  const versions = Array.from({ length: 20 }, (_, index) => (index * 7) % 20);
  await Promise.all(versions.map((version) => upsertRecord(table, versionedEvent(version))));
  assert.equal(await storedName(), "Version 19");
});

test("a record without a version replaces any record, and any record replaces it", async () => {
  await upsertRecord(table, versionedEvent(7));
  assert.deepEqual(await upsertBatch(table, [plainEvent("Plain")]), []);
  assert.equal(await storedName(), "Plain");
  assert.deepEqual(await upsertBatch(table, [plainEvent("Plain again")]), []);
  assert.equal(await storedName(), "Plain again");
  assert.equal(await upsertRecord(table, versionedEvent(0)), true);
  assert.equal(await storedName(), "Version 0");
});

test("records with the same id but different types or organisations do not replace each other", async () => {
  const records = [1, 2].flatMap((organisation) => [
    eventRecord(organisation, 1),
    dateRecord(organisation, 1, 1),
    categoryRecord(organisation, 1, 1),
  ]);
  await upsertBatch(table, records.map(recordItem));
  assert.equal((await dumpTable()).length, records.length);
});

test("a full batch is stored with every field, null and number as given", async () => {
  const records = Array.from({ length: maximumBatch }, (_, index) =>
    categoryRecord(1, 9_007_199_254_740_991, index + 1, { name: null, price: 12 - index, limit: 2 ** 53 - 1 - index }),
  );
  assert.deepEqual(await upsertBatch(table, records.map(recordItem)), []);
  const stored = await dumpTable();
  assert.equal(stored.length, maximumBatch);
  for (const { data } of records) {
    const { PK, SK, GSI1PK, GSI1SK, event_id, ...fields } = stored.find(({ id }) => id === data.id) ?? {};
    assert.deepEqual(fields, data);
    assert.equal(event_id, 9_007_199_254_740_991);
  }
});
