import assert from "node:assert/strict";
import { beforeAll, beforeEach, describe, test } from "@jest/globals";
import fc from "fast-check";
import { type Rebuilt, rebuildSummaries, type Scope } from "../../../cli/summaries/rebuildSummaries.ts";
import type { RecordItem } from "../../../functions/records/recordItem.ts";
import { consumeRecords } from "../../../functions/stream/stream.ts";
import type { Item } from "../../../functions/table/item.ts";
import { keys } from "../../../functions/table/keys.ts";
import { openTable } from "../../../functions/table/table.ts";
import { putItem } from "../../../functions/table/writes.ts";
import { countedItem } from "../../support/data/recount.ts";
import { compareSummaries, parentItems, upsert } from "../../support/data/salesHistory.ts";
import { deleteItems, dumpTable, streamRecord } from "../../support/data/table.ts";
import { useTestTable } from "../../support/data/testTable.ts";
import { cases, shareOf } from "../../support/jest/cases.ts";
import { runProgram } from "../support/runProgram.ts";

let table = { endpoint: "", tableName: "" };

const latest = (items: RecordItem[]) => [...new Map(items.map((item) => [item.PK, item])).values()];

/** Puts items one after another and counts them like the consumer. */
async function putAndCount(items: RecordItem[]): Promise<void> {
  for (const item of items) {
    await putItem(openTable(), item);
    assert.deepEqual(await consumeRecords({ Records: [streamRecord(item)] }, openTable()), { batchItemFailures: [] });
  }
}

async function organisationOf(organisationId: number, seed: number): Promise<RecordItem[]> {
  const [upserts = []] = fc.sample(fc.array(upsert, { minLength: 20, maxLength: 20 }), { seed, numRuns: 1 });
  const items = [...parentItems(organisationId), ...upserts.map((make) => make(organisationId))];
  await putAndCount(items);
  return latest(items);
}

async function rebuild(scope: Scope, signal = new AbortController().signal): Promise<Rebuilt> {
  const rebuilt: Rebuilt = { summaries: 0, items: 0, failures: [] };
  await rebuildSummaries(openTable(), scope, rebuilt, { pause: async () => undefined, signal });
  return rebuilt;
}

async function assertRecounted(organisationId: number, items: RecordItem[]): Promise<void> {
  const { shown, recounted } = await compareSummaries(organisationId, items);
  assert.deepEqual(shown, recounted);
}

/** Ways to damage counted data: an item is deleted, replaced or, with undefined, left alone. */
const damages: Record<string, (item: Item) => Item | "lost" | undefined> = {
  "summaries are lost": ({ SK }) => (isSummary(SK) ? "lost" : undefined),
  "contributions are lost": ({ SK }) => (SK === "CONTRIBUTION" ? "lost" : undefined),
  "summaries are wrong": ({ PK, SK }) => (isSummary(SK) ? { PK, SK, net: 5, orders_count: -1 } : undefined),
  "summaries are not numbers": (item) => (isSummary(item.SK) ? { ...item, net: "five" } : undefined),
  "contributions are wrong": (item) => (item.SK === "CONTRIBUTION" ? { ...item, shares: [] } : undefined),
  "tallies of orders are lost": ({ tally, ...item }) => (tally ? item : undefined),
  "tallies of orders are wrong": (item) => (item.tally ? { ...item, tally: wrongTally(item) } : undefined),
  "contributions are not lists": ({ PK, SK }) => (SK === "CONTRIBUTION" ? { PK, SK, shares: "none" } : undefined),
};

const wrongTally = ({ tally }: Item) => (tally as Item[]).map((share) => ({ ...share, counters: { net: 7 } }));

/** Each rebuilds every summary of organisation 1. */
const waysToScope: Scope[][] = [
  [{ organisationId: 1 }],
  [{}],
  [
    { organisationId: 1, eventId: 1 },
    { organisationId: 1, eventId: 2 },
  ],
];

const isSummary = (sortKey: unknown) => /SUMMARY$/.test(String(sortKey));

