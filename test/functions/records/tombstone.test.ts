import assert from "node:assert/strict";
import { beforeAll, beforeEach, test } from "@jest/globals";
import fc from "fast-check";
import { balanceRepository } from "../../../functions/records/balanceRepository.ts";
import { orderNoteRepository } from "../../../functions/records/orderNoteRepository.ts";
import { deletionsShownDays, recordItem, tombstone } from "../../../functions/records/recordItem.ts";
import { upsertRecord } from "../../../functions/records/upsertRecord.ts";
import { attendees } from "../../../functions/resources/attendee.ts";
import { events } from "../../../functions/resources/event.ts";
import { dates } from "../../../functions/resources/eventDate.ts";
import { resources } from "../../../functions/resources/index.ts";
import { orders } from "../../../functions/resources/order.ts";
import type { PageQuery } from "../../../functions/resources/page.ts";
import { type Deletion, type RecordType, recordTypes } from "../../../functions/resources/record.ts";
import type { Resource } from "../../../functions/resources/resource.ts";
import { openTable } from "../../../functions/table/table.ts";
import { pagesOf } from "../../support/data/pages.ts";
import { anyRecord, eventRecord } from "../../support/data/records.ts";
import { repositoryOf } from "../../support/data/repositoryOf.ts";
import { dumpTable, emptyTable } from "../../support/data/table.ts";
import { useTestTable } from "../../support/data/testTable.ts";
import { cases } from "../../support/jest/cases.ts";

beforeAll(() => useTestTable());
beforeEach(emptyTable);

const table = openTable();
const id = 7;

function deletion(type: RecordType, version: number, itemId = id): Deletion {
  return { type, organisation_id: 1, id: itemId, deleted: true, version };
}

const put = (type: RecordType, version?: number) =>
  upsertRecord(table, recordItem({ ...anyRecord(type, 1, id, `version ${version}`), version }));
const remove = (type: RecordType, version: number) => upsertRecord(table, tombstone(deletion(type, version)));

/** The stored items, without their times of storage. */
async function stored(): Promise<Record<string, unknown>[]> {
  return (await dumpTable()).map(({ expires_at, ...item }) => ({
    ...item,
    expires: expires_at !== undefined,
  }));
}

for (const type of recordTypes) {
  test(`the highest version of a ${type}'s records and deletions wins, in any order`, async () => {
    const change = fc.record({ version: fc.integer({ min: 1, max: 4 }), isDeletion: fc.boolean() });
    const apply = async (changes: { version: number; isDeletion: boolean }[]) => {
      await emptyTable();
      for (const { version, isDeletion } of changes) await (isDeletion ? remove : put)(type, version);
      return stored();
    };
    const shuffled = fc
      .array(change, { minLength: 1, maxLength: 8 })
      .chain((changes) => fc.tuple(fc.constant(changes), fc.shuffledSubarray(changes, { minLength: changes.length })));
    await fc.assert(
      fc.asyncProperty(shuffled, async ([changes, inOtherOrder]) => {
        const highest = Math.max(...changes.map(({ version }) => version));
        const isDeleted = changes.some(({ version, isDeletion }) => version === highest && isDeletion);
        const items = await apply(changes);
        assert.deepEqual(await apply([...inOtherOrder, ...changes]), items);
        assert.deepEqual(
          items.map(({ record_version, deleted = false, expires }) => ({ record_version, deleted, expires })),
          [{ record_version: highest, deleted: isDeleted, expires: isDeleted }],
        );
      }),
      { numRuns: cases(1, 24) },
    );
  });
}

