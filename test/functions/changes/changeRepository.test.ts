import assert from "node:assert/strict";
import { BatchWriteCommand } from "@aws-sdk/lib-dynamodb";
import { beforeEach, test } from "@jest/globals";
import { ChangesQuery } from "../../../functions/changes/change.ts";
import { changeRepository } from "../../../functions/changes/changeRepository.ts";
import { balanceRepository } from "../../../functions/records/balanceRepository.ts";
import { visibilityDelayMs } from "../../../functions/records/changeTime.ts";
import { orderNoteRepository } from "../../../functions/records/orderNoteRepository.ts";
import { deletionsShownDays, recordItem, tombstone } from "../../../functions/records/recordItem.ts";
import { upsertRecord } from "../../../functions/records/upsertRecord.ts";
import { changingTypes } from "../../../functions/resources/index.ts";
import type { Order } from "../../../functions/resources/order.ts";
import type { Record as InputRecord, RecordType } from "../../../functions/resources/record.ts";
import { documentClient } from "../../../functions/table/client.ts";
import { TableClock } from "../../../functions/table/clock.ts";
import { itemKeys } from "../../../functions/table/itemKeys.ts";
import { changeKey } from "../../../functions/table/lists.ts";
import { openTable } from "../../../functions/table/table.ts";
import { updateItem, updateOf } from "../../../functions/table/writes.ts";
import { pagesOf } from "../../support/data/pages.ts";
import {
  attendeeRecord,
  categoryRecord,
  dateRecord,
  discountRecord,
  eventRecord,
  orderRecord,
  paymentRecord,
  ticketRecord,
} from "../../support/data/records.ts";
import { clockOf, putRecords as putRecordsInto, tableAt } from "../../support/data/table.ts";
import { useTestTable } from "../../support/data/testTable.ts";

let aheadMs = 0;
const clock = clockOf(() => Date.now() + aheadMs);
const table = openTable(undefined, clock);
const dayMs = 24 * 60 * 60 * 1_000;
/** DynamoDB's limit for one call. */
const maximumBatch = 25;

beforeEach(async () => {
  aheadMs = 0;
  await useTestTable();
});

const list = (query: Record<string, string> = {}, organisationId = 1) =>
  changeRepository(organisationId, table).list(ChangesQuery.parse(query));

const idsIn = (rows: { id: number }[]) => rows.map(({ id }) => id);

const putRecords = (given: InputRecord[]) => putRecordsInto(given, table);

/** Lets all changes so far pass the visibility delay, by default. */
function pass(ms = visibilityDelayMs + 1_001): void {
  aheadMs += ms;
}

/** Stores the records as changes that follow each other by a millisecond. @returns the time of the first. */
async function storeInOrder(given: InputRecord[]): Promise<number> {
  const startMs = clock.nowMs();
  const puts = given.map(recordItem).map((item, index) => ({
    PutRequest: { Item: { ...item, ...changeKey(item, startMs + index) } },
  }));
  for (let start = 0; start < puts.length; start += maximumBatch)
    await documentClient().send(
      new BatchWriteCommand({ RequestItems: { [table.name()]: puts.slice(start, start + maximumBatch) } }),
    );
  aheadMs += given.length;
  return startMs;
}

async function remove(type: RecordType, id: number, version: number): Promise<void> {
  await upsertRecord(table, tombstone({ type, organisation_id: 1, id, deleted: true, version }));
}

/** One record of each type, with the same id. */
const records = [
  eventRecord(1, 7),
  dateRecord(1, 7, 7),
  categoryRecord(1, 7, 7),
  orderRecord(1, 7),
  ticketRecord(1, 7),
  paymentRecord(1, 7),
  discountRecord(1, 7),
  attendeeRecord(1, 7),
];
const types = records.map(({ type }) => type);

