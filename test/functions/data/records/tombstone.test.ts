import assert from "node:assert/strict";
import { beforeAll, beforeEach, test } from "@jest/globals";
import fc from "fast-check";
import { recordItem } from "../../../../functions/data/records/recordItem.ts";
import { deletionsShownDays, tombstone } from "../../../../functions/data/records/tombstone.ts";
import { upsertRecord } from "../../../../functions/data/records/upsertRecord.ts";
import { balanceRepository } from "../../../../functions/data/repositories/balanceRepository.ts";
import { orderNoteRepository } from "../../../../functions/data/repositories/orderNoteRepository.ts";
import { orderRepository } from "../../../../functions/data/repositories/orderRepository.ts";
import { repositoryOf } from "../../../../functions/data/repositories/resourceRepository.ts";
import { openTable } from "../../../../functions/data/table/table.ts";
import { attendees } from "../../../../functions/resources/attendee.ts";
import { balancePayments } from "../../../../functions/resources/balancePayment.ts";
import { discounts } from "../../../../functions/resources/discount.ts";
import { events } from "../../../../functions/resources/event.ts";
import { dates } from "../../../../functions/resources/eventDate.ts";
import { orders } from "../../../../functions/resources/order.ts";
import { payments } from "../../../../functions/resources/payment.ts";
import type { Deletion, Record as InputRecord, RecordType } from "../../../../functions/resources/record.ts";
import { tickets } from "../../../../functions/resources/ticket.ts";
import { ticketCategories } from "../../../../functions/resources/ticketCategory.ts";
import { dumpTable } from "../../../support/data/dumpTable.ts";
import { emptyTable } from "../../../support/data/emptyTable.ts";
import {
  attendeeRecord,
  categoryRecord,
  dateRecord,
  discountRecord,
  eventRecord,
  orderRecord,
  paymentRecord,
  ticketRecord,
} from "../../../support/data/records.ts";
import { useTestTable } from "../../../support/data/testTable.ts";
import { cases } from "../../../support/jest/cases.ts";

beforeAll(() => useTestTable());
beforeEach(emptyTable);

const table = openTable();
const id = 7;

/** Makes a record of each type that contains a text. */
const makers: { [Type in RecordType]: (text: string) => InputRecord } = {
  event: (name) => eventRecord(1, id, { name }),
  event_date: (name) => dateRecord(1, 1, id, { name }),
  ticket_category: (name) => categoryRecord(1, 1, id, { name }),
  order: (first_name) => orderRecord(1, id, { first_name }),
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

/** The stored items, without their times of storage. */
async function stored(): Promise<Record<string, unknown>[]> {
  return (await dumpTable()).map(({ expires_at, ...item }) => ({
    ...item,
    expires: expires_at !== undefined,
  }));
}

for (const type of types) {
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
  for (const type of types) {
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
      JSON.stringify(Object.entries(item).sort()).replaceAll(/version \d|"content_hash","[^"]*"/g, "");
    assert.deepEqual(replaced.map(versionless), before.map(versionless));
  }
});

test("a tombstone is kept for a day longer than readers need it", async () => {
  await remove("event", 1);
  const [{ expires_at } = {}] = await dumpTable();
  assert.ok(Math.abs(Number(expires_at) - Date.now() / 1000 - (deletionsShownDays + 1) * 24 * 60 * 60) < 60);
});

test("a record without a version replaces a tombstone", async () => {
  for (const type of types) {
    await remove(type, 9);
    assert.equal(await put(type), true);
  }
  for (const item of await dumpTable()) assert.deepEqual([item.deleted, item.expires_at], [undefined, undefined]);
});

test("a deleted record is not found at once, both by reads and by writes", async () => {
  for (const type of types) {
    await put(type, 1);
    await remove(type, 2);
  }
  const unknown = { code: "not_found" };
  await assert.rejects(repositoryOf(events)(1, table).get(id), unknown);
  await assert.rejects(orderRepository(1, table).get(id), unknown);
  await assert.rejects(repositoryOf(attendees)(1, table).get(id), unknown);
  await assert.rejects(orderNoteRepository(1, table).set(id, "note"), unknown);
  await assert.rejects(repositoryOf(dates)(1, table).ofEvent(id, { per_page: 5, cursor: undefined }), unknown);
  const recorder = { keyId: "key", keyPrefix: "tsk_12345678", idempotencyKey: undefined };
  await assert.rejects(balanceRepository(1, table).record(id, { type: "payment", amount: 1 }, recorder), unknown);
});

test("the lists of a deleted parent are not found, and its children are still found by id", async () => {
  const page = { per_page: 5, cursor: undefined };
  const lists: { [Type in RecordType]?: (() => Promise<unknown>)[] } = {
    event: [
      () => repositoryOf(dates)(1, table).ofEvent(id, page),
      () => repositoryOf(ticketCategories)(1, table).ofEvent(id, page),
      () => repositoryOf(discounts)(1, table).ofEvent(id, page),
      () => repositoryOf(payments)(1, table).ofEvent(id, page),
      () => repositoryOf(balancePayments)(1, table).ofEvent(id, page),
    ],
    event_date: [
      () => repositoryOf(orders)(1, table).ofDate(id, page),
      () => repositoryOf(tickets)(1, table).ofDate(id, page),
      () => repositoryOf(attendees)(1, table).ofDate(id, page),
    ],
    order: [() => repositoryOf(payments)(1, table).ofOrder(id, page)],
  };
  const parents = { event_id: id, date_id: id, order_id: id };
  const children = [
    dateRecord(1, id, 9),
    categoryRecord(1, id, 9),
    orderRecord(1, 9, { event_id: id, date_id: id }),
    ticketRecord(1, 9, parents),
    paymentRecord(1, 9, parents),
    discountRecord(1, 9, { event_id: id }),
    attendeeRecord(1, 9, { event_id: id, date_id: id }),
  ];
  for (const child of children) await upsertRecord(table, recordItem(child));
  for (const [parent, readers] of Object.entries(lists)) {
    await put(parent as RecordType, 1);
    for (const read of readers) await read();
    await remove(parent as RecordType, 2);
    for (const read of readers) await assert.rejects(read(), { code: "not_found" });
  }
  assert.equal((await repositoryOf(dates)(1, table).get(9)).id, 9);
  assert.equal((await orderRepository(1, table).get(9)).id, 9);
});

test("a list with deleted rows has full pages up to the last one, which is marked as the last", async () => {
  for (let event = 1; event <= 12; event++)
    await upsertRecord(table, recordItem({ ...eventRecord(1, event), version: 1 }));
  for (const event of [1, 2, 6, 7, 8, 11]) await upsertRecord(table, tombstone(deletion("event", 2, event)));
  const pages: number[][] = [];
  let cursor: string | undefined;
  do {
    const page = await repositoryOf(events)(1, table).all({ per_page: 2, cursor });
    pages.push(page.data.map((event) => event.id));
    cursor = page.pagination.next_cursor ?? undefined;
  } while (cursor !== undefined);
  assert.deepEqual(pages, [
    [12, 10],
    [9, 5],
    [4, 3],
  ]);
});
