import assert from "node:assert/strict";
import { setTimeout as wait } from "node:timers/promises";
import { beforeEach, describe, test } from "@jest/globals";
import { type Reindexed, reindexTable } from "../../../cli/reindex/tableReindex.ts";
import { orderNoteRepository } from "../../../functions/records/orderNoteRepository.ts";
import { recordItem } from "../../../functions/records/recordItem.ts";
import { repositoryOf } from "../../../functions/records/resourceRepository.ts";
import { upsertRecord } from "../../../functions/records/upsertRecord.ts";
import { declarationsVersion } from "../../../functions/resources/index.ts";
import { StoredOrder } from "../../../functions/resources/order.ts";
import { tickets } from "../../../functions/resources/ticket.ts";
import { lowerVersion, storedVersion, storeReindexing } from "../../../functions/table/declarations.ts";
import type { Item } from "../../../functions/table/item.ts";
import { type ItemKey, keys } from "../../../functions/table/keys.ts";
import { getItem } from "../../../functions/table/reads.ts";
import { openTable } from "../../../functions/table/table.ts";
import { putItem } from "../../../functions/table/writes.ts";
import { refusals } from "../../support/data/faultyProxy.ts";
import { eventRecord, orderRecord, paymentRecord, ticketRecord } from "../../support/data/records.ts";
import { deleteItems, dumpItems, putRecords } from "../../support/data/table.ts";
import { useTestTable } from "../../support/data/testTable.ts";
import { fill } from "../support/organisationContents.ts";
import { runProgram } from "../support/runProgram.ts";
import { startFaultyWrites } from "../support/writeFaults.ts";

const complete = { written: 0, failures: [], isDone: true };
let table = { endpoint: "", tableName: "" };

/** Every kind of item. */
beforeEach(async () => {
  table = await useTestTable();
  await fill(1);
  await putRecords([orderRecord(1, 7, { reference: "K7P2QX" }), ticketRecord(1, 5, { barcode: "7331050090211" })]);
  await deleteItems([{ ...keys.declarations() }]);
});

interface Options {
  signal?: AbortSignal;
  itemsASecond?: number;
  restart?: boolean;
  reindexed?: Reindexed;
}

async function reindex({ signal, itemsASecond = 100_000, restart = false, reindexed }: Options = {}) {
  const counted = reindexed ?? { read: 0, written: 0, failures: [] };
  const run = { pause: async () => undefined, signal: signal ?? new AbortController().signal, restart, itemsASecond };
  const isDone = await reindexTable(openTable(), counted, { ...run, signEveryMs: 200 });
  return { ...counted, isDone };
}

const counts = async (options?: Options) => {
  const { read: _, ...others } = await reindex(options);
  return others;
};

/** Changes stored attributes, as another version of the declarations would have written them; undefined removes one. */
async function damage(key: ItemKey, changes: Record<string, unknown>): Promise<void> {
  const item = (await getItem(openTable(), key)) ?? {};
  await putItem(openTable(), { ...item, ...changes });
}

/** Damages three items. */
async function damageSome(): Promise<void> {
  await damage(keys.ticket(1, 5), { GSI2PK: undefined, GSI2SK: undefined, GSI4PK: undefined, GSI4SK: undefined });
  await damage(keys.order(1, 7), { GSI1PK: "ORG#1#DATE#9#ORDERS" });
  await damage(keys.event(1, 1), { GSI2PK: "ORG#1#OLD", GSI2SK: "x" });
}

/** Waits until a run has stored that it works. */
async function untilBegun(): Promise<void> {
  while ((await storedVersion(openTable())).reindexing === undefined) await wait(10);
}

/** Makes the table claim a version. */
const mark = (declarations: number) => putItem(openTable(), { ...keys.declarations(), declarations });
const recorded = async () => (await getItem(openTable(), keys.declarations()))?.declarations;
const versionOf = async () => (await storedVersion(openTable())).declarations;

describe("a reindex", () => {
  test("makes every item's index attributes those of the declarations, without a change for integrators", async () => {
    const before = await dumpItems();
    await damageSome();
    assert.notDeepEqual(await dumpItems(), before);
    assert.deepEqual(await counts(), { ...complete, written: 3 });
    assert.deepEqual(await dumpItems(), before);
    assert.deepEqual(await counts(), complete);
    assert.deepEqual(await dumpItems(), before);
  });

  test("records the version, of an empty table too", async () => {
    await reindex();
    const marked = { ...keys.declarations(), declarations: declarationsVersion };
    assert.deepEqual(await getItem(openTable(), keys.declarations()), marked);
    await useTestTable();
    await deleteItems([{ ...keys.declarations() }]);
    assert.deepEqual(await reindex(), { ...complete, read: 0 });
    assert.deepEqual(await getItem(openTable(), keys.declarations()), marked);
  });
});

