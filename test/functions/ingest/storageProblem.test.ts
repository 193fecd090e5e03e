import assert from "node:assert/strict";
import { beforeAll, test } from "@jest/globals";
import { recordItem } from "../../../functions/data/records/recordItem.ts";
import { upsertRecord } from "../../../functions/data/records/upsertRecord.ts";
import { openTable } from "../../../functions/data/table/table.ts";
import { storageProblem } from "../../../functions/ingest/storageProblem.ts";
import { dumpTable } from "../../support/data/dumpTable.ts";
import { eventRecord } from "../../support/data/records.ts";
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
  assert.equal(await upsertRecord(openTable(), item), true);
  assert.equal((await dumpTable())[0]?.description, item.description);
  await assert.rejects(upsertRecord(openTable(), eventOf("é".repeat(largest + 100))), /size/);
});
