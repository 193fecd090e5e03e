import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import fc from "fast-check";
import { recordItem } from "../../../../functions/data/records/recordItem.ts";
import { tombstone } from "../../../../functions/data/records/tombstone.ts";
import { upsertRecord } from "../../../../functions/data/records/upsertRecord.ts";
import { attendeeRepository } from "../../../../functions/data/repositories/attendeeRepository.ts";
import { balanceRepository } from "../../../../functions/data/repositories/balanceRepository.ts";
import { dateRepository } from "../../../../functions/data/repositories/dateRepository.ts";
import { eventRepository } from "../../../../functions/data/repositories/eventRepository.ts";
import { orderNoteRepository } from "../../../../functions/data/repositories/orderNoteRepository.ts";
import { orderRepository } from "../../../../functions/data/repositories/orderRepository.ts";
import { openTable } from "../../../../functions/data/table/table.ts";
import type { Deletion, Record as InputRecord, RecordType } from "../../../../functions/resources/record.ts";
import { dumpTable } from "../../../support/dumpTable.ts";
import {
  attendeeRecord,
  categoryRecord,
  dateRecord,
  discountRecord,
  eventRecord,
  orderRecord,
  paymentRecord,
  ticketRecord,
} from "../../../support/records.ts";
import { useTestTable } from "../../../support/testTable.ts";

beforeEach(useTestTable);

const table = openTable();
const id = 7;

/** A record of each type, told from others of its type and id by a text. */
const makers: { [Type in RecordType]: (text: string) => InputRecord } = {
  event: (name) => eventRecord(1, id, { name }),
  event_date: (name) => dateRecord(1, 1, id, { name }),
  ticket_category: (name) => categoryRecord(1, 1, id, { name }),
  order: (reference) => orderRecord(1, id, { reference }),
  ticket: (seat) => ticketRecord(1, id, { seat }),
  payment: (reason) => paymentRecord(1, id, { reason }),
  discount: (code) => discountRecord(1, id, { code }),
  attendee: (first_name) => attendeeRecord(1, id, { first_name }),
};
const types = Object.keys(makers) as RecordType[];

function deletion(type: RecordType, version: number, itemId = id): Deletion {
  return { type, organisation_id: 1, id: itemId, deleted: true, version };
}

const put = (type: RecordType, version?: number) =>
  upsertRecord(table, recordItem({ ...makers[type](`version ${version}`), version }));
const remove = (type: RecordType, version: number) => upsertRecord(table, tombstone(deletion(type, version)));

/** What is stored, but for the times at which it was, and revisions. */
async function stored(): Promise<Record<string, unknown>[]> {
  return (await dumpTable()).map(({ GSI2SK: _, revision, expires_at, ...item }) => ({
    ...item,
    expires: expires_at !== undefined,
  }));
}

for (const type of types) {
  test(`of a ${type}'s records and deletions the one with the highest version stays, in whatever order they come`, async () => {
    const change = fc.record({ version: fc.integer({ min: 1, max: 4 }), isDeletion: fc.boolean() });
    const apply = async (changes: { version: number; isDeletion: boolean }[]) => {
      await useTestTable();
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
      { numRuns: 12 },
    );
  });
}

test("nothing of a record stays in its tombstone, and nothing of a tombstone in the record that replaces it", async () => {
  for (const type of types) {
    await useTestTable();
    await put(type, 5);
    const before = await stored();
    await remove(type, 6);
    const [buried] = await dumpTable();
    assert.deepEqual(Object.keys(buried ?? {}).sort(), ["PK", "SK", "deleted", "expires_at", "record_version"]);
    await put(type, 7);
    const replaced = await stored();
    const versionless = ({ record_version: _, ...item }: Record<string, unknown>) =>
      JSON.stringify(Object.entries(item).sort()).replaceAll(/version \d|"content_hash","[^"]*"/g, "");
    assert.deepEqual(replaced.map(versionless), before.map(versionless));
  }
});

test("a tombstone is kept for 30 days", async () => {
  const { expires_at } = tombstone(deletion("event", 1));
  assert.ok(Math.abs(Number(expires_at) - Date.now() / 1000 - 30 * 24 * 60 * 60) < 60);
});

test("a record without a version takes the place of a tombstone", async () => {
  for (const type of types) {
    await remove(type, 9);
    assert.equal(await put(type), true);
  }
  for (const item of await dumpTable()) assert.deepEqual([item.deleted, item.expires_at], [undefined, undefined]);
});

test("what is deleted is unknown at once to whoever asks for it by its id, and to whoever would write to it", async () => {
  for (const type of types) {
    await put(type, 1);
    await remove(type, 2);
  }
  const unknown = { code: "not_found" };
  await assert.rejects(eventRepository(1, table).get(id), unknown);
  await assert.rejects(orderRepository(1, table).get(id), unknown);
  await assert.rejects(attendeeRepository(1, table).get(id), unknown);
  await assert.rejects(orderNoteRepository(1, table).set(id, "note"), unknown);
  await assert.rejects(dateRepository(1, table).listOfEvent(id, { per_page: 5, cursor: undefined }), unknown);
  const recorder = { keyId: "key", keyPrefix: "tsk_12345678", idempotencyKey: undefined };
  await assert.rejects(balanceRepository(1, table).record(id, { type: "payment", amount: 1 }, recorder), unknown);
});

test("pages of a list with deleted rows are full up to the last, and the last is known to be the last", async () => {
  for (let event = 1; event <= 12; event++)
    await upsertRecord(table, recordItem({ ...eventRecord(1, event), version: 1 }));
  for (const event of [1, 2, 6, 7, 8, 11]) await upsertRecord(table, tombstone(deletion("event", 2, event)));
  const pages: number[][] = [];
  let cursor: string | undefined;
  do {
    const page = await eventRepository(1, table).list({ per_page: 2, cursor });
    pages.push(page.data.map((event) => event.id));
    cursor = page.pagination.next_cursor ?? undefined;
  } while (cursor !== undefined);
  assert.deepEqual(pages, [
    [12, 10],
    [9, 5],
    [4, 3],
  ]);
});