describe("a reindex of items that it cannot read, or of newer ones,", () => {
  test("leaves them as they are, says why without values, and does not record the version", async () => {
    await damageSome();
    const bad = { ...recordItem(ticketRecord(1, 25)), original_price: "secret" };
    const foreign = { ...recordItem(eventRecord(1, 11)), id: 12 };
    const unknown = { PK: "ORG#1#RIDDLE#5", SK: "RIDDLE", id: 5 };
    const malformed = { PK: "ORG#1#EVENT#x", SK: "EVENT" };
    const items: Item[] = [bad, foreign, unknown, malformed];
    for (const item of items) await putItem(openTable(), item);
    const { failures, written, isDone } = await reindex();
    assert.deepEqual([written, isDone, await recorded()], [3, false, undefined]);
    assert.deepEqual(failures.map(({ key, reason }) => `${key.PK}: ${reason}`).sort(), [
      "ORG#1#EVENT#11: its id differs from its key's",
      "ORG#1#EVENT#x: its key is invalid",
      "ORG#1#RIDDLE#5: no declaration reads it: a newer version wrote it, or its type was removed",
      "ORG#1#TICKET#25: invalid original_price",
    ]);
    const stored = await dumpItems();
    for (const item of items) assert.ok(stored.some(({ PK, id }) => PK === item.PK && id === item.id));
    await deleteItems(items.map(({ PK, SK }) => ({ PK, SK })));
    assert.deepEqual(await counts(), complete);
  });

  test("changes nothing if the table satisfies newer declarations", async () => {
    await damageSome();
    await mark(declarationsVersion + 1);
    const before = await dumpItems();
    const message = /satisfies version \d+ of the declarations, and this code has version \d+\. Use the code that its/;
    await assert.rejects(reindex(), { name: "UsageError", message });
    assert.deepEqual(await dumpItems(), before);
    assert.equal(await versionOf(), declarationsVersion + 1);
  });
});

test("a reindex keeps to its rate", async () => {
  const startMs = performance.now();
  const { read } = await reindex({ itemsASecond: 40 });
  assert.ok(performance.now() - startMs >= (read / 40) * 1_000 * 0.9);
});

/** Aborts when a list or a count is changed so that a condition is met. */
function abortWhen<Watched extends object>(
  watched: Watched,
  isMet: (name: string | symbol, value: unknown) => boolean,
) {
  const interruption = new AbortController();
  const proxy = new Proxy(watched, {
    set(target, name, value) {
      if (isMet(name, value)) interruption.abort();
      return Reflect.set(target, name, value);
    },
  });
  return { proxy, signal: interruption.signal };
}

const rows = Array.from({ length: 60 }, (_, index) => paymentRecord(1, 100 + index));

describe("an interrupted reindex", () => {
  test("is continued by the next, which records the version", async () => {
    await putRecords(rows);
    await damageSome();
    const total = (await dumpItems()).length;
    const counted: Reindexed = { read: 0, written: 0, failures: [] };
    const { proxy: reindexed, signal } = abortWhen(counted, (name, value) => name === "read" && Number(value) > 30);
    await assert.rejects(reindex({ reindexed, signal, itemsASecond: 80 }), { name: "AbortError" });
    assert.equal(await recorded(), undefined);
    const { read, isDone } = await reindex();
    assert.ok(isDone && read <= total - 20, `${read} of ${total}`);
    assert.deepEqual(await counts(), complete);
    assert.equal((await reindex()).read, total);
  });

  test("begins again if asked to, or if it met an item that it could not read", async () => {
    await putRecords(rows);
    const counted: Reindexed = { read: 0, written: 0, failures: [] };
    const { proxy: reindexed, signal } = abortWhen(counted, (name, value) => name === "read" && Number(value) > 30);
    await assert.rejects(reindex({ reindexed, signal, itemsASecond: 80 }), { name: "AbortError" });
    assert.ok((await reindex({ restart: true })).read >= (await dumpItems()).length);
    const riddles = Array.from({ length: 20 }, (_, index) => ({ PK: `ORG#1#RIDDLE#${index}`, SK: "RIDDLE" }));
    for (const riddle of riddles) await putItem(openTable(), riddle);
    const again: Reindexed = { read: 0, written: 0, failures: [] };
    const late = abortWhen(again, (name, value) => name === "read" && Number(value) > 60);
    const run = reindex({ reindexed: late.proxy, signal: late.signal, itemsASecond: 80 });
    await assert.rejects(run, { name: "AbortError" });
    const { failures, isDone } = await reindex();
    assert.deepEqual([failures.length, isDone], [riddles.length, false]);
  });
});

