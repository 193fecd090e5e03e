import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "@jest/globals";
import fc from "fast-check";
import { Problem } from "../../../functions/problem.ts";
import { events } from "../../../functions/resources/event.ts";
import { dates } from "../../../functions/resources/eventDate.ts";
import { timeOrderedId } from "../../../functions/resources/fields.ts";
import { declaredList, integerSortKey, type List, lists } from "../../../functions/table/keys.ts";
import { decodeCursor, encodeCursor } from "../../../functions/table/rows.ts";

const list = declaredList(events, "all", 1);
const { partition } = list;
const sortKey = integerSortKey(1, 2);
const cursor = encodeCursor(list, sortKey);

const decode = (ofList: List, text: string) =>
  decodeCursor({ ...ofList, isPosition: (position) => ofList.rowKey(position) !== undefined }, text);

function assertRefused(text: string, ofList: List = list): void {
  assert.throws(
    () => decode(ofList, text),
    (error) => error instanceof Problem && error.code === "invalid_request" && error.members.errors?.length === 1,
    text,
  );
}

test("a cursor gives its position in its own list only", () => {
  assert.equal(decode(list, cursor), sortKey);
  for (const other of [declaredList(events, "all", 2), declaredList(dates, "ofEvent", 1, 1), lists.apiKeys(1)])
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
  const keysOfOne = lists.apiKeys(1);
  const id = timeOrderedId("2026-11-20T12:00:00.000Z");
  assert.equal(decode(keysOfOne, encodeCursor(keysOfOne, id)), id);
  for (const position of [sortKey, id.slice(1), `${id}0`, id.toUpperCase(), ""]) {
    assertRefused(encodeCursor(keysOfOne, position), keysOfOne);
  }
});

test("a cursor with a correct digest but an impossible position is refused", () => {
  for (const position of ["", "x", "#1", "2026-01-01T00:00:00.000Z", "#9007199254740991\u0000"]) {
    const digest = createHash("sha256").update(`${partition}\n${position}`).digest().subarray(0, 9);
    assertRefused(Buffer.concat([digest, Buffer.from(position)]).toString("base64url"));
  }
});
