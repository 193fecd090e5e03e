import assert from "node:assert/strict";
import { beforeEach, test } from "@jest/globals";
import { balanceRepository } from "../../../functions/records/balanceRepository.ts";
import { changeTimeAttribute } from "../../../functions/records/changeTime.ts";
import { orderNoteRepository } from "../../../functions/records/orderNoteRepository.ts";
import { recordItem } from "../../../functions/records/recordItem.ts";
import { upsertRecord } from "../../../functions/records/upsertRecord.ts";
import { openTable, type Table } from "../../../functions/table/table.ts";
import { useFaultyProxy } from "../../support/data/faultyProxy.ts";
import { eventRecord, orderRecord } from "../../support/data/records.ts";
import { clockOf, dumpItems, putRecords } from "../../support/data/table.ts";
import { useTestTable } from "../../support/data/testTable.ts";

const proxy = await useFaultyProxy();
beforeEach(async () => {
  await useTestTable();
  await putRecords([eventRecord(1, 7), orderRecord(1, 7)]);
});

const recorder = { keyId: "key", keyPrefix: "tsk_12345678", idempotencyKey: undefined };
/** Each writer of changes, and the sort key of the item that it changes. */
const changes = [
  ["record of an event", "EVENT", (table: Table) => upsertRecord(table, recordItem(eventRecord(1, 7, { name: "B" })))],
  ["record of an order", "ORDER", (table: Table) => upsertRecord(table, recordItem(orderRecord(1, 7, { total: 7 })))],
  ["note", "ORDER", (table: Table) => orderNoteRepository(1, table).set(7, "Wheelchair place")],
  [
    "balance payment",
    "BALANCEPAYMENT",
    (table: Table) => balanceRepository(1, table).record(7, { type: "payment", amount: 1 }, recorder),
  ],
] as const;

const isWrite = (action: string) => ["PutItem", "TransactWriteItems", "UpdateItem"].includes(action);

test.each(changes)("a %s is unavailable while the time is unknown, and changes nothing", async (_, _type, change) => {
  const before = await dumpItems();
  await assert.rejects(change(openTable(undefined, { ...clockOf(Date.now), isSet: () => false })), {
    name: "Unavailable",
  });
  assert.deepEqual(await dumpItems(), before);
});

test.each(changes)("a %s gets a new change time after a slow write, until a write is fast", async (_, type, change) => {
  let writes = 0;
  // The first two writes take a minute each.
  const uptimeMs = () => Math.min(writes, 2) * 60_000;
  proxy.faultOf = ({ action }) => {
    if (isWrite(action)) writes += 1;
    return undefined;
  };
  const startMs = Date.now();
  await change(openTable(undefined, { ...clockOf(() => startMs + uptimeMs()), uptimeMs }));
  assert.equal(writes, 3);
  const stored = (await dumpItems()).find(({ SK }) => SK === type);
  const changeTime = String(stored?.[changeTimeAttribute]).split("#")[0];
  assert.equal(changeTime, new Date(startMs + 120_000).toISOString());
});