test("changes of all types appear after the visibility delay, in the order of their acceptance", async () => {
  const startMs = Date.now();
  const shuffled = [5, 1, 7, 0, 3, 6, 2, 4].map((index) => records[index] ?? assert.fail());
  for (const record of shuffled) {
    await putRecords([record]);
    pass(1);
  }
  // A busy machine may need longer for the writes.
  aheadMs = startMs - Date.now();
  const none = await list();
  assert.deepEqual([none.data, none.pagination.has_more], [[], false]);
  aheadMs = 0;
  pass();
  const { data } = await list({ cursor: none.pagination.resume_cursor });
  assert.deepEqual(
    data.map(({ changed_at, key, ...change }) => change),
    shuffled.map((record) => ({
      type: record.type,
      id: 7,
      ...(record.type === "ticket_category" && { event_id: 7 }),
      change: "upserted",
      data: record.data,
    })),
  );
  assert.deepEqual(
    data.map(({ changed_at }) => changed_at),
    data.map(({ changed_at }) => changed_at).sort(),
  );
  assert.deepEqual((await list({}, 2)).data, []);
});

test("a change has a key of its type, id and time: the same when it is read again, and another when it changes again", async () => {
  const keys = async () => (await list()).data.map(({ key }) => key);
  await putRecords([orderRecord(1, 7), eventRecord(1, 7)]);
  pass();
  const first = await keys();
  const { data } = await list();
  assert.deepEqual(
    first,
    data.map(({ type, id, changed_at }) => `${type}-${id}-${changed_at}`),
  );
  assert.deepEqual(new Set(data.map(({ type }) => type)), new Set(["order", "event"]));
  await putRecords([orderRecord(1, 7, { status: "cancelled" })]);
  pass();
  const later = await keys();
  assert.deepEqual([later.length, later.filter((key) => first.includes(key)).length], [2, 1]);
  await remove("event", 7, 2);
  pass();
  assert.equal((await keys()).filter((key) => later.includes(key)).length, 1);
});

test("a resource is listed once, at its latest change, and deletions are changes without data", async () => {
  for (const record of records) await putRecords([{ ...record, version: 1 }]);
  for (const type of types) {
    pass(1);
    await remove(type, 7, 2);
  }
  pass();
  const { data, pagination } = await list();
  assert.deepEqual(
    data.map(({ type, id, change, data }) => [type, id, change, data]),
    types.map((type) => [type, 7, "deleted", null]),
  );
  await putRecords([{ ...orderRecord(1, 7), version: 3 }]);
  pass();
  const { data: restored } = await list({ cursor: pagination.resume_cursor });
  assert.deepEqual(
    restored.map(({ type, change }) => [type, change]),
    [["order", "upserted"]],
  );
});

test("balance payments and notes that the API wrote are changes", async () => {
  await putRecords([eventRecord(1, 7), orderRecord(1, 7)]);
  pass();
  const { pagination } = await list();
  const recorder = { keyId: "key", keyPrefix: "tsk_12345678", idempotencyKey: "once" };
  const record = () => balanceRepository(1, table).record(7, { type: "payment", amount: 1 }, recorder);
  const { outcome } = await record();
  const note = await orderNoteRepository(1, table).set(7, "Wheelchair place");
  pass();
  const { data, pagination: next } = await list({ cursor: pagination.resume_cursor });
  const { tickets: _, ...order }: Order & { tickets?: unknown } = note;
  const shown = [
    { type: "balance_payment", data: "recorded" in outcome && outcome.recorded },
    { type: "order", data: order },
  ];
  assert.deepEqual(
    data.map(({ type, data }) => ({ type, data })),
    shown,
  );
  // The first try may have been stored late, so its replay is a change too.
  await record();
  pass();
  const { data: replayed } = await list({ cursor: next.resume_cursor });
  assert.deepEqual(
    replayed.map(({ type, data }) => ({ type, data })),
    shown.slice(0, 1),
  );
});

for (const { perPage, most } of [
  { perPage: 1_000, most: 1.1 },
  { perPage: 200, most: 1.3 },
]) {
  test(`a copy in pages of ${perPage} reads at most ${most} times the units of one type after the other`, async () => {
    const mixed = Array.from({ length: 700 }, (_, index) => [
      eventRecord(1, index + 1),
      orderRecord(1, index + 1),
      ticketRecord(1, index + 1),
    ]).flat();
    await storeInOrder(mixed);
    pass();
    const copy = async (query: Record<string, string>) => {
      const own = openTable(undefined, clock);
      let rows = 0;
      const list = (cursor?: string) =>
        changeRepository(1, own).list(ChangesQuery.parse({ ...query, per_page: String(perPage), cursor }));
      for await (const { data } of pagesOf(list)) rows += data.length;
      return { rows, units: own.usage.capacityUnits };
    };
    const all = await copy({});
    const parts = [];
    for (const types of changingTypes) parts.push(await copy({ types }));
    const fewest = parts.reduce((units, part) => units + part.units, 0);
    assert.equal(all.rows, mixed.length);
    assert.ok(all.units <= most * fewest, `${all.units} units, and ${fewest} type by type`);
  });
}

