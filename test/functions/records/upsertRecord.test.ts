import assert from "node:assert/strict";
import { beforeAll, beforeEach, test } from "@jest/globals";
import { recordItem, tombstone } from "../../../functions/records/recordItem.ts";
import { upsertRecord } from "../../../functions/records/upsertRecord.ts";
import { TableClock } from "../../../functions/table/clock.ts";
import { openTable } from "../../../functions/table/table.ts";
import { unanswered, useFaultyProxy } from "../../support/data/faultyProxy.ts";
import { categoryRecord, dateRecord, eventRecord, orderRecord, paymentRecord } from "../../support/data/records.ts";
import { clockOf, dumpItems, dumpTable, emptyTable, putRecords, tableAt } from "../../support/data/table.ts";
import { useTestTable } from "../../support/data/testTable.ts";

const proxy = await useFaultyProxy();
beforeAll(() => useTestTable());
beforeEach(emptyTable);

const table = openTable();
const dayMs = 24 * 60 * 60 * 1_000;
/** More than any delay on a busy machine. */
const hourMs = dayMs / 24;

/** The table for a writer with this clock, whose calls seem to take as long as it is ahead. */
function slowWriterAt(nowMs: () => number) {
  return openTable(undefined, { ...clockOf(nowMs), uptimeMs: () => nowMs() - Date.now() });
}

/** Types that are written by the two kinds of calls, and the text in each that a change replaces. */
const kinds = {
  event: (name: string) => eventRecord(1, 7, { name }),
  order: (reference: string) => orderRecord(1, 7, { reference }),
};

/** The only record, and when it was accepted. */
async function stored() {
  const [item, ...others] = await dumpItems();
  assert.deepEqual(others, []);
  const { record_version: version, name, reference, GSI3SK } = item ?? {};
  return { version, text: name ?? reference, changeTime: String(GSI3SK) };
}

/** Waits for the clock's next millisecond, so that later change times differ. */
async function tick() {
  for (const startMs = Date.now(); Date.now() === startMs; ) await new Promise(setImmediate);
}

const isWrite = (action: string) => action === "UpdateItem" || action === "PutItem";