test("a tombstone keeps nothing of its record, and a later record keeps nothing of the tombstone", async () => {
  for (const type of recordTypes) {
    await emptyTable();
    await put(type, 5);
    const before = await stored();
    await remove(type, 6);
    const [buried] = await dumpTable();
    assert.deepEqual(Object.keys(buried ?? {}).sort(), [
      "PK",
      "SK",
      "content_hash",
      "deleted",
      "expires_at",
      "record_version",
    ]);
    await put(type, 7);
    const replaced = await stored();
    const versionless = ({ record_version: _, ...item }: Record<string, unknown>) =>
      JSON.stringify(Object.entries(item).sort()).replaceAll(/version \d|"(?:content_hash|GSI4PK)","[^"]*"/g, "");
    assert.deepEqual(replaced.map(versionless), before.map(versionless));
  }
});

test("a tombstone is kept for a day longer than readers need it", async () => {
  await remove("event", 1);
  const [{ expires_at } = {}] = await dumpTable();
  assert.ok(Math.abs(Number(expires_at) - Date.now() / 1000 - (deletionsShownDays + 1) * 24 * 60 * 60) < 60);
});

test("a record without a version replaces a tombstone", async () => {
  for (const type of recordTypes) {
    await remove(type, 9);
    assert.equal(await put(type), "changed");
  }
  for (const item of await dumpTable()) assert.deepEqual([item.deleted, item.expires_at], [undefined, undefined]);
});

test("reads and writes of a deleted record get not_found immediately", async () => {
  for (const type of recordTypes) {
    await put(type, 1);
    await remove(type, 2);
  }
  const unknown = { code: "not_found" };
  await assert.rejects(repositoryOf(events)(1, table).get(id), unknown);
  await assert.rejects(repositoryOf(orders)(1, table).get(id), unknown);
  await assert.rejects(repositoryOf(attendees)(1, table).get(id), unknown);
  await assert.rejects(orderNoteRepository(1, table).set(id, "note"), unknown);
  await assert.rejects(repositoryOf(dates)(1, table).ofEvent(id, { per_page: 5, cursor: undefined }), unknown);
  const recorder = { keyId: "key", keyPrefix: "tsk_12345678", idempotencyKey: undefined };
  await assert.rejects(balanceRepository(1, table).record(id, { type: "payment", amount: 1 }, recorder), unknown);
});

test("the lists of a deleted parent are not found, and its children are still found by id", async () => {
  const page = { per_page: 5, cursor: undefined };
  const lists = Object.values<Resource>(resources).flatMap((resource) =>
    Object.entries(resource.lists).flatMap(([name, list]) => {
      const repository: Record<string, unknown> = repositoryOf(resource)(1, table);
      const read = repository[name] as (parentId: number, query: PageQuery) => Promise<unknown>;
      return "under" in list ? [{ parent: list.under as RecordType, read: () => read(id, page) }] : [];
    }),
  );
  const parents = { event_id: id, date_id: id, order_id: id };
  for (const type of recordTypes) await upsertRecord(table, recordItem(anyRecord(type, 1, 9, "child", parents)));
  for (const { parent, read } of lists) {
    await put(parent, 1);
    await read();
    await remove(parent, 2);
    await assert.rejects(read(), { code: "not_found" });
    await emptyTable();
    for (const type of recordTypes) await upsertRecord(table, recordItem(anyRecord(type, 1, 9, "child", parents)));
  }
  assert.equal((await repositoryOf(dates)(1, table).get(9)).id, 9);
  assert.equal((await repositoryOf(orders)(1, table).get(9)).id, 9);
});

test("a list with deleted rows has full pages up to the last one, which is marked as the last", async () => {
  for (let event = 1; event <= 12; event++)
    await upsertRecord(table, recordItem({ ...eventRecord(1, event), version: 1 }));
  for (const event of [1, 2, 6, 7, 8, 11]) await upsertRecord(table, tombstone(deletion("event", 2, event)));
  const pages: number[][] = [];
  for await (const { data } of pagesOf((cursor) => repositoryOf(events)(1, table).all({ per_page: 2, cursor })))
    pages.push(data.map((event) => event.id));
  assert.deepEqual(pages, [
    [12, 10],
    [9, 5],
    [4, 3],
  ]);
});