test("readers of 200 and of 1,000 rows a page see the same changes while records arrive", async () => {
  const readers = [200, 1_000].map((perPage) => {
    let cursor: string | undefined;
    const seen = new Map<string, string>();
    let last = "";
    async function readPage(): Promise<boolean> {
      const { data, pagination } = await list({ per_page: String(perPage), ...(cursor !== undefined && { cursor }) });
      for (const { type, id, changed_at } of data) {
        assert.ok(changed_at >= last);
        last = changed_at;
        seen.set(`${type} ${id}`, changed_at);
      }
      cursor = pagination.resume_cursor;
      return pagination.has_more;
    }
    return { seen, readPage };
  });
  for (let round = 0; round < 30; round++) {
    const ids = Array.from({ length: 40 }, (_, index) => round * 40 + index + 1);
    const moved = Math.floor(round / 2) * 40 + 1;
    await storeInOrder([
      ...ids.flatMap((id) => [orderRecord(1, id), ticketRecord(1, id), paymentRecord(1, id)]),
      orderRecord(1, moved, { reference: `Moved in ${round}` }),
    ]);
    pass(round % 3 === 0 ? 3_000 : 0);
    for (const { readPage } of readers) if (round % 2 === 0) await readPage();
  }
  pass();
  for (const { readPage } of readers) while (await readPage());
  const [first, second] = readers.map(({ seen }) => Object.fromEntries(seen));
  assert.equal(Object.keys(first ?? {}).length, 30 * 40 * 3);
  assert.deepEqual(first, second);
});

test("a change that appears late is not hidden from readers behind it", async () => {
  const startMs = await storeInOrder([1, 2, 3, 4, 5].map((id) => eventRecord(1, id)));
  pass();
  const { pagination } = await list({ per_page: "2" });
  // Between the second event and the third, where the first reader found no order.
  await putRecordsInto(
    [orderRecord(1, 6)],
    tableAt(() => startMs + 1),
  );
  const { data } = await list({ per_page: "2", cursor: pagination.resume_cursor });
  assert.deepEqual(
    data.map(({ type, id }) => [type, id]),
    [
      ["order", 6],
      ["event", 3],
    ],
  );
});

test("a type whose rows were all read is read again when the visibility delay has passed its new ones", async () => {
  await putRecords([1, 2, 3, 4, 5].map((id) => eventRecord(1, id)));
  pass();
  const first = await list({ per_page: "2" });
  await putRecords([orderRecord(1, 6)]);
  pass();
  const second = await list({ per_page: "2", cursor: first.pagination.resume_cursor });
  const third = await list({ per_page: "2", cursor: second.pagination.resume_cursor });
  assert.deepEqual(
    third.data.map(({ type }) => type),
    ["event", "order"],
  );
});

test("a page of one organisation says nothing about another's rows after the same position", async () => {
  const startMs = Date.now();
  const atOnce = tableAt(() => startMs);
  await putRecordsInto(
    [1, 2].flatMap((organisation) => [1, 2, 3].map((id) => eventRecord(organisation, id))),
    atOnce,
  );
  await putRecordsInto([orderRecord(1, 1)], atOnce);
  pass();
  const { resume_cursor: cursor } = (await list({ per_page: "2" })).pagination;
  await list({ per_page: "2" }, 2);
  const { data } = await list({ cursor });
  assert.deepEqual(
    data.map(({ type }) => type),
    ["event", "order"],
  );
});

