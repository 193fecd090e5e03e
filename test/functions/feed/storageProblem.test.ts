import assert from "node:assert/strict";
import { beforeAll, test } from "@jest/globals";
import { storageProblem } from "../../../functions/feed/parseRecord.ts";
import { orderNoteRepository } from "../../../functions/records/orderNoteRepository.ts";
import { recordItem } from "../../../functions/records/recordItem.ts";
import { upsertRecord } from "../../../functions/records/upsertRecord.ts";
import { maximumNoteLength } from "../../../functions/resources/order.ts";
import { openTable } from "../../../functions/table/table.ts";
import { attendeeRecord, eventRecord, orderRecord } from "../../support/data/records.ts";
import { dumpItems, dumpTable } from "../../support/data/table.ts";
import { useTestTable } from "../../support/data/testTable.ts";

beforeAll(useTestTable);

const eventOf = (description: string) =>
  recordItem(eventRecord(1, 1, { description, tour_id: Number.MIN_SAFE_INTEGER }));

test("DynamoDB accepts the largest record without a problem, and refuses one slightly larger", async () => {
  const isStorable = (characters: number) => storageProblem(eventOf("é".repeat(characters))) === undefined;
  let largest = 0;
  for (let step = 2 ** 18; step >= 1; step /= 2) if (isStorable(largest + step)) largest += step;
  assert.ok(largest > 200_000 && !isStorable(largest + 1));
  const item = eventOf("é".repeat(largest));
  assert.equal(await upsertRecord(openTable(), item), "new");
  assert.equal((await dumpTable())[0]?.description, item.description);
  await assert.rejects(upsertRecord(openTable(), eventOf("é".repeat(largest + 1_000))), /size/);
});

test("an order that is as large as possible has room for the longest note, and stays writable", async () => {
  const orderOf = (source: string) => recordItem(orderRecord(1, 1, { source }));
  const isStorable = (characters: number) => storageProblem(orderOf("x".repeat(characters))) === undefined;
  let largest = 0;
  for (let step = 2 ** 19; step >= 1; step /= 2) if (isStorable(largest + step)) largest += step;
  await upsertRecord(openTable(), orderOf("x".repeat(largest)));
  const note = "🎭".repeat(maximumNoteLength);
  assert.equal((await orderNoteRepository(1, openTable()).set(1, note)).admin_note, note);
  assert.equal(await upsertRecord(openTable(), orderOf("y".repeat(largest))), "changed");
});

test("a note on an order of an earlier version that leaves no room for it is refused, and changes nothing", async () => {
  const table = openTable();
  await upsertRecord(table, recordItem(orderRecord(1, 2, { source: "x".repeat(405_000) })));
  const before = await dumpItems();
  await assert.rejects(orderNoteRepository(1, table).set(2, "x".repeat(maximumNoteLength)), { code: "conflict" });
  assert.deepEqual(await dumpItems(), before);
});

test("texts within an attendee's answers count", () => {
  const answers = Array.from({ length: 500 }, () => ({ question_id: 1, question: "?", answer: "x".repeat(1_000) }));
  assert.match(String(storageProblem(recordItem(attendeeRecord(1, 1, { answers })))), /^Larger than the 399 KB limit/);
});