describe("a reindex beside others", () => {
  test("continues one that was killed after some seconds without a sign of it, and a live one is left alone", async () => {
    const positions = Array.from({ length: 4 }, () => ({ isAtEnd: true }));
    await putItem(openTable(), { ...keys.reindex(), sign: "killed", positions });
    await storeReindexing(openTable(), declarationsVersion);
    assert.deepEqual(await reindex(), { ...complete, read: 0 });
    const first = reindex({ itemsASecond: 12 });
    await untilBegun();
    await assert.rejects(reindex(), { name: "UsageError", message: /^Another run is reindexing test-/ });
    assert.equal((await first).isDone, true);
  });

  test("begins again if an earlier version has written meanwhile, which a minute's writes report", async () => {
    const startMs = performance.now();
    await putRecords(rows);
    const counted: Reindexed = { read: 0, written: 0, failures: [] };
    const { proxy: reindexed, signal } = abortWhen(counted, (name, value) => name === "read" && Number(value) > 30);
    await assert.rejects(reindex({ reindexed, signal, itemsASecond: 80 }), { name: "AbortError" });
    const minuteMs = 60_000;
    await lowerVersion(openTable(), declarationsVersion - 1, startMs + minuteMs - 1_000);
    assert.equal((await storedVersion(openTable())).reindexing, declarationsVersion);
    await lowerVersion(openTable(), declarationsVersion - 1, performance.now() + minuteMs);
    assert.equal((await storedVersion(openTable())).reindexing, undefined);
    assert.equal((await reindex()).read, (await dumpItems()).length);
    assert.equal((await storedVersion(openTable())).reindexing, undefined);
  });

  test("does not record the version if an earlier version has written before its end", async () => {
    const run = reindex({ itemsASecond: 20 });
    await untilBegun();
    await lowerVersion(openTable(), declarationsVersion - 1, performance.now() + 60_000);
    await assert.rejects(run, {
      name: "UsageError",
      message: /^An earlier version of this service has written to test-/,
    });
    assert.equal(await recorded(), declarationsVersion - 1);
  });

  test("is not disturbed by one that begins at the same time", async () => {
    await damageSome();
    const results = await Promise.allSettled([reindex({ itemsASecond: 12 }), reindex({ itemsASecond: 12 })]);
    assert.deepEqual(results.map(({ status }) => status).sort(), ["fulfilled", "rejected"]);
    assert.deepEqual(await counts(), complete);
  });
});

/** Runs the command. */
const run = (options: string[] = [], endpoint = table.endpoint) =>
  runProgram("reindex", [...options, "--endpoint", endpoint, "--table", table.tableName]);