test("a page of large rows ends early, and the next one continues", async () => {
  const description = "x".repeat(350_000);
  const events = Array.from({ length: 12 }, (_, index) => eventRecord(1, index + 1, { description }));
  const categories = Array.from({ length: 12 }, (_, index) => categoryRecord(1, 1, index + 1, { description }));
  await putRecords([...events, ...categories]);
  pass();
  const seen: string[] = [];
  for await (const page of pagesOf((cursor) => list({ per_page: "200", ...(cursor && { cursor }) }))) {
    assert.ok(Buffer.byteLength(JSON.stringify(page)) < 4_000_000);
    seen.push(...page.data.map(({ type, id }) => `${type} ${id}`));
  }
  assert.equal(seen.length, 24);
  assert.equal(new Set(seen).size, 24);
});

test("types limit the list, and a cursor belongs to its types in any order and to its organisation", async () => {
  await putRecords(records);
  pass();
  const { data, pagination } = await list({ types: "ticket,order" });
  assert.deepEqual(data.map(({ type }) => type).sort(), ["order", "ticket"]);
  const cursor = pagination.resume_cursor;
  assert.deepEqual((await list({ types: "order,ticket", cursor })).data, []);
  for (const other of [{ types: types.join() }, { types: "order" }, { types: "order,ticket,event" }])
    await assert.rejects(list({ ...other, cursor }), { name: "ForeignCursor" });
  await assert.rejects(list({ types: "order,ticket", cursor }, 2), { name: "ForeignCursor" });
  for (const foreign of ["", "x", cursor.slice(1), `${cursor}A`])
    await assert.rejects(list({ types: "order,ticket", cursor: foreign }), { name: "ForeignCursor" });
});

test("a list of changes can begin at a time, and its cursors continue there", async () => {
  aheadMs = -60_000;
  await putRecords([orderRecord(1, 1)]);
  aheadMs = 0;
  const changed_since = new Date(clock.nowMs()).toISOString();
  await putRecords([orderRecord(1, 2)]);
  pass(1);
  await putRecords([ticketRecord(1, 3)]);
  pass();
  const first = await list({ per_page: "1", changed_since });
  assert.deepEqual([idsIn(first.data), first.pagination.has_more], [[2], true]);
  const second = await list({ per_page: "1", cursor: first.pagination.resume_cursor });
  assert.deepEqual([idsIn(second.data), second.pagination.has_more], [[3], false]);
  const [{ changed_at = "" } = {}] = second.data;
  assert.deepEqual(idsIn((await list({ changed_since: changed_at })).data), [3]);
});

test("a cursor or a time from more than 30 days ago has expired", async () => {
  await putRecords([orderRecord(1, 1)]);
  pass();
  const { pagination } = await list();
  const changed_since = new Date(clock.nowMs()).toISOString();
  pass(deletionsShownDays * dayMs - 2 * 60 * 60 * 1_000);
  await list({ cursor: pagination.resume_cursor });
  await list({ changed_since });
  pass(3 * 60 * 60 * 1_000);
  await assert.rejects(list({ cursor: pagination.resume_cursor }), { code: "cursor_expired" });
  await assert.rejects(list({ changed_since }), { code: "cursor_expired" });
  assert.equal((await list()).data.length, 1);
});

test("a reader who comes back in time keeps its cursor, even if nothing changes and its copy took days", async () => {
  for (const id of [1, 2, 3]) await putRecords([orderRecord(1, id)]);
  pass(100 * dayMs);
  const begun = await list({ per_page: "1" });
  pass(20 * dayMs);
  const copied = await list({ per_page: "2", cursor: begun.pagination.resume_cursor });
  assert.equal(copied.pagination.has_more, false);
  let cursor = copied.pagination.resume_cursor;
  for (let visit = 0; visit < 3; visit++) {
    pass(25 * dayMs);
    const { data, pagination } = await list({ cursor });
    assert.deepEqual(data, []);
    cursor = pagination.resume_cursor;
  }
  pass(31 * dayMs);
  await assert.rejects(list({ cursor }), { code: "cursor_expired" });
  // A copy that was begun, but not continued in time, may contain records whose deletions are no longer shown.
  await assert.rejects(list({ cursor: begun.pagination.resume_cursor }), { code: "cursor_expired" });
});