for (const [type, recordOf] of Object.entries(kinds)) {
  const upsert = (version: number | undefined, text = `Version ${version}`, isRepeated = false, by = table) =>
    upsertRecord(by, recordItem({ ...recordOf(text), version }), isRepeated);
  const remove = (version: number, isRepeated = false, by = table) => {
    const deletion = { type: type as keyof typeof kinds, organisation_id: 1, id: 7, deleted: true, version } as const;
    return upsertRecord(by, tombstone(deletion), isRepeated);
  };

  test(`an ${type} is replaced by a higher or equal version, and not by a lower one`, async () => {
    const put = [];
    for (const version of [0, 2, 1, 2, 3]) put.push(await upsert(version));
    assert.deepEqual(put, ["new", "changed", "older", "unchanged", "changed"]);
    assert.equal((await stored()).text, "Version 3");
    assert.equal(await upsert(3, "Version 3 again"), "changed");
    assert.equal((await stored()).text, "Version 3 again");
  });

  test(`an ${type} has the highest version of concurrent writes, with its content`, async () => {
    const versions = Array.from({ length: 20 }, (_, index) => (index * 7) % 20);
    await Promise.all(versions.map((version) => upsert(version, `Text ${version % 3}`)));
    const { version, text } = await stored();
    assert.deepEqual([version, text], [19, "Text 1"]);
  });

  test(`an ${type} without a version replaces any record, and any record replaces it`, async () => {
    await upsert(7);
    for (const [version, text] of [
      [undefined, "Plain"],
      [undefined, "Plain again"],
      [0, "Version 0"],
    ] as const) {
      assert.equal(await upsert(version, text), "changed");
      assert.equal((await stored()).text, text);
    }
  });

  test(`an ${type} keeps its position in the changes if it is unchanged, and takes the higher version`, async () => {
    await upsert(3, "Same");
    const first = await stored();
    await tick();
    assert.deepEqual(
      [await upsert(3, "Same"), await upsert(5, "Same"), await upsert(4)],
      ["unchanged", "unchanged", "older"],
    );
    assert.deepEqual(await stored(), { ...first, version: 5 });
    assert.equal(await upsert(undefined, "Same"), "unchanged");
    assert.deepEqual(await stored(), { ...first, version: undefined });
  });

  test(`an ${type} moves to the end of the changes if it is changed, deleted or restored`, async () => {
    const changeTimes = [];
    for (const change of [() => upsert(1), () => upsert(2), () => remove(3), () => upsert(4)]) {
      await change();
      changeTimes.push((await stored()).changeTime);
      await tick();
    }
    assert.deepEqual(changeTimes, [...new Set(changeTimes)].sort());
  });

  test(`an ${type} keeps its position if it is deleted again, and stays deleted for longer`, async () => {
    await upsert(1);
    await remove(2);
    const [first] = await dumpItems();
    await tick();
    const later = slowWriterAt(() => Number(first?.expires_at) * 1_000);
    const again = [await remove(2, false, later), await remove(3, false, later), await upsert(3, "Old", false, later)];
    assert.deepEqual(again, ["older", "unchanged", "older"]);
    const [second] = await dumpItems();
    assert.deepEqual({ ...second, expires_at: 0 }, { ...first, record_version: 3, expires_at: 0 });
    assert.ok(Number(second?.expires_at) > Number(first?.expires_at));
  });

  test(`an ${type} is not replaced by a write that arrives after a newer one`, async () => {
    const abandoned = Promise.withResolvers<() => Promise<void>>();
    proxy.faultOf = ({ action }) => {
      if (!isWrite(action)) return undefined;
      return (outgoing, forward) => {
        abandoned.resolve(forward);
        outgoing.destroy();
      };
    };
    await assert.rejects(upsert(undefined, "Old"), { name: "Unavailable" });
    proxy.faultOf = () => undefined;
    await tick();
    await upsert(undefined, "New");
    const newer = await stored();
    await (await abandoned.promise)();
    assert.deepEqual(await stored(), newer);
  });

  for (const [change, write] of [
    ["written", (isRepeated: boolean) => upsert(2, "Same", isRepeated)],
    ["deleted", (isRepeated: boolean) => remove(2, isRepeated)],
  ] as const) {
    test(`an ${type} that was ${change} without a response gets a new change time only from a retry`, async () => {
      await upsert(1);
      proxy.faultOf = ({ action }) => (isWrite(action) ? unanswered : undefined);
      await assert.rejects(write(false), { name: "Unavailable" });
      proxy.faultOf = () => undefined;
      const landed = await stored();
      await tick();
      await write(false);
      assert.deepEqual(await stored(), landed);
      await write(true);
      assert.ok((await stored()).changeTime > landed.changeTime);
    });
  }

  test(`an ${type} has its change time from the table's clock, however wrong the writer's is`, async () => {
    for (const [index, aheadMs] of [dayMs, -dayMs, 400 * dayMs].entries()) {
      await upsert(index, `Ahead ${aheadMs}`, false, openTable(undefined, new TableClock(() => Date.now() + aheadMs)));
      const changeTimeMs = Date.parse((await stored()).changeTime.slice(0, 24));
      assert.ok(Math.abs(changeTimeMs - Date.now()) < hourMs, `${aheadMs}: ${changeTimeMs}`);
    }
  });

  test(`an ${type} whose change time is in the future gets the next later one`, async () => {
    const nowMs = Date.now();
    for (const aheadMs of [4_900, 0])
      await upsert(
        undefined,
        `Ahead ${aheadMs}`,
        false,
        tableAt(() => nowMs + aheadMs),
      );
    assert.equal(Date.parse((await stored()).changeTime.slice(0, 24)), nowMs + 4_901);
  });
}

test("records with the same id but different types or organisations do not replace each other", async () => {
  const records = [1, 2].flatMap((organisation) => [
    eventRecord(organisation, 1),
    dateRecord(organisation, 1, 1),
    categoryRecord(organisation, 1, 1),
  ]);
  await putRecords(records);
  assert.equal((await dumpTable()).length, records.length);
});

test("a category that moves to another event is changed", async () => {
  await putRecords([categoryRecord(1, 1, 7)]);
  const [before] = await dumpItems();
  await tick();
  await putRecords([categoryRecord(1, 2, 7)]);
  const [after] = await dumpItems();
  assert.equal(after?.event_id, 2);
  assert.ok(String(after?.GSI3SK) > String(before?.GSI3SK));
});

test("a payment that loses its order, and an order that loses its reference, leave those lists", async () => {
  await putRecords([paymentRecord(1, 7, { order_id: 5 }), orderRecord(1, 7, { reference: "ABC" })]);
  await putRecords([paymentRecord(1, 7, { order_id: null }), orderRecord(1, 7, { reference: "" })]);
  const [order, payment] = await dumpItems();
  assert.deepEqual([payment?.GSI2PK, order?.GSI4PK], [undefined, undefined]);
});