describe("the command", () => {
  test("prints what it wrote, and the version", async () => {
    await damageSome();
    const { code, stdout } = await run();
    assert.match(stdout, /^\d+ items read, 3 written, 0 not reindexed, in \d+\.\d s\.\n/);
    assert.match(stdout, /\ntest-[-\w]+ satisfies version \d+ of the declarations\.\n$/);
    assert.equal(code, 0);
  });

  test("exits with 1 if items stay as they are, and names them", async () => {
    await putItem(openTable(), { PK: "ORG#1#RIDDLE#5", SK: "RIDDLE" });
    const options = ["--endpoint", table.endpoint, "--table", table.tableName];
    const { code, stdout, stderr } = await runProgram("reindex", options, { asProcess: true });
    assert.equal(code, 1);
    assert.match(stderr, /^Not reindexed: ORG#1#RIDDLE#5 RIDDLE: no declaration reads it/m);
    assert.match(stdout, /its version stays: correct or delete these items, and run it again\.\n$/);
  });

  test("refuses invalid rates, unknown tables and missing rights in one line", async () => {
    for (const rate of ["0", "1.5", "x", "100001"]) {
      const { code, stderr } = await run([`--rate=${rate}`]);
      const message = "--rate must be an integer from 1 to 100000. See npm run ops -- reindex --help.\n";
      assert.deepEqual([code, stderr], [2, message]);
    }
    const unknown = await runProgram("reindex", ["--endpoint", table.endpoint, "--table", "unknown"]);
    assert.match(unknown.stderr, /^Cannot use table unknown at [^\n]+\n$/);
    const proxy = await startFaultyWrites(table.endpoint, () => undefined);
    proxy.faultOf = ({ action }) => (action === "Scan" || action === "PutItem" ? refusals.denied : undefined);
    const { code, stderr } = await run([], proxy.url);
    await proxy.close();
    assert.equal(code, 2);
    assert.match(stderr, /^AWS rejected the request: AccessDenied[^\n]*\n$/);
  });
});

describe("the command on a bad day", () => {
  test("retries failed writes, also those that succeeded unnoticed", async () => {
    await damageSome();
    const proxy = await startFaultyWrites(table.endpoint, (write) =>
      write <= 12 ? (write % 2 === 0 ? "throttled" : "answerLost") : undefined,
    );
    const { code } = await run([], proxy.url);
    await proxy.close();
    assert.equal(code, 0);
    assert.deepEqual(await counts(), complete);
  });

  test("keeps what others write between its read of an item and its write to it", async () => {
    await damageSome();
    const newer = recordItem({ ...ticketRecord(1, 5, { barcode: "42" }), version: 99 });
    const proxy = await startFaultyWrites(table.endpoint, () => undefined);
    const meanwhile = async (key: string) => {
      if (key === newer.PK) assert.ok(await upsertRecord(openTable(), newer));
      if (key === keys.order(1, 7).PK) await orderNoteRepository(1, openTable()).set(7, "Late");
      if (key === keys.event(1, 1).PK) await deleteItems([{ ...keys.event(1, 1) }]);
    };
    const done = new Set<string>();
    proxy.faultOf = ({ action, input }) => {
      if (action !== "UpdateItem") return undefined;
      const key = JSON.parse(input).Key.PK.S;
      if (done.has(key)) return undefined;
      done.add(key);
      return (_outgoing, forward) => void meanwhile(key).then(forward);
    };
    const { code } = await run([], proxy.url);
    await proxy.close();
    assert.equal(code, 0);
    const { GSI3PK, GSI3SK, ...stored } = (await getItem(openTable(), keys.ticket(1, 5))) ?? {};
    assert.deepEqual(stored, newer);
    const order = (await getItem(openTable(), keys.order(1, 7))) ?? {};
    assert.deepEqual([order.GSI1PK, StoredOrder.parse(order).admin_note], ["ORG#1#DATE#2#ORDERS", "Late"]);
    assert.equal(await getItem(openTable(), keys.event(1, 1)), undefined);
  });
});

describe("a list that is newer than the table", () => {
  const newer = { ...tickets, lists: { ...tickets.lists, byBarcode: { ...tickets.lists.byBarcode, since: 2 } } };
  const page = { per_page: 5, cursor: undefined };
  const find = (own = openTable()) => repositoryOf(newer)(1, own).byBarcode("7331050090211", page);
  const unavailable = { name: "Unavailable", detail: /list is new, and existing data is not in it yet/ };

  test("is unavailable until the table satisfies it, and all others work", async () => {
    await assert.rejects(find(), unavailable);
    assert.equal((await repositoryOf(newer)(1, openTable()).get(5)).id, 5);
    await mark(2);
    assert.deepEqual((await find()).data.map(({ id }) => id).sort(), [5]);
    const own = openTable();
    await find(own);
    assert.deepEqual(own.usage.calls, { Query: 1 });
  });

  test("is unavailable again after an earlier version has written", async () => {
    await useTestTable();
    await mark(3);
    await lowerVersion(openTable(), 1);
    assert.equal(await versionOf(), 1);
    await assert.rejects(find(), unavailable);
  });

  test("is lowered by the feed's writes, which read it once", async () => {
    await useTestTable();
    await mark(declarationsVersion + 1);
    const own = openTable();
    await putRecords(rows, own);
    assert.equal(own.usage.calls.GetItem, 1);
    assert.equal(await versionOf(), declarationsVersion);
  });
});
