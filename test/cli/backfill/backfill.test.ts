import assert from "node:assert/strict";
import { beforeEach, describe, test } from "@jest/globals";
import * as z from "zod";
import { type Backfilled, backfillTable } from "../../../cli/backfill/tableBackfill.ts";
import { recordItem } from "../../../functions/data/records/recordItem.ts";
import { tombstone } from "../../../functions/data/records/tombstone.ts";
import { upsertRecord } from "../../../functions/data/records/upsertRecord.ts";
import { balanceRepository } from "../../../functions/data/repositories/balanceRepository.ts";
import { changeRepository, horizonMs } from "../../../functions/data/repositories/changeRepository.ts";
import { dateRepository } from "../../../functions/data/repositories/dateRepository.ts";
import { orderNoteRepository } from "../../../functions/data/repositories/orderNoteRepository.ts";
import { orderRepository } from "../../../functions/data/repositories/orderRepository.ts";
import { ticketRepository } from "../../../functions/data/repositories/ticketRepository.ts";
import { clockOf } from "../../../functions/data/table/clock.ts";
import type { Item } from "../../../functions/data/table/item.ts";
import { type ItemKey, keys } from "../../../functions/data/table/keys.ts";
import { openTable } from "../../../functions/data/table/table.ts";
import { putItem } from "../../../functions/data/table/writes.ts";
import { Problem } from "../../../functions/problem.ts";
import { ChangesQuery } from "../../../functions/resources/change.ts";
import { deleteItems } from "../../support/data/deleteItems.ts";
import { dumpItems } from "../../support/data/dumpTable.ts";
import { putItems, putRecords } from "../../support/data/putRecords.ts";
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
import { useTestTable } from "../../support/data/testTable.ts";
import { runProgram } from "../support/runProgram.ts";
import { startFaultyWrites } from "../support/writeFaults.ts";
import { oldBalancePayment, oldItem, oldTombstone } from "./oldItems.ts";

const records = [
  eventRecord(1, 1),
  dateRecord(1, 1, 2, { date: "2026-03-01T19:30:00Z" }),
  dateRecord(1, 1, 12, { date: "2026-02-01T19:30:00Z" }),
  categoryRecord(1, 1, 4),
  orderRecord(1, 3, { reference: "K7P2QX", date_created: "2026-01-01T00:00:00Z" }),
  orderRecord(1, 13, { reference: "", date_created: "2026-01-02T00:00:00Z" }),
  ticketRecord(1, 5, { barcode: "7331050090211" }),
  ticketRecord(1, 15, { barcode: null }),
  paymentRecord(1, 6),
  discountRecord(1, 7),
  attendeeRecord(1, 8),
  orderRecord(2, 3, { reference: "K7P2QX" }),
].map((record, index) => ({ ...record, ...(index % 2 === 0 && { version: index }) }));

const note = { admin_note: "Wheelchair place", date_modified: "2026-01-03T00:00:00.000Z" };
const Key = z.object({ PK: z.string(), SK: z.string() });
const page = { per_page: 50 };

let table = { endpoint: "", tableName: "" };

/** A table as version 1.0 left it. */
beforeEach(async () => {
  table = await useTestTable();
  await deleteItems([{ ...keys.indexesComplete() }]);
  const items = [...records.map((record) => oldItem(record)), oldBalancePayment(1, 9), oldTombstone(1, 10)];
  for (const item of items) await putItem(openTable(), item.id === 3 ? { ...item, api_note: note } : item);
});

async function backfill({ signal = new AbortController().signal } = {}) {
  const backfilled: Backfilled = { completed: 0, shown: 0, failures: [] };
  const isComplete = await backfillTable(openTable(), backfilled, { pause: async () => undefined, signal });
  return { ...backfilled, isComplete };
}

/** All lists that need the indexes. The changes are shown as they will be after their horizon. */
async function answers() {
  const later = openTable(
    undefined,
    clockOf(() => Date.now() + 2 * horizonMs),
  );
  const [orders, named, tickets, dates, changes] = await Promise.all([
    orderRepository(1, openTable()).list(page),
    orderRepository(1, openTable()).list({ ...page, reference: "K7P2QX" }),
    ticketRepository(1, openTable()).listWithBarcode("7331050090211", page),
    dateRepository(1, openTable()).list(page),
    changeRepository(1, later).list(ChangesQuery.parse({})),
  ]);
  const ids = ({ data }: { data: { id: number }[] }) => data.map(({ id }) => id);
  const changed = changes.data.map(({ type, id, change }) => `${type} ${id} ${change}`).toSorted();
  return { orders: ids(orders), named: ids(named), tickets: ids(tickets), dates: ids(dates), changed, changes };
}

const correct = {
  orders: [13, 3],
  named: [3],
  tickets: [5],
  dates: [12, 2],
  changed: [
    ...records.flatMap(({ organisation_id, type, data }) =>
      organisation_id === 1 ? [`${type} ${data.id} upserted`] : [],
    ),
    "balance_payment 9 upserted",
  ].toSorted(),
};

