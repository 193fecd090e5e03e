import assert from "node:assert/strict";
import { beforeEach, test } from "@jest/globals";
import { repositoryOf } from "../../../functions/records/resourceRepository.ts";
import { attendees } from "../../../functions/resources/attendee.ts";
import { type Order, orders } from "../../../functions/resources/order.ts";
import { keys } from "../../../functions/table/keys.ts";
import { openTable } from "../../../functions/table/table.ts";
import { putItem } from "../../../functions/table/writes.ts";
import { attendeeRecord, orderRecord } from "../../support/data/records.ts";
import { dumpItems, putRecords } from "../../support/data/table.ts";
import { useTestTable } from "../../support/data/testTable.ts";

const page = { per_page: 50, cursor: undefined };

beforeEach(useTestTable);

test("attendees are found by e-mail address, in upper or lower case, newest first, and by their order", async () => {
  const dated = (id: number, day: string, email: string | null, order_id = 7) =>
    attendeeRecord(1, id, { email, order_id, date_created: `2026-01-${day}` });
  await putRecords([
    orderRecord(1, 7),
    dated(1, "02", "ada@example.org"),
    dated(2, "03", " ADA@Example.org "),
    dated(3, "04", "grace@example.org"),
    dated(4, "05", null, 8),
    dated(5, "06", "Jürgen+x@Übung.example", 8),
  ]);
  const table = openTable();
  const { byEmail, ofOrder } = repositoryOf(attendees)(1, table);
  const idsWith = async (email: string) => (await byEmail(email, page)).data.map(({ id }) => id);
  assert.deepEqual(await idsWith("Ada@example.ORG"), [2, 1]);
  assert.deepEqual(await idsWith("jürgen+X@übung.EXAMPLE"), [5]);
  assert.deepEqual(await idsWith("ada@example"), []);
  assert.deepEqual(
    (await ofOrder(7, page)).data.map(({ id }) => id),
    [1, 2, 3],
  );
  assert.deepEqual((await repositoryOf(attendees)(2, table).byEmail("ada@example.org", page)).data, []);
  const [first] = (await byEmail("ada@example.org", { per_page: 1, cursor: undefined })).data;
  assert.equal(first?.email, " ADA@Example.org ", "the address is served as it was sent");
});

test("orders are found by the buyer's e-mail address, and by a reference, in upper or lower case, newest first", async () => {
  const dated = (id: number, day: string, fields: Partial<Order>) =>
    orderRecord(1, id, { date_created: `2026-01-${day}`, ...fields });
  await putRecords([
    dated(1, "02", { email: "ada@example.org", reference: "Ord-1" }),
    dated(2, "03", { email: "Ada@Example.org", reference: "ORD-1" }),
    dated(3, "04", { email: null, reference: "ord-2" }),
    dated(4, "05", { email: "", reference: "" }),
  ]);
  const table = openTable();
  const { byEmail, byReference } = repositoryOf(orders)(1, table);
  const idsOf = async (found: Promise<{ data: Order[] }>) => (await found).data.map(({ id }) => id);
  assert.deepEqual(await idsOf(byEmail("ADA@example.org", page)), [2, 1]);
  assert.deepEqual(await idsOf(byReference("oRD-1", page)), [2, 1]);
  assert.deepEqual(await idsOf(byReference("ORD-2", page)), [3]);
  assert.deepEqual(await idsOf(repositoryOf(orders)(2, table).byEmail("ada@example.org", page)), []);
  await putRecords([dated(2, "03", { email: null, reference: "" })]);
  assert.deepEqual(await idsOf(byEmail("ada@example.org", page)), [1]);
  assert.deepEqual(await idsOf(byReference("ORD-1", page)), [1]);
});

test("a look-up is one call, besides the table's version in the first of a process, and costs half a unit", async () => {
  await putRecords([
    orderRecord(1, 1, { email: "ada@example.org" }),
    attendeeRecord(1, 1, { email: "ada@example.org" }),
  ]);
  for (const repository of [repositoryOf(orders), repositoryOf(attendees)]) {
    await repository(1, openTable()).byEmail("ada@example.org", page);
    const usage = { calls: {}, capacityUnits: 0 };
    assert.equal((await repository(1, openTable(usage)).byEmail("ada@example.org", page)).data.length, 1);
    assert.deepEqual(usage, { calls: { Query: 1 }, capacityUnits: 0.5 });
  }
});

test("an address is in no key of the table, and in no cursor", async () => {
  await putRecords([
    ...[1, 2].map((id) => attendeeRecord(1, id, { email: "ada@example.org" })),
    ...[1, 2].map((id) => orderRecord(1, id, { email: "ada@example.org" })),
  ]);
  const query = { per_page: 1, cursor: undefined };
  const pages = await Promise.all([
    repositoryOf(attendees)(1, openTable()).byEmail("ada@example.org", query),
    repositoryOf(orders)(1, openTable()).byEmail("ada@example.org", query),
  ]);
  const cursors = pages.map(({ pagination }) => Buffer.from(pagination.next_cursor ?? "", "base64url").toString());
  for (const cursor of cursors) assert.notEqual(cursor, "");
  const keysOf = (await dumpItems()).flatMap((item) =>
    Object.entries(item).flatMap(([name, value]) => (/(PK|SK)$/.test(name) ? [String(value)] : [])),
  );
  for (const text of [...cursors, ...keysOf]) assert.ok(!text.toLowerCase().includes("ada@"), text);
});

test("in a table of an earlier version only upper-case references can be looked up, until it is reindexed", async () => {
  await putRecords([orderRecord(1, 1, { reference: "ORD-1" })]);
  await putItem(openTable(), { ...keys.declarations(), declarations: 1 });
  const unavailable = { code: "service_unavailable" };
  const { byEmail, byReference } = repositoryOf(orders)(1, openTable());
  assert.equal((await byReference("ORD-1", page)).data.length, 1);
  await assert.rejects(byReference("Ord-1", page), unavailable);
  await assert.rejects(byEmail("ada@example.org", page), unavailable);
  await assert.rejects(repositoryOf(attendees)(1, openTable()).byEmail("ada@example.org", page), unavailable);
});
