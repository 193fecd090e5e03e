import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "@jest/globals";
import fc from "fast-check";
import { events } from "../../../functions/resources/event.ts";
import { dates } from "../../../functions/resources/eventDate.ts";
import { ticketCategories } from "../../../functions/resources/ticketCategory.ts";
import { itemKeys } from "../../../functions/table/itemKeys.ts";
import { declaredList, instantSortKey, integerSortKey, type List, partitions } from "../../../functions/table/lists.ts";
import { decodeCursor, encodeCursor } from "../../../functions/values/cursor.ts";
import { timeOrderedId } from "../../../functions/values/timeOrderedId.ts";

const id = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER });
const sign = (number: number) => Math.sign(number);
const textOrder = (one: string, other: string) => (Buffer.from(one) < Buffer.from(other) ? -1 : Number(one !== other));

test("sort keys of integers sort by integer, then by id", () => {
  const row = fc.tuple(fc.oneof(fc.maxSafeInteger(), fc.integer({ min: -2, max: 2 })), id);
  fc.assert(
    fc.property(row, row, ([one, oneId], [other, otherId]) => {
      const expected = sign(one - other) || sign(oneId - otherId);
      assert.equal(textOrder(integerSortKey(one, oneId), integerSortKey(other, otherId)), expected);
    }),
  );
});

test("sort keys of instants sort by instant, null first, then by id", () => {
  const day = fc.date({
    min: new Date("0000-01-02T00:00:00Z"),
    max: new Date("9999-12-30T00:00:00Z"),
    noInvalidDate: true,
  });
  const offset = fc.constantFrom(0, -296, 330, 840);
  const instant = fc.option(fc.oneof(fc.constant(0), day.map(Number)));
  const row = fc.tuple(instant, offset, id);
  fc.assert(
    fc.property(row, row, ([one, oneOffset, oneId], [other, otherOffset, otherId]) => {
      const expected = sign((one ?? -Infinity) - (other ?? -Infinity) || 0) || sign(oneId - otherId);
      const oneKey = instantSortKey(withOffset(one, oneOffset), oneId);
      const otherKey = instantSortKey(withOffset(other, otherOffset), otherId);
      assert.equal(textOrder(oneKey, otherKey), expected, `${oneKey} ${otherKey}`);
    }),
  );
});

test("a row's sort key in a list gives its primary key", () => {
  const isEvent = (sortKey: string, number: number) =>
    declaredList(events, "all", 1).rowKey(sortKey)?.PK === itemKeys.event(1, number).PK;
  fc.assert(fc.property(id, (number) => isEvent(instantSortKey("2026-01-01", number), number)));
  fc.assert(fc.property(id, (number) => isEvent(instantSortKey(null, number), number)));
});

test("every key and list of an organisation's data begins with the organisation", () => {
  const owned = [
    ...[itemKeys.event, itemKeys.event_date, itemKeys.ticket_category].map((key) => key(7, 1).PK),
    itemKeys.apiKey(7, "k").PK,
    itemKeys.activity(7, "k").PK,
    ...[
      declaredList(events, "all", 7),
      declaredList(dates, "ofEvent", 7, 1),
      declaredList(ticketCategories, "ofEvent", 7, 1),
    ].map((list) => list.partition),
    ...[partitions.apiKeys(7), partitions.activity(7)].map((list) => list.partition),
  ];
  for (const key of owned) assert.ok(key.startsWith("ORG#7#"), key);
});

function withOffset(ms: number | null, offsetMinutes: number): string | null {
  if (ms === null) return null;
  const sign = offsetMinutes < 0 ? "-" : "+";
  const [hours, minutes] = [Math.trunc(Math.abs(offsetMinutes) / 60), Math.abs(offsetMinutes) % 60];
  const pad = (number: number) => String(number).padStart(2, "0");
  const local = new Date(ms + offsetMinutes * 60_000).toISOString().slice(0, -1);
  return `${local}${sign}${pad(hours)}:${pad(minutes)}`;
}