async function assertCorrect(): Promise<void> {
  const { changes, ...lists } = await answers();
  assert.deepEqual(lists, correct);
}

async function itemOf(key: ItemKey): Promise<Item | undefined> {
  return (await dumpItems()).find(({ PK, SK }) => PK === key.PK && SK === key.SK);
}

/** What recordItem does not derive, and no list shows. */
const otherThan = (names: RegExp, item: Item = {}) =>
  Object.fromEntries(Object.entries(item).filter(([name]) => !names.test(name)));
const added = /^GSI|^content_hash$/;

describe("a backfill", () => {
  test("turns 503 into correct lists of orders, references, barcodes, dates and changes", async () => {
    const unavailable = (error: unknown) => error instanceof Problem && error.code === "service_unavailable";
    for (const list of [
      () => orderRepository(1, openTable()).list(page),
      () => ticketRepository(1, openTable()).listWithBarcode("7331050090211", page),
      () => dateRepository(1, openTable()).list(page),
      () => changeRepository(1, openTable()).list({ ...page, types: ["order"] }),
    ])
      await assert.rejects(list, unavailable);
    assert.deepEqual(await backfill(), { completed: 13, shown: 0, failures: [], isComplete: true });
    await assertCorrect();
  });

  test("gives each record what an import would, and changes nothing else", async () => {
    const before = await dumpItems();
    await backfill();
    for (const record of records) {
      const { PK, SK, ...made } = recordItem(record);
      const stored = await itemOf({ PK, SK });
      for (const [name, value] of Object.entries(made)) assert.deepEqual(stored?.[name], value, `${PK} ${name}`);
      assert.equal(stored?.GSI4PK, made.GSI4PK);
      assert.deepEqual(
        otherThan(added, stored),
        otherThan(
          added,
          before.find((item) => item.PK === PK),
        ),
      );
      assert.match(String(stored?.GSI3SK), /^20\d\d-[-\dT:.]{18}Z#[A-Z]+#\d{16}$/);
    }
    assert.deepEqual((await itemOf(keys.order(1, 3)))?.api_note, note);
    assert.deepEqual(await itemOf(keys.event(1, 10)), oldTombstone(1, 10));
  });

  test("removes an attribute of a list that no longer contains the record", async () => {
    await putItem(openTable(), { ...oldItem(eventRecord(1, 1)), GSI2PK: "ORG#1#OLD", GSI2SK: "x" });
    await backfill();
    const stored = await itemOf(keys.event(1, 1));
    assert.deepEqual([stored?.GSI2PK, stored?.GSI2SK], [undefined, undefined]);
    assert.ok(stored?.GSI3PK);
  });
});

test("a backfill shows what a wrong clock has hidden from the changes, deletions included, and leaves the rest", async () => {
  await backfill();
  const dayAhead = openTable(
    undefined,
    clockOf(() => Date.now() + 24 * 60 * 60 * 1_000),
  );
  await putRecords([eventRecord(1, 1, { name: "Hidden" })], dayAhead);
  await putItems([tombstone({ type: "ticket", organisation_id: 1, id: 5, deleted: true, version: 9 })], dayAhead);
  const hidden = ["event 1 upserted", "ticket 5 deleted"];
  const before = (await answers()).changed;
  assert.deepEqual(
    hidden.filter((change) => before.includes(change)),
    [],
  );
  const others = (await dumpItems()).filter(({ PK }) => PK !== "ORG#1#EVENT#1" && PK !== "ORG#1#TICKET#5");
  assert.deepEqual(await backfill(), { completed: 0, shown: 2, failures: [], isComplete: true });
  const after = (await answers()).changed;
  assert.deepEqual(
    hidden.filter((change) => after.includes(change)),
    hidden,
  );
  const items = await dumpItems();
  for (const item of others)
    assert.deepEqual(
      items.find(({ PK, SK }) => PK === item.PK && SK === item.SK),
      item,
    );
});

describe("another run of a backfill", () => {
  test("changes nothing if the first was complete", async () => {
    await backfill();
    const once = await dumpItems();
    assert.deepEqual(await backfill(), { completed: 0, shown: 0, failures: [], isComplete: true });
    assert.deepEqual(await dumpItems(), once);
  });

  test("completes only the rest if the first was interrupted, which left the table unmarked", async () => {
    const interruption = new AbortController();
    const counted: Backfilled = { completed: 0, shown: 0, failures: [] };
    const backfilled = new Proxy(counted, {
      set(target, name, value) {
        if (name === "completed" && value === 3) interruption.abort();
        return Reflect.set(target, name, value);
      },
    });
    const options = { pause: async () => undefined, signal: interruption.signal };
    await assert.rejects(() => backfillTable(openTable(), backfilled, options), { name: "AbortError" });
    const done = (await dumpItems()).filter(({ GSI3PK }) => GSI3PK !== undefined);
    assert.ok(done.length >= 3);
    assert.equal(await itemOf(keys.indexesComplete()), undefined);
    assert.equal((await backfill()).completed, 13 - done.length);
    for (const item of done) assert.deepEqual(await itemOf(Key.parse(item)), item);
    await assertCorrect();
  });

  test("is necessary while an item is invalid; the others are complete", async () => {
    const [bad, foreign] = [oldItem(ticketRecord(1, 25)), oldItem(eventRecord(1, 11))];
    await putItem(openTable(), { ...bad, original_price: "secret" });
    await putItem(openTable(), { ...foreign, id: 12 });
    const { completed, failures, isComplete } = await backfill();
    assert.deepEqual(failures.map(({ key }) => key.PK).toSorted(), [foreign.PK, bad.PK]);
    assert.deepEqual([completed, isComplete], [13, false]);
    assert.equal(await itemOf(keys.indexesComplete()), undefined);
  });
});

/** Runs the command. */
const run = (options: string[] = [], endpoint = table.endpoint) =>
  runProgram("backfill/backfill", [...options, "--endpoint", endpoint, "--table", table.tableName]);

describe("the command", () => {
  test("prints counts, and says when the table is complete already", async () => {
    const { code, stdout } = await run();
    assert.equal(code, 0);
    assert.match(
      stdout,
      /^13 records completed, 0 future times corrected, 0 invalid, in \d+\.\d s\.\ntest-[-\w]+ is complete\.\n$/,
    );
    assert.match((await run()).stdout, /^test-[-\w]+ is complete already\.\n$/);
    assert.match((await run(["--again"])).stdout, /^0 records completed/);
    await assertCorrect();
  });

  test("reports invalid items by key and field, without values, and exits with 1", async () => {
    await putItem(openTable(), { ...oldItem(ticketRecord(1, 25)), original_price: "secret" });
    const { code, stdout, stderr } = await run();
    assert.equal(code, 1);
    assert.equal(stderr, "Not completed: ORG#1#TICKET#25: invalid original_price.\n");
    assert.match(stdout, /is not complete: correct these items, and run it again\.\n$/);
  });

  test("retries failed writes, also those that succeeded unnoticed", async () => {
    // More than the SDK itself retries.
    const proxy = await startFaultyWrites(table.endpoint, (write) =>
      write <= 40 ? (write % 2 === 0 ? "throttled" : "answerLost") : undefined,
    );
    const { code, stdout } = await run([], proxy.url);
    await proxy.close();
    assert.equal(code, 0);
    assert.match(stdout, /^13 records completed, 0 future times corrected, 0 invalid/);
    await assertCorrect();
  });
});

describe("writes during the command", () => {
  /** Runs the command. `meanwhile` runs between its read of an item and its write to it. */
  async function runDuring(meanwhile: (key: string) => Promise<void>): Promise<void> {
    const proxy = await startFaultyWrites(table.endpoint, () => undefined);
    proxy.faultOf = ({ action, input }) => {
      if (action !== "UpdateItem" || !input.includes("GSI3PK")) return undefined;
      const { Key: key } = JSON.parse(input);
      return (_outgoing, forward) => void meanwhile(key.PK.S).then(forward);
    };
    const { code } = await run([], proxy.url);
    await proxy.close();
    assert.equal(code, 0);
  }

  test("win: newer records stay as they are, and deleted ones stay deleted", async () => {
    const newer = recordItem({ ...ticketRecord(1, 5, { barcode: "42" }), version: 99 });
    await runDuring(async (key) => {
      if (key === newer.PK) assert.ok(await upsertRecord(openTable(), newer));
      if (key === keys.discount(1, 7).PK) await deleteItems([{ ...keys.discount(1, 7) }]);
    });
    const { GSI3SK, ...stored } = (await itemOf(keys.ticket(1, 5))) ?? {};
    assert.deepEqual(stored, { ...newer, GSI3PK: "ORG#1#CHANGES#TICKET" });
    assert.equal(await itemOf(keys.discount(1, 7)), undefined);
  });

  test("that set a note are kept", async () => {
    await runDuring(async (key) => {
      if (key === keys.order(1, 13).PK) await orderNoteRepository(1, openTable()).set(13, "Late");
    });
    assert.equal((await orderRepository(1, openTable()).get(13)).admin_note, "Late");
    await assertCorrect();
  });
});

test("a later import of the same records is not a change", async () => {
  await backfill();
  const stamps = async () => (await dumpItems()).map(({ PK, GSI3SK }) => [PK, GSI3SK]);
  const before = await stamps();
  for (const record of records) await upsertRecord(openTable(), recordItem(record));
  assert.deepEqual(await stamps(), before);
});

test("before the backfill, a request that an earlier version recorded can be repeated", async () => {
  const { record } = balanceRepository(1, openTable());
  const recorder = { keyId: "key", keyPrefix: "tsk_4fQ9wLxT", idempotencyKey: "6f1c9d0a" };
  const first = await record(1, { type: "payment", amount: 500 }, recorder);
  const [stored] = (await dumpItems()).filter(({ SK, id }) => SK === "BALANCEPAYMENT" && id !== 9);
  const { GSI3PK, GSI3SK, ...old } = stored ?? {};
  await putItem(openTable(), old);
  const again = await record(1, { type: "payment", amount: 500 }, recorder);
  assert.deepEqual(again, { ...first, isReplayed: true });
});
