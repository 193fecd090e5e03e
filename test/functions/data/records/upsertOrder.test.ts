import assert from "node:assert/strict";
import { before, beforeEach, test } from "node:test";
import { recordItem } from "../../../../functions/data/records/recordItem.ts";
import { upsertRecord } from "../../../../functions/data/records/upsertRecord.ts";
import { orderRepository } from "../../../../functions/data/repositories/orderRepository.ts";
import { keys } from "../../../../functions/data/table/keys.ts";
import { getItem } from "../../../../functions/data/table/reads.ts";
import { openTable } from "../../../../functions/data/table/table.ts";
import { updateItem } from "../../../../functions/data/table/writes.ts";
import type { Order } from "../../../../functions/resources/order.ts";
import { dumpTable } from "../../../support/dumpTable.ts";
import { type Fault, type FaultyProxy, faults, startFaultyProxy } from "../../../support/faultyProxy.ts";
import { orderRecord } from "../../../support/records.ts";
import { useTestTable } from "../../../support/testTable.ts";

let proxy: FaultyProxy;
before(async () => {
  proxy = await startFaultyProxy(String(process.env.TEST_DYNAMODB_ENDPOINT));
  process.env.TEST_DYNAMODB_ENDPOINT = proxy.url;
});
beforeEach(async () => {
  proxy.faultOf = () => undefined;
  await useTestTable();
});

const table = openTable();
const key = keys.order(1, 7);

const upsert = (version: number | undefined, fields: Partial<Order> = {}, isRepeated = false) =>
  upsertRecord(table, recordItem({ ...orderRecord(1, 7, fields), version }), isRepeated);

async function stored() {
  const item = await getItem(table, key);
  return { version: item?.record_version, status: item?.status, stamp: String(item?.GSI2SK) };
}

/** Waits for the clock's next millisecond, so that a later stamp is another one. */
async function tick() {
  for (const startMs = Date.now(); Date.now() === startMs; ) await new Promise(setImmediate);
}

test("an order that is imported again unchanged stays where it stands, and its higher version is kept", async () => {
  await upsert(3);
  const first = await stored();
  await tick();
  assert.deepEqual([await upsert(3), await upsert(5), await upsert(4, { status: "refunded" })], [true, true, false]);
  assert.deepEqual(await stored(), { ...first, version: 5 });
  assert.equal(await upsert(undefined), true);
  assert.deepEqual(await stored(), { ...first, version: undefined });
});

test("an order that changed moves to the end of the changes, whatever its own dates say", async () => {
  await upsert(1);
  const first = await stored();
  await tick();
  await upsert(2, { status: "refunded", date_modified: "2001-01-01T00:00:00Z" });
  const second = await stored();
  assert.equal(second.status, "refunded");
  assert.ok(second.stamp > first.stamp);
});

test("of writers at the same time the highest version stays, and what it says", async () => {
  const versions = Array.from({ length: 20 }, (_, index) => (index * 7) % 20);
  await Promise.all(versions.map((version) => upsert(version, { reference: `R${version % 3}` })));
  const [item] = await dumpTable();
  assert.deepEqual([item?.record_version, item?.reference], [19, "R1"]);
});

test("every attribute of a record is stored, and no attribute of an earlier one is lost that a record does not know", async () => {
  await upsert(1, { first_name: "Ada" });
  await updateItem(table, key, {
    update: "SET api_note = :note",
    values: { ":note": { admin_note: "x", date_modified: "2026-01-01T00:00:00.000Z" } },
  });
  await upsert(2, { first_name: null, admin_note: "from the core system" });
  const item = await getItem(table, key);
  const { data } = orderRecord(1, 7, { first_name: null, admin_note: "from the core system" });
  for (const [name, value] of Object.entries(data)) assert.deepEqual(item?.[name], value, name);
  const shown = await orderRepository(1, table).get(7);
  assert.deepEqual(shown, { ...data, admin_note: "x", date_modified: "2026-01-01T00:00:00.000Z", tickets: [] });
});

test("a write that took long is stamped anew when it is done", async (context) => {
  let writes = 0;
  const realNow = Date.now;
  context.mock.method(Date, "now", () => realNow() + (writes > 0 ? 60_000 : 0));
  proxy.faultOf = ({ action }) => {
    if (action === "UpdateItem") writes += 1;
    return undefined;
  };
  await upsert(1);
  assert.equal(writes, 2);
  const { stamp } = await stored();
  assert.ok(Date.parse(stamp.slice(0, 24)) > realNow() + 30_000, stamp);
});

test("a write that failed but landed is stamped anew when it is repeated, and only then", async () => {
  const landUnanswered: Fault = (outgoing, forward) => {
    forward();
    outgoing.destroy();
  };
  proxy.faultOf = ({ action }) => (action === "UpdateItem" ? landUnanswered : undefined);
  await assert.rejects(upsert(1), { code: "service_unavailable" });
  proxy.faultOf = () => undefined;
  while (!(await getItem(table, key)));
  const landed = await stored();
  await tick();
  await upsert(1);
  assert.deepEqual(await stored(), landed);
  await upsert(1, {}, true);
  assert.ok((await stored()).stamp > landed.stamp);
});

test("a table that does not take an order is told so", async () => {
  proxy.faultOf = ({ action }) => (action === "UpdateItem" ? faults.throttling : undefined);
  await assert.rejects(upsert(1), { code: "service_unavailable" });
});