const list = declaredList(events, "all", 1);
const { partition } = list;
const sortKey = instantSortKey("2026-06-01", 2);
const cursor = encodeCursor(list, sortKey);

const decode = (ofList: List, text: string) =>
  decodeCursor({ ...ofList, isPosition: (position) => ofList.rowKey(position) !== undefined }, text);

function assertRefused(text: string, ofList: List = list): void {
  assert.throws(() => decode(ofList, text), { name: "ForeignCursor" }, text);
}

test("a cursor gives its position in its own list only", () => {
  assert.equal(decode(list, cursor), sortKey);
  for (const other of [declaredList(events, "all", 2), declaredList(dates, "ofEvent", 1, 1), partitions.apiKeys(1)])
    assertRefused(cursor, other);
});

test("a cursor belongs to the range of its list", () => {
  const all = declaredList(dates, "all", 1);
  const ranged = { ...all, range: { from: "2026", to: "2027" } };
  const ofRange = encodeCursor(ranged, sortKey);
  assert.equal(decode(ranged, ofRange), sortKey);
  for (const range of [undefined, { from: "2025", to: "2027" }, { from: "2026", to: "2028" }]) {
    assertRefused(ofRange, { ...all, range });
  }
});

test("a cursor that was changed, cut or padded is refused", () => {
  for (const text of ["", "a", cursor.slice(1), cursor.slice(0, -1), `${cursor}=`, `${cursor}A`, ` ${cursor}`]) {
    assertRefused(text);
  }
  fc.assert(
    fc.property(fc.nat({ max: cursor.length - 1 }), fc.constantFrom(..."AZaz09-_+/ ="), (at, character) => {
      const changed = cursor.slice(0, at) + character + cursor.slice(at + 1);
      if (changed !== cursor) assertRefused(changed);
    }),
  );
  fc.assert(fc.property(fc.string(), (text) => assertRefused(text)));
});

test("a list of the table itself has cursors of its own form", () => {
  const keysOfOne = partitions.apiKeys(1);
  const id = timeOrderedId("2026-11-20T12:00:00.000Z");
  assert.equal(decode(keysOfOne, encodeCursor(keysOfOne, id)), id);
  for (const position of [sortKey, id.slice(1), `${id}0`, id.toUpperCase(), ""]) {
    assertRefused(encodeCursor(keysOfOne, position), keysOfOne);
  }
});

test("a cursor with a correct digest but an impossible position is refused", () => {
  const row = "#0000000000000002";
  const impossible = ["", "x", "#1", "2026-01-01T00:00:00.000Z", "#9007199254740991\u0000", "#9007199254740992"];
  const prefixed = ["x", "2026-01-01T00:00:00.000Z", "00000000000000001", "9".repeat(1_024)].map(
    (start) => start + row,
  );
  for (const position of [...impossible, "#0000000000000000", ...prefixed]) {
    const digest = createHash("sha256").update(`${partition}\n${position}`).digest().subarray(0, 9);
    assertRefused(Buffer.concat([digest, Buffer.from(position)]).toString("base64url"));
  }
});

test("a list of failures has cursors of its own form", () => {
  const [keyId, time] = [timeOrderedId("2026-11-20T12:00:00.000Z"), "2026-11-20T12:00:00.000Z"];
  const [ofKey, ofAll] = [partitions.keyFailures(1, keyId), partitions.allKeyFailures(1)];
  const key = itemKeys.keyFailure(1, keyId, time, "request-1");
  assert.deepEqual(ofKey.rowKey(key.SK), key);
  assert.deepEqual(ofAll.rowKey(`${time}#request-1#${keyId}`), key);
  for (const position of ["", "FAILURE#", `FAILURE#${time}#`, `DAY#2026-11-20`, `FAILURE#${time}#${"x".repeat(1_024)}`])
    assert.equal(ofKey.rowKey(position), undefined, position);
  for (const position of [
    "",
    "##",
    `${time}##${keyId}`,
    `${time}#request-1#x`,
    `x#request-1#${keyId}`,
    `${time}#a#b#${keyId}`,
  ])
    assert.equal(ofAll.rowKey(position), undefined, position);
});
