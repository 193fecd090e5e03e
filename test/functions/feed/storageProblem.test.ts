import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { beforeAll, test } from "@jest/globals";
import fc from "fast-check";
import { itemBytes, storageProblem } from "../../../functions/feed/storageProblem.ts";
import { orderNoteRepository } from "../../../functions/records/orderNoteRepository.ts";
import { recordItem } from "../../../functions/records/recordItem.ts";
import { upsertRecord } from "../../../functions/records/upsertRecord.ts";
import { maximumNoteLength } from "../../../functions/resources/order.ts";
import type { Item } from "../../../functions/table/item.ts";
import { itemKeys } from "../../../functions/table/itemKeys.ts";
import { getItem } from "../../../functions/table/reads.ts";
import { openTable } from "../../../functions/table/table.ts";
import { putItem } from "../../../functions/table/writes.ts";
import { discountRecord, eventRecord, orderRecord } from "../../support/data/records.ts";
import { dumpTable } from "../../support/data/table.ts";
import { useTestTable } from "../../support/data/testTable.ts";
import { cases } from "../../support/jest/cases.ts";

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

const value = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    fc.string({ unit: "grapheme", maxLength: 40 }),
    fc.integer(),
    fc.maxSafeInteger(),
    fc.double({ noNaN: true, noDefaultInfinity: true, min: 1e-9, max: 1e9 }),
    fc.constantFrom(null, true, false, 0, 100, -100, 1e21, 0.5),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(
      fc.string({ minLength: 1, maxLength: 10 }).filter((name) => name !== "__proto__"),
      tie("value"),
      { maxKeys: 4, noNullPrototype: true },
    ),
  ),
})).value;

test("an item has the size that DynamoDB counts", async () => {
  const table = openTable();
  /** The units for writing a new item: one for each kilobyte or part of one. */
  const unitsOf = async (item: Item) => {
    const usage = { calls: {}, capacityUnits: 0 };
    await putItem({ ...table, usage }, item);
    return usage.capacityUnits;
  };
  const fields = fc.dictionary(fc.constantFrom("name", "answers", "größe", "a"), value, { noNullPrototype: true });
  await fc.assert(
    fc.asyncProperty(fields, async (any) => {
      const item: Item = { PK: randomUUID(), SK: "SIZE", ...any, padding: "" };
      const kilobytes = Math.ceil((itemBytes(item) + 1) / 1024);
      const padded = (bytes: number) => ({ ...item, padding: "x".repeat(bytes - itemBytes(item)) });
      assert.equal(await unitsOf(padded(kilobytes * 1024)), kilobytes);
      assert.equal(await unitsOf(padded(kilobytes * 1024 + 1)), kilobytes + 1);
    }),
    { numRuns: cases(60, 1_000) },
  );
});

test("numbers that DynamoDB cannot store are refused", async () => {
  const discountOf = (percent: number) => recordItem(discountRecord(1, 1, { percent }));
  for (const percent of [0, 1e-130, 1e-129, 100]) {
    assert.equal(storageProblem(discountOf(percent)), undefined);
    await upsertRecord(openTable(), discountOf(percent));
    assert.equal((await getItem(openTable(), itemKeys.discount(1, 1)))?.percent, percent);
  }
  for (const percent of [9.9e-131, 5e-324]) {
    assert.equal(storageProblem(discountOf(percent)), "data.percent: Must be 0 or at least 1e-130");
    await assert.rejects(upsertRecord(openTable(), discountOf(percent)), { name: "ValidationException" });
  }
});
