import assert from "node:assert/strict";
import { beforeEach, test } from "@jest/globals";
import fc from "fast-check";
import { parseQuery } from "../../../functions/api/parseRequest.ts";
import { listQuery } from "../../../functions/api/readQuery.ts";
import { parseLine } from "../../../functions/feed/parseRecord.ts";
import { upsertRecord } from "../../../functions/records/upsertRecord.ts";
import { attendees } from "../../../functions/resources/attendee.ts";
import { type Order, orders } from "../../../functions/resources/order.ts";
import type { Page } from "../../../functions/resources/page.ts";
import { tickets } from "../../../functions/resources/ticket.ts";
import { openTable } from "../../../functions/table/table.ts";
import { isBlank } from "../../../functions/values/lookUp.ts";
import { attendeeRecord, orderRecord, ticketRecord } from "../../support/data/records.ts";
import { repositoryOf } from "../../support/data/repositoryOf.ts";
import { dumpItems, putRecords } from "../../support/data/table.ts";
import { useTestTable } from "../../support/data/testTable.ts";
import { cases } from "../../support/jest/cases.ts";

const page = { per_page: 50, cursor: undefined };
const idsOf = async (found: Promise<Page<{ id: number }>>) => (await found).data.map(({ id }) => id);

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
  assert.deepEqual(await idsOf(byEmail("Ada@example.ORG", page)), [2, 1]);
  assert.deepEqual(await idsOf(byEmail("jürgen+X@übung.EXAMPLE", page)), [5]);
  assert.deepEqual(await idsOf(byEmail("ada@example", page)), []);
  assert.deepEqual(await idsOf(ofOrder(7, page)), [1, 2, 3]);
  assert.deepEqual((await repositoryOf(attendees)(2, table).byEmail("ada@example.org", page)).data, []);
  const [first] = (await byEmail("ada@example.org", { per_page: 1, cursor: undefined })).data;
  assert.equal(first?.email, " ADA@Example.org ", "the address is served as it was sent");
});

test("orders are found by e-mail address or reference, in upper or lower case, newest first", async () => {
  const dated = (id: number, day: string, fields: Partial<Order>) =>
    orderRecord(1, id, { date_created: `2026-01-${day}`, ...fields });
  await putRecords([
    dated(1, "02", { email: "ada@example.org", reference: "Ord-1" }),
    dated(2, "03", { email: "Ada@Example.org", reference: "ORD-1" }),
    dated(3, "04", { email: null, reference: "ord-2" }),
    dated(4, "05", { email: "", reference: "" }),
    dated(5, "06", { email: " \n\u200b", reference: "\u00a0\u00ad" }),
  ]);
  for (const item of await dumpItems())
    assert.equal("GSI4PK" in item, Number(item.id) < 4, "blank texts are in no index");
  const table = openTable();
  const { byEmail, byReference } = repositoryOf(orders)(1, table);
  assert.deepEqual(await idsOf(byEmail("ADA@example.org", page)), [2, 1]);
  assert.deepEqual(await idsOf(byReference("oRD-1", page)), [2, 1]);
  assert.deepEqual(await idsOf(byReference("ORD-2", page)), [3]);
  assert.deepEqual(await idsOf(repositoryOf(orders)(2, table).byEmail("ada@example.org", page)), []);
  await putRecords([dated(2, "03", { email: null, reference: "" })]);
  assert.deepEqual(await idsOf(byEmail("ada@example.org", page)), [1]);
  assert.deepEqual(await idsOf(byReference("ORD-1", page)), [1]);
});

