import assert from "node:assert/strict";
import { beforeEach, test } from "@jest/globals";
import { entityTag } from "../../../functions/api/entityTag.ts";
import { preconditionCheck } from "../../../functions/api/preconditions.ts";
import { orderNoteRepository } from "../../../functions/records/orderNoteRepository.ts";
import { recordItem } from "../../../functions/records/recordItem.ts";
import { upsertRecord } from "../../../functions/records/upsertRecord.ts";
import { resources } from "../../../functions/resources/index.ts";
import type { Order } from "../../../functions/resources/order.ts";
import { orders } from "../../../functions/resources/order.ts";
import { payments } from "../../../functions/resources/payment.ts";
import { itemKeys } from "../../../functions/table/itemKeys.ts";
import { getItem } from "../../../functions/table/reads.ts";
import { openTable } from "../../../functions/table/table.ts";
import { orderRecord, paymentRecord, ticketRecord } from "../../support/data/records.ts";
import { repositoryOf } from "../../support/data/repositoryOf.ts";
import { putRecords } from "../../support/data/table.ts";
import { useTestTable } from "../../support/data/testTable.ts";

beforeEach(useTestTable);

const table = openTable();
const ordersWithTickets = repositoryOf(orders, resources)(1, table);
const { ofOrder: paymentsOfOrder } = repositoryOf(payments)(1, table);
const notes = orderNoteRepository(1, table);
const upsert = (id: number, fields: Partial<Order> = {}) => upsertRecord(table, recordItem(orderRecord(1, id, fields)));
const changeTimeOf = async (id: number) => String((await getItem(table, itemKeys.order(1, id)))?.GSI3SK);

test("an order comes with its tickets by id", async () => {
  await upsert(7);
  await putRecords([12, 11, 2].map((id) => ticketRecord(1, id, { order_id: 7 })));
  await putRecords([ticketRecord(1, 5, { order_id: 8 })]);
  assert.deepEqual(await ordersWithTickets.get(7), {
    ...orderRecord(1, 7).data,
    tickets: [2, 11, 12].map((id) => ticketRecord(1, id, { order_id: 7 }).data),
  });
  await assert.rejects(repositoryOf(orders)(2, table).get(7), { code: "not_found" });
});

test("payments of an order come newest first, and an unknown order is not found", async () => {
  await upsert(7);
  const dated = (id: number, day: string) => paymentRecord(1, id, { order_id: 7, date_created: `2026-01-${day}` });
  await putRecords([dated(1, "02"), dated(2, "03"), dated(3, "02")]);
  const page = { per_page: 50, cursor: undefined };
  assert.deepEqual(
    (await paymentsOfOrder(7, page)).data.map(({ id }) => id),
    [2, 3, 1],
  );
  await upsert(8);
  assert.deepEqual((await paymentsOfOrder(8, page)).data, []);
  await assert.rejects(paymentsOfOrder(9, page), { code: "not_found" });
});

test("a note survives later imports, moves the order to the end of the changes and updates date_modified", async () => {
  await upsert(7, { admin_note: "first", date_modified: "2026-01-01T00:00:00Z" });
  const before = await changeTimeOf(7);
  const since = new Date().toISOString();
  const updated = await notes.set(7, "Wheelchair place");
  assert.equal(updated.admin_note, "Wheelchair place");
  assert.ok(updated.date_modified >= since);
  assert.ok((await changeTimeOf(7)) > before);
  await upsert(7, { admin_note: "from the core system", status: "refunded", date_modified: "2026-02-01T00:00:00Z" });
  const imported = await ordersWithTickets.get(7);
  assert.deepEqual(
    [imported.admin_note, imported.status, imported.date_modified],
    ["Wheelchair place", "refunded", updated.date_modified],
  );
  await upsert(7, { admin_note: "later", date_modified: "2999-01-01T00:00:00Z" });
  assert.equal((await ordersWithTickets.get(7)).date_modified, "2999-01-01T00:00:00Z");
});

test("a removed note stays removed, and an imported note shows on an order whose note was never set", async () => {
  await upsert(7, { admin_note: "imported" });
  assert.equal((await ordersWithTickets.get(7)).admin_note, "imported");
  await notes.set(7, null);
  await upsert(7, { admin_note: "imported again" });
  assert.equal((await ordersWithTickets.get(7)).admin_note, null);
});

test("a changed ticket gives its order a new ETag, but is not a change of the order", async () => {
  const tagOf = async () => entityTag(JSON.stringify(await ordersWithTickets.get(7)));
  await upsert(7);
  await putRecords([ticketRecord(1, 2, { order_id: 7, checked_in: false })]);
  const [tag, changeTime] = [await tagOf(), await changeTimeOf(7)];
  await putRecords([ticketRecord(1, 2, { order_id: 7, checked_in: true })]);
  assert.equal(await changeTimeOf(7), changeTime);
  await assert.rejects(notes.set(7, "x", preconditionCheck({ "if-match": tag })), { code: "precondition_failed" });
  await notes.set(7, "x", preconditionCheck({ "if-match": await tagOf() }));
});
