import assert from "node:assert/strict";
import { afterEach, beforeEach, jest, test } from "@jest/globals";
import { entityTag } from "../../../functions/api/entityTag.ts";
import { preconditionCheck } from "../../../functions/api/preconditions.ts";
import { orderNoteRepository } from "../../../functions/records/orderNoteRepository.ts";
import { recordItem, tombstone } from "../../../functions/records/recordItem.ts";
import { upsertRecord } from "../../../functions/records/upsertRecord.ts";
import { resources } from "../../../functions/resources/index.ts";
import type { Order } from "../../../functions/resources/order.ts";
import { orders } from "../../../functions/resources/order.ts";
import { itemKeys } from "../../../functions/table/itemKeys.ts";
import { getItem } from "../../../functions/table/reads.ts";
import { failing, unanswered, useFaultyProxy } from "../../support/data/faultyProxy.ts";
import { orderRecord, ticketRecord } from "../../support/data/records.ts";
import { repositoryOf } from "../../support/data/repositoryOf.ts";
import { putRecords, tableAt } from "../../support/data/table.ts";
import { useTestTable } from "../../support/data/testTable.ts";

const proxy = await useFaultyProxy();
beforeEach(async () => {
  await useTestTable();
  // A whole test runs in one millisecond.
  jest.useFakeTimers({
    now: Date.now(),
    doNotFake: ["nextTick", "queueMicrotask", "setImmediate", "setTimeout", "clearTimeout"],
  });
});
afterEach(() => {
  jest.useRealTimers();
});

const table = tableAt(() => Date.now());
const notes = orderNoteRepository(1, table);
const upsert = (fields: Partial<Order> = {}) => upsertRecord(table, recordItem(orderRecord(1, 7, fields)));
const shown = () => repositoryOf(orders, resources)(1, table).get(7);
const tagNow = async () => entityTag(JSON.stringify(await shown()));
const changeTime = async () => String((await getItem(table, itemKeys.order(1, 7)))?.GSI3SK);
const ifMatch = (tag: string | undefined) => preconditionCheck({ "if-match": tag });
const failed = { code: "precondition_failed" };

/** Delays updates until this number has arrived, so that all are based on the same state. */
function gather(count: number) {
  const waiting: (() => void)[] = [];
  const gathered = Promise.withResolvers<void>();
  proxy.faultOf = ({ action }) => {
    if (action !== "UpdateItem") return undefined;
    return (_outgoing, forward) => {
      waiting.push(forward);
      if (waiting.length === count) gathered.resolve();
    };
  };
  const release = () => {
    proxy.faultOf = () => undefined;
    for (const forward of waiting) forward();
  };
  return { gathered: gathered.promise, release };
}

/** Sets a note on the current state, after another change in the same millisecond. */
async function setAfter(change: () => Promise<unknown>) {
  const tag = await tagNow();
  const { gathered, release } = gather(1);
  const set = notes.set(7, "late", ifMatch(tag));
  await gathered;
  proxy.faultOf = () => undefined;
  await change();
  release();
  return set;
}

const states: Record<string, () => Promise<unknown>> = {
  "a record": () => upsert(),
  "a record and a note": () => upsert().then(() => notes.set(7, "first")),
};

for (const [name, begin] of Object.entries(states)) {
  test(`of several updates of ${name} in the same millisecond, one succeeds`, async () => {
    await begin();
    const tag = await tagNow();
    const { gathered, release } = gather(3);
    const updates = Promise.allSettled(["x", "x", "y"].map((note) => notes.set(7, note, ifMatch(tag))));
    await gathered;
    release();
    const results = await updates;
    const [won, ...others] = results.filter(({ status }) => status === "fulfilled");
    assert.deepEqual(others, []);
    assert.deepEqual(won, { status: "fulfilled", value: await shown() });
    for (const result of results) if (result.status === "rejected") assert.equal(result.reason.code, failed.code);
  });

  test(`a note on an outdated state of ${name} is refused after a record of the same millisecond`, async () => {
    await begin();
    await assert.rejects(
      setAfter(() => upsert({ status: "refunded" })),
      failed,
    );
    assert.equal((await shown()).status, "refunded");
  });

  test(`a note on ${name} is refused after a deletion in the same millisecond`, async () => {
    await begin();
    const deletion = { type: "order", organisation_id: 1, id: 7, deleted: true, version: 9 } as const;
    await assert.rejects(
      setAfter(() => upsertRecord(table, tombstone(deletion))),
      failed,
    );
    assert.equal(await getItem(table, itemKeys.order(1, 7)), undefined);
    await upsert();
    await assert.rejects(
      setAfter(async () => {
        await upsertRecord(table, tombstone(deletion));
        await upsert();
      }),
      failed,
    );
  });
}

test("a record that changes nothing does not prevent a note", async () => {
  await upsert();
  assert.equal((await setAfter(() => upsert())).admin_note, "late");
});

test("an update whose response is lost succeeds once, with and without If-Match", async () => {
  await upsert();
  for (const tag of [await tagNow(), undefined]) {
    // Otherwise the first try would only find that the change time of this millisecond is taken.
    jest.advanceTimersByTime(10);
    proxy.faultOf = failing("UpdateItem", 1, unanswered);
    const { admin_note } = await notes.set(7, `Note ${tag}`, ifMatch(tag));
    assert.equal(admin_note, `Note ${tag}`);
  }
});

test("a note survives later imports, moves the order to the end of the changes and updates date_modified", async () => {
  await upsert({ admin_note: "first", date_modified: "2026-01-01T00:00:00Z" });
  const before = await changeTime();
  const since = new Date().toISOString();
  const updated = await notes.set(7, "Wheelchair place");
  assert.equal(updated.admin_note, "Wheelchair place");
  assert.ok(updated.date_modified >= since);
  assert.ok((await changeTime()) > before);
  await upsert({ admin_note: "from the core system", status: "refunded", date_modified: "2026-02-01T00:00:00Z" });
  const imported = await shown();
  assert.deepEqual(
    [imported.admin_note, imported.status, imported.date_modified],
    ["Wheelchair place", "refunded", updated.date_modified],
  );
  await upsert({ admin_note: "later", date_modified: "2999-01-01T00:00:00Z" });
  assert.equal((await shown()).date_modified, "2999-01-01T00:00:00Z");
});

test("a removed note stays removed, and an imported note shows on an order whose note was never set", async () => {
  await upsert({ admin_note: "imported" });
  assert.equal((await shown()).admin_note, "imported");
  await notes.set(7, null);
  await upsert({ admin_note: "imported again" });
  assert.equal((await shown()).admin_note, null);
});

test("a changed ticket gives its order a new ETag, but is not a change of the order", async () => {
  await upsert();
  await putRecords([ticketRecord(1, 2, { order_id: 7, checked_in: false })]);
  const [tag, before] = [await tagNow(), await changeTime()];
  await putRecords([ticketRecord(1, 2, { order_id: 7, checked_in: true })]);
  assert.equal(await changeTime(), before);
  await assert.rejects(notes.set(7, "x", ifMatch(tag)), failed);
  await notes.set(7, "x", ifMatch(await tagNow()));
});