/** Each finds itself and its spellings, and none of the others, which a person would call different. */
const distinct: Readonly<Record<string, readonly string[]>> = {
  K7P2QX: ["k7p2qx", " K7P2QX", "K7P2QX\n", "K7p2qX\u00a0", "\u200bK7P2\u00adQX \u200e", "K7P2\ufeffQX\u0007"],
  "K7 P2QX": ["k7 p2qx\r\n"],
  SS1: ["ss1", "Ss1"],
  ß1: ["ẞ1"],
  I9: ["i9"],
  ı9: [],
  İ9: ["i\u03079"],
  FI1: ["fi1"],
  ﬁ1: [],
  "ΟΔΟΣ 1": ["οδος 1", "οδοσ 1"],
  "Jürgen@Übung.example": ["ju\u0308rgen@übung.EXAMPLE"],
  '"quoted name"@x.example': ['"QUOTED name"@x.example'],
  '"quoted+name"@x.example': [],
  "no\u00a0break@x.example": [],
  "not an address": [],
  "a+b c/d=": ["A+B C/D="],
  "%2B": [],
  [`${"9".repeat(500)}`]: [],
  [`${"é".repeat(1_024)}`]: [],
};

test("every stored text is found by its look-up, also in other spellings, and nothing else is", async () => {
  const texts = Object.keys(distinct);
  await putRecords(
    texts.flatMap((text, index) => [
      orderRecord(1, index + 1, { reference: text, email: text }),
      attendeeRecord(1, index + 1, { email: text }),
      ticketRecord(1, index + 1, { barcode: text }),
    ]),
  );
  const table = openTable();
  const { byEmail, byReference } = repositoryOf(orders)(1, table);
  for (const [index, text] of texts.entries()) {
    assert.deepEqual(await idsOf(repositoryOf(tickets)(1, table).byBarcode(`${text}\r\n`, page)), [index + 1], text);
    for (const spelling of [text, ...(distinct[text] ?? [])]) {
      assert.deepEqual(await idsOf(byReference(spelling, page)), [index + 1], spelling);
      assert.deepEqual(await idsOf(byEmail(spelling, page)), [index + 1], spelling);
      assert.deepEqual(await idsOf(repositoryOf(attendees)(1, table).byEmail(spelling, page)), [index + 1], spelling);
    }
  }
});

test("every text that a record may have can be sent in a query, and finds the record", async () => {
  const text = fc.oneof(fc.string({ unit: "grapheme", maxLength: 30 }), fc.string({ unit: "binary", maxLength: 30 }));
  await fc.assert(
    fc.asyncProperty(text, async (barcode) => {
      const parsed = parseLine({ number: 1, text: JSON.stringify(ticketRecord(1, 1, { barcode })) });
      if ("problem" in parsed || isBlank(barcode)) return;
      await upsertRecord(openTable(), parsed.item);
      const [[, decoded = ""] = []] = new URLSearchParams(`barcode=${encodeURIComponent(barcode)}`);
      const query = parseQuery(listQuery(tickets, "byBarcode", []), { barcode: [decoded] });
      assert.equal((await repositoryOf(tickets)(1, openTable()).byBarcode(String(query.barcode), page)).data.length, 1);
    }),
    { numRuns: cases(100, 2_000) },
  );
});

test("an unencoded + is explained only if it is why nothing is found", async () => {
  await putRecords([
    orderRecord(1, 1, { email: "ada+tickets@example.org", reference: "A+1" }),
    orderRecord(1, 2, { email: "ada smith@example.org", reference: "B 2" }),
    ticketRecord(1, 1, { barcode: "a+b+c==" }),
  ]);
  const table = openTable();
  const { byEmail, byReference } = repositoryOf(orders)(1, table);
  const explained = (parameter: string) => ({
    code: "invalid_request",
    members: { errors: [{ parameter, detail: "Encode + as %2B." }] },
  });
  await assert.rejects(byEmail("ada tickets@example.org", page), explained("email"));
  await assert.rejects(byReference("a 1", page), explained("reference"));
  await assert.rejects(repositoryOf(tickets)(1, table).byBarcode("a b c==", page), explained("barcode"));
  assert.equal((await byEmail("ADA SMITH@example.org", page)).data.length, 1);
  assert.equal((await byReference("b 2", page)).data.length, 1);
  assert.deepEqual((await byEmail("grace hopper@example.org", page)).data, []);
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