test("a reader that takes more than 30 days to catch up expires, however often it reads", async () => {
  for (const id of [1, 2, 3, 4, 5]) await putRecords([orderRecord(1, id)]);
  pass(dayMs);
  let cursor = (await list({ per_page: "1" })).pagination.resume_cursor;
  pass(20 * dayMs);
  cursor = (await list({ per_page: "1", cursor })).pagination.resume_cursor;
  pass(15 * dayMs);
  await assert.rejects(list({ cursor }), { code: "cursor_expired" });
});

test("a change is shown after the visibility delay, and no sooner", async () => {
  const acceptedMs = Date.now();
  let nowMs = acceptedMs;
  const own = tableAt(() => nowMs);
  await putRecordsInto([orderRecord(1, 1)], own);
  const shownAt = async (ms: number) => {
    nowMs = acceptedMs + ms;
    return (await changeRepository(1, own).list(ChangesQuery.parse({}))).data.length;
  };
  assert.deepEqual([await shownAt(visibilityDelayMs), await shownAt(visibilityDelayMs + 1)], [0, 1]);
});

test("a reader with a wrong clock sees what is due by the table's clock", async () => {
  await putRecords([orderRecord(1, 1)]);
  for (const readerAheadMs of [dayMs, 31 * dayMs, -dayMs]) {
    const wrong = openTable(undefined, new TableClock(() => Date.now() + readerAheadMs));
    const { data, pagination } = await changeRepository(1, wrong).list(ChangesQuery.parse({}));
    assert.deepEqual(data, []);
    assert.deepEqual((await list({ cursor: pagination.resume_cursor })).data, []);
  }
});

test("a page whose rows are damaged shows the rows after them, and is empty only if it is the last", async () => {
  await putRecords([1, 2, 3, 4, 5].map((id) => eventRecord(1, id)));
  const damage = (id: number) => updateItem(table, itemKeys.event(1, id), updateOf({ set: { name: 7 } }));
  for (const id of [1, 2, 3]) await damage(id);
  pass();
  const { data, pagination } = await list({ per_page: "2" });
  assert.deepEqual([idsIn(data), pagination.has_more], [[4], true]);
  const next = await list({ per_page: "2", cursor: pagination.resume_cursor });
  assert.deepEqual([idsIn(next.data), next.pagination.has_more], [[5], false]);
  for (const id of [4, 5]) await damage(id);
  const { data: none, pagination: end } = await list({ per_page: "2" });
  assert.deepEqual([none, end.has_more], [[], false]);
});

test("a time between two milliseconds shows what was accepted after it", async () => {
  await putRecords([eventRecord(1, 1)]);
  pass();
  const { data } = await list();
  const accepted = String(data.at(-1)?.changed_at);
  const since = async (text: string) => (await list({ changed_since: text })).data.length;
  assert.equal(await since(accepted), 1);
  assert.equal(await since(accepted.replace("Z", "0000Z")), 1);
  assert.equal(await since(accepted.replace("Z", "000001Z")), 0);
});

test("a start beside a cursor changes nothing, and a later start than the first page's is refused", async () => {
  const sinceMs = clock.nowMs();
  await putRecords([1, 2, 3].map((id) => eventRecord(1, id)));
  pass();
  const at = (offsetMs: number) => new Date(sinceMs + offsetMs).toISOString();
  const first = await list({ per_page: "1", changed_since: at(0) });
  const cursor = first.pagination.resume_cursor;
  const next = await list({ per_page: "1", cursor });
  for (const offsetMs of [0, -1, -86_400_000])
    assert.deepEqual(await list({ per_page: "1", cursor, changed_since: at(offsetMs) }), next);
  const { resume_cursor: later } = next.pagination;
  for (const [position, offsetMs] of [
    [cursor, 1],
    [later, 1],
    [later, 5_000],
  ] as const)
    await assert.rejects(list({ cursor: position, changed_since: at(offsetMs) }), { code: "invalid_request" });
  const { resume_cursor: ofAll } = (await list({ per_page: "1" })).pagination;
  await assert.rejects(list({ cursor: ofAll, changed_since: at(0) }), { code: "invalid_request" });
});

test("a time in the future, by the table's clock, is refused", async () => {
  const future = new Date(clock.nowMs() + 1_000).toISOString();
  await assert.rejects(list({ changed_since: future }), { code: "invalid_request" });
});
