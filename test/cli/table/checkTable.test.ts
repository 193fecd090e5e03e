import assert from "node:assert/strict";
import { PutCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { beforeEach, describe, test } from "@jest/globals";
import { repairItem } from "../../../cli/table/checkedItem.ts";
import { ChangesQuery } from "../../../functions/changes/change.ts";
import { changeRepository } from "../../../functions/changes/changeRepository.ts";
import { orderNoteRepository } from "../../../functions/records/orderNoteRepository.ts";
import { recordItem, tombstone } from "../../../functions/records/recordItem.ts";
import { upsertRecord } from "../../../functions/records/upsertRecord.ts";
import { tickets } from "../../../functions/resources/ticket.ts";
import { documentClient } from "../../../functions/table/client.ts";
import { type ItemKey, itemKeys } from "../../../functions/table/itemKeys.ts";
import { getStored } from "../../../functions/table/reads.ts";
import { openTable } from "../../../functions/table/table.ts";
import { attendeeRecord, eventRecord, orderRecord, ticketRecord } from "../../support/data/records.ts";
import { repositoryOf } from "../../support/data/repositoryOf.ts";
import { dumpItems, putRecords, tableAt } from "../../support/data/table.ts";
import { useTestTable } from "../../support/data/testTable.ts";
import { atTable, runProgram } from "../support/runProgram.ts";

const TableName = () => openTable().name();
const ticket = ticketRecord(1, 3, { order_id: 2, barcode: "OLD" });

beforeEach(async () => {
  await useTestTable();
  await putRecords([
    eventRecord(1, 1),
    orderRecord(1, 2, { event_id: 1 }),
    ticket,
    attendeeRecord(1, 4),
    eventRecord(7, 1),
  ]);
});

/** Edits an item as a person with another tool does. */
const edit = (Key: ItemKey, name: string, value: unknown) =>
  documentClient().send(
    new UpdateCommand({
      TableName: TableName(),
      Key,
      UpdateExpression: "SET #name = :value",
      ExpressionAttributeNames: { "#name": name },
      ExpressionAttributeValues: { ":value": value },
    }),
  );
const check = (...options: string[]) => runProgram("table check", [...options, ...atTable()]);
const stored = async (key: ItemKey) => (await getStored(openTable(), [key]))[0];
/** The ids of the tickets whose changes were accepted after a time. */
async function ticketsChangedSince(changedSince: string) {
  const table = tableAt(() => Date.now() + 30_000);
  const { data } = await changeRepository(1, table).list(
    ChangesQuery.parse({ types: "ticket", changed_since: changedSince }),
  );
  return data.map(({ id }) => id);
}
const byBarcode = async (barcode: string) =>
  (await repositoryOf(tickets)(1, openTable()).byBarcode(barcode, { per_page: 9, cursor: undefined })).data;

test("a table that only this service has written has no differences, with notes and tombstones", async () => {
  await orderNoteRepository(1, openTable()).set(2, "Wheelchair");
  await upsertRecord(openTable(), tombstone({ type: "ticket", organisation_id: 1, id: 9, deleted: true, version: 1 }));
  const before = await dumpItems();
  const { code, stdout } = await check("--repair");
  assert.match(stdout, /^\d items checked, 0 differ, 0 repaired, 0 damaged, in \S+ s\.\n$/);
  assert.equal(code, 0);
  assert.deepEqual(await dumpItems(), before);
});

test("an item that another tool edited is named without values, and the check alone changes nothing", async () => {
  await edit(itemKeys.ticket(1, 3), "barcode", "SECRET-NEW");
  await edit(itemKeys.event(7, 1), "name", "Gala");
  const before = await dumpItems();
  const { code, stdout } = await check("--organisation", "1");
  assert.match(stdout, /^ORG#1#TICKET#3 {2}differs: GSI\dPK, content_hash\n4 items checked, 1 differ, 0 repaired/);
  const next = `npm run ops -- table check --organisation 1 --repair ${atTable().join(" ")}`;
  assert.ok(stdout.endsWith(`To repair those that differ:\n  ${next}\n`));
  assert.equal(code, 1);
  assert.ok(!stdout.includes("SECRET"));
  assert.deepEqual(await dumpItems(), before);
});

test("a repaired edit is in the changes and found by its look-up, and then the right record wins", async () => {
  await edit(itemKeys.ticket(1, 3), "barcode", "NEW");
  const since = new Date().toISOString();
  assert.deepEqual([await ticketsChangedSince(since), await byBarcode("NEW")], [[], []]);
  assert.equal((await check("--repair")).code, 0);
  assert.deepEqual(await ticketsChangedSince(since), [3]);
  assert.deepEqual([(await byBarcode("NEW")).length, (await byBarcode("OLD")).length], [1, 0]);
  assert.equal((await check()).code, 0);
  assert.equal(await upsertRecord(openTable(), recordItem(ticket)), "changed");
  assert.deepEqual([(await byBarcode("NEW")).length, (await byBarcode("OLD")).length], [0, 1]);
});

describe("after an edit", () => {
  test("an item that another tool put without places and hash gets them by a repair", async () => {
    const { PK, SK, content_hash: _, ...item } = recordItem(ticketRecord(1, 5, { order_id: 2, barcode: "PUT" }));
    const fields = Object.entries(item).filter(([name]) => !/^GSI/.test(name));
    await documentClient().send(
      new PutCommand({ TableName: TableName(), Item: { PK, SK, ...Object.fromEntries(fields) } }),
    );
    assert.equal((await check("--repair")).code, 0);
    assert.equal((await byBarcode("PUT")).length, 1);
  });

  test("a record marked as deleted becomes a tombstone without the fields, if it has a version", async () => {
    await upsertRecord(openTable(), recordItem({ ...ticket, version: 3 }));
    await edit(itemKeys.ticket(1, 3), "deleted", true);
    assert.equal((await check("--repair")).code, 0);
    const names = Object.keys((await stored(itemKeys.ticket(1, 3))) ?? {}).sort();
    assert.deepEqual(names, [
      "GSI3PK",
      "GSI3SK",
      "PK",
      "SK",
      "content_hash",
      "deleted",
      "expires_at",
      "record_version",
    ]);
    assert.deepEqual(await byBarcode("OLD"), []);
  });

  test("a live record with a time to expire loses it", async () => {
    await edit(itemKeys.ticket(1, 3), "expires_at", 4_000_000_000);
    assert.match((await check("--repair")).stdout, /differs: expires_at; repaired/);
    assert.equal((await stored(itemKeys.ticket(1, 3)))?.expires_at, undefined);
  });
});

describe("a repair", () => {
  test("leaves a damaged item as it is, and names it", async () => {
    await edit(itemKeys.order(1, 2), "total", 32.205);
    await edit(itemKeys.ticket(1, 3), "id", 4);
    const before = await dumpItems();
    const { code, stdout } = await check("--repair");
    assert.match(stdout, /^ORG#1#ORDER#2 {2}damaged: total$/m);
    assert.match(stdout, /^ORG#1#TICKET#3 {2}damaged: id$/m);
    assert.equal(code, 1);
    assert.deepEqual(await dumpItems(), before);
  });

  test("loses against a record that arrives meanwhile", async () => {
    await edit(itemKeys.ticket(1, 3), "barcode", "NEW");
    const read = (await stored(itemKeys.ticket(1, 3))) ?? {};
    await upsertRecord(openTable(), recordItem(ticketRecord(1, 3, { order_id: 2, barcode: "RIGHT" })));
    const before = await dumpItems();
    assert.deepEqual(await repairItem(openTable(), read), { kind: "correct" });
    assert.deepEqual(await dumpItems(), before);
  });

  test("replaces a wrong change time", async () => {
    const since = new Date().toISOString();
    await edit(itemKeys.ticket(1, 3), "GSI3SK", "~");
    assert.match((await check("--repair")).stdout, /differs: GSI3SK; repaired/);
    assert.deepEqual(await ticketsChangedSince(since), [3]);
  });
});