async function damage(organisationId: number, damaged: (typeof damages)[string]): Promise<void> {
  for (const item of await dumpTable()) {
    const after = String(item.PK).startsWith(`ORG#${organisationId}#`) ? damaged(item) : undefined;
    if (after === "lost") await deleteItems([item]);
    else if (after) await putItem(openTable(), after);
  }
}

describe("a rebuild makes summaries equal to a recount, for an event, an organisation or all", () => {
  let items: RecordItem[];
  let other: RecordItem[];
  beforeAll(async () => {
    table = await useTestTable();
    items = await organisationOf(1, 1);
    other = await organisationOf(2, 2);
  });

  test.each(Object.entries(damages))("when %s", async (_name, how) => {
    for (const scopes of shareOf(waysToScope, how, Object.values(damages))) {
      await damage(1, how);
      for (const scope of scopes) assert.deepEqual((await rebuild(scope)).failures, []);
      await assertRecounted(1, items);
      await assertRecounted(2, other);
    }
    // Later changes are added to the rebuilt summaries.
    const parents = { event_id: 1, date_id: 1 };
    const later = [
      countedItem.payment(1, 9 + items.length, { ...parents, order_id: null, amount: 100 }),
      countedItem.ticket(1, 9 + items.length, { ...parents, order_id: 1, status: "valid" }),
      countedItem.order(1, 1, { ...parents, status: "paid", fee_total: items.length }),
    ];
    await putAndCount(later);
    items = latest([...items, ...later]);
    await assertRecounted(1, items);
  });
});

describe("with a new table", () => {
  beforeEach(async () => {
    table = await useTestTable();
  });

  test("a rebuild is right while items change and the consumer runs, and after an interrupted one", async () => {
    const items = await organisationOf(1, 3);
    await damage(1, ({ PK, SK }) => (isSummary(SK) ? { PK, SK, net: 5 } : undefined));
    const interruption = new AbortController();
    const interrupted = rebuild({ organisationId: 1 }, interruption.signal);
    const changes = fc.sample(upsert, { seed: 4, numRuns: cases(20, 60) }).map((make) => make(1));
    const changing = putAndCount(changes);
    interruption.abort();
    await interrupted;
    await Promise.all([changing, rebuild({ organisationId: 1 }), rebuild({ organisationId: 1, eventId: 2 })]);
    await rebuild({ organisationId: 1 });
    await assertRecounted(1, latest([...items, ...changes]));
  });

  test("a rebuild reports items that cannot be counted, and counts the others", async () => {
    const items = await organisationOf(1, 5);
    const bad = { ...countedItem.ticket(1, 77, {}), original_price: "free" };
    await putItem(openTable(), bad);
    const { failures } = await rebuild({ organisationId: 1 });
    assert.deepEqual(
      failures.map(({ key }) => key),
      [keys.ticket(1, 77)],
    );
    await assertRecounted(1, items);
  });

  test("a rebuild repairs the damaged contribution of an order that is not there yet", async () => {
    const parents = { event_id: 1, date_id: 1 };
    const items = [...parentItems(1), countedItem.ticket(1, 1, { ...parents, order_id: 9, status: "valid" })];
    await putAndCount(items);
    await damage(1, ({ PK, SK, tally }) => (tally ? { PK, SK, shares: "none" } : undefined));
    assert.deepEqual((await rebuild({ organisationId: 1 })).failures, []);
    items.push(countedItem.order(1, 9, { ...parents, status: "paid" }));
    await putAndCount(items.slice(-1));
    await assertRecounted(1, items);
  });

  test("the command rebuilds an organisation's summaries and prints the counts", async () => {
    const items = await organisationOf(1, 6);
    await damage(1, ({ SK }) => (isSummary(SK) ? "lost" : undefined));
    const commandLine = ["--organisation", "1", "--endpoint", table.endpoint, "--table", table.tableName];
    const { code, stdout } = await runProgram("summaries rebuild", commandLine, { asProcess: true });
    assert.match(stdout, /^\d+ summaries rebuilt, \d+ items counted, 0 not counted, in \d+\.\d s\.\n$/);
    assert.equal(code, 0);
    await assertRecounted(1, items);
  });
});
