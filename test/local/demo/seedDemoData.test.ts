import assert from "node:assert/strict";
import { before, test } from "node:test";
import { keys } from "../../../functions/data/table/keys.ts";
import { contentHash } from "../../../functions/data/records/orderItem.ts";
import { countedSortKeys } from "../../../functions/data/summaries/summaryShares.ts";
import { countItems } from "../../../functions/data/summaries/summaryWriter.ts";
import { openTable } from "../../../functions/data/table/table.ts";
import { demoSales } from "../../../local/demo/demoRecords.ts";
import { seedProgrammes, seedSales } from "../../../local/demo/seedDemoData.ts";
import { deleteItems } from "../../support/deleteItems.ts";
import { dumpTable } from "../../support/dumpTable.ts";
import { useTestTable } from "../../support/testTable.ts";

type Dump = Awaited<ReturnType<typeof dumpTable>>;
let seeded: Dump;
let counted: ReadonlySet<string>;

before(async () => {
  process.env.DYNAMODB_TIMEOUT_MS = "30000";
  await useTestTable();
  await seedProgrammes();
  counted = await seedSales();
  seeded = await dumpTable();
});

const summarySortKeys = [keys.eventSummary(1, 1).SK, keys.dateSummary(1, 1).SK];
const summariesIn = (items: Dump) =>
  items.filter(({ SK }) => summarySortKeys.includes(String(SK))).map(({ date_generated: _, ...summary }) => summary);

test("orders are put with what tells a change, and among the changes as of when they were last changed", () => {
  const items = new Map(seeded.map((item) => [`${item.PK} ${item.SK}`, item]));
  for (const record of demoSales()) {
    if (record.type !== "order") continue;
    const { id, date_modified } = record.data;
    const item = items.get(`${keys.order(record.organisation_id, id).PK} ORDER`);
    const accepted = `${new Date(date_modified).toISOString()}#${String(id).padStart(16, "0")}`;
    assert.deepEqual(
      [item?.GSI2PK, item?.GSI2SK, item?.content_hash],
      [`ORG#${record.organisation_id}#ORDERS`, accepted, contentHash(record.data)],
    );
  }
});

test("what is there already stays as it is", async () => {
  await seedProgrammes();
  assert.equal((await seedSales()).size, 0);
  assert.deepEqual(await dumpTable(), seeded);
});

test("the summaries are those that the consumer of the stream would count, from nothing and once more", async () => {
  const sources = seeded.filter(({ SK }) => countedSortKeys.includes(String(SK)));
  for (const { PK } of sources) assert.ok(counted.has(String(PK)), String(PK));
  const changes = sources.map(({ PK, SK }) => ({ key: { PK: String(PK), SK: String(SK) }, sequenceNumbers: ["1"] }));
  const countAll = async () => {
    for (let start = 0; start < changes.length; start += 100) {
      assert.deepEqual(await countItems(openTable(), changes.slice(start, start + 100)), []);
    }
    return summariesIn(await dumpTable());
  };
  assert.deepEqual(await countAll(), summariesIn(seeded));
  await deleteItems(seeded.filter(({ SK }) => [...summarySortKeys, "CONTRIBUTION"].includes(String(SK))));
  assert.deepEqual(await countAll(), summariesIn(seeded));
});
