import assert from "node:assert/strict";
import { beforeAll, beforeEach, jest, test } from "@jest/globals";
import { recordItem } from "../../../../functions/data/records/recordItem.ts";
import { upsertRecord } from "../../../../functions/data/records/upsertRecord.ts";
import { orderRepository } from "../../../../functions/data/repositories/orderRepository.ts";
import { keys } from "../../../../functions/data/table/keys.ts";
import { getItem } from "../../../../functions/data/table/reads.ts";
import { openTable } from "../../../../functions/data/table/table.ts";
import { updateItem } from "../../../../functions/data/table/writes.ts";
import type { Order } from "../../../../functions/resources/order.ts";
import { dumpTable } from "../../../support/data/dumpTable.ts";
import { type Fault, type FaultyProxy, faults, startFaultyProxy } from "../../../support/data/faultyProxy.ts";
import { orderRecord } from "../../../support/data/records.ts";
import { useTestTable } from "../../../support/data/testTable.ts";

let proxy: FaultyProxy;
beforeAll(async () => {
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

/** Waits for the clock's next millisecond, so that later stamps differ. */
async function tick() {
  for (const startMs = Date.now(); Date.now() === startMs; ) await new Promise(setImmediate);
}

test("an unchanged order keeps its position in the changes and takes the higher version", async () => {
  await upsert(3);
  const first = await stored();
  await tick();
  assert.deepEqual([await upsert(3), await upsert(5), await upsert(4, { status: "refunded" })], [true, true, false]);
  assert.deepEqual(await stored(), { ...first, version: 5 });
  assert.equal(await upsert(undefined), true);
  assert.deepEqual(await stored(), { ...first, version: undefined });
});

test("a changed order moves to the end of the changes, regardless of its own dates", async () => {
  await upsert(1);
  const first = await stored();
  await tick();
  await upsert(2, { status: "refunded", date_modified: "2001-01-01T00:00:00Z" });
  const second = await stored();
  assert.equal(second.status, "refunded");
  assert.ok(second.stamp > first.stamp);
});

test("the highest version of concurrent writes wins, with its content", async () => {
  const versions = Array.from({ length: 20 }, (_, index) => (index * 7) % 20);
  await Promise.all(versions.map((version) => upsert(version, { reference: `R${version % 3}` })));
  const [item] = await dumpTable();
  assert.deepEqual([item?.record_version, item?.reference], [19, "R1"]);
});

test("every attribute of a record is stored, and attributes that records do not have are kept", async () => {
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

test("a slow write gets a new stamp when it is done", async () => {
  let writes = 0;
  const realNow = Date.now;
  jest.spyOn(Date, "now").mockImplementation(() => realNow() + (writes > 0 ? 60_000 : 0));
  proxy.faultOf = ({ action }) => {
    if (action === "UpdateItem") writes += 1;
    return undefined;
  };
  await upsert(1);
  assert.equal(writes, 2);
  const { stamp } = await stored();
  assert.ok(Date.parse(stamp.slice(0, 24)) > realNow() + 30_000, stamp);
});

test("a write that was stored without a response gets a new stamp only from its own retry", async () => {
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

test("a table that refuses an order makes the service unavailable", async () => {
  proxy.faultOf = ({ action }) => (action === "UpdateItem" ? faults.throttling : undefined);
  await assert.rejects(upsert(1), { code: "service_unavailable" });
});
