import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { before, beforeEach, test } from "node:test";
import { fileURLToPath } from "node:url";
import { DeleteItemCommand } from "@aws-sdk/client-dynamodb";
import fc from "fast-check";
import { type Rebuilt, rebuildSummaries, type Scope } from "../../../cli/summaries/summaryRebuild.ts";
import { countRecords } from "../../../functions/consumers/summaries.ts";
import { toAttributes } from "../../../functions/data/dynamodb/attributeValue.ts";
import { dynamoDb } from "../../../functions/data/dynamodb/client.ts";
import type { RecordItem } from "../../../functions/data/records/recordItem.ts";
import type { Item } from "../../../functions/data/table/item.ts";
import { keys } from "../../../functions/data/table/keys.ts";
import { openTable } from "../../../functions/data/table/table.ts";
import { putItem } from "../../../functions/data/table/writes.ts";
import { logger } from "../../../functions/log/logger.ts";
import { countedItem } from "../../support/countedItems.ts";
import { dumpTable } from "../../support/dumpTable.ts";
import { compareSummaries, parentItems, upsert } from "../../support/salesHistory.ts";
import { streamRecord } from "../../support/streamRecords.ts";
import { useTestTable } from "../../support/testTable.ts";

before(() => logger.setLogLevel("SILENT"));
const program = fileURLToPath(new URL("../../../cli/summaries/rebuildSummaries.ts", import.meta.url));
let table = { endpoint: "", tableName: "" };
beforeEach(async () => {
  table = await useTestTable();
});

const latest = (items: RecordItem[]) => [...new Map(items.map((item) => [item.PK, item])).values()];

/** Puts items one after another, and counts them as the consumer does. */
async function putAndCount(items: RecordItem[]): Promise<void> {
  for (const item of items) {
    await putItem(openTable(), item);
    assert.deepEqual(await countRecords({ Records: [streamRecord(item)] }, openTable()), { batchItemFailures: [] });
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
  await rebuildSummaries(openTable(), scope, rebuilt, async () => undefined, signal);
  return rebuilt;
}

async function assertRight(organisationId: number, items: RecordItem[]): Promise<void> {
  const { shown, recounted } = await compareSummaries(organisationId, items);
  assert.deepEqual(shown, recounted);
}

/** Ways in which what is counted can be damaged; each leaves alone what it does not put back differently. */
const damages: Record<string, (item: Item) => Item | "lost" | undefined> = {
  "summaries are lost": ({ SK }) => (isSummary(SK) ? "lost" : undefined),
  "contributions are lost": ({ SK }) => (SK === "CONTRIBUTION" ? "lost" : undefined),
  "summaries are wrong": ({ PK, SK }) => (isSummary(SK) ? { PK, SK, net: 5, orders_count: -1 } : undefined),
  "summaries are no numbers": (item) => (isSummary(item.SK) ? { ...item, net: "five" } : undefined),
  "contributions are wrong": (item) => (item.SK === "CONTRIBUTION" ? { ...item, shares: [] } : undefined),
  "contributions are none": ({ PK, SK }) => (SK === "CONTRIBUTION" ? { PK, SK, shares: "none" } : undefined),
};

const isSummary = (sortKey: unknown) => /SUMMARY$/.test(String(sortKey));

async function damage(organisationId: number, damaged: (typeof damages)[string]): Promise<void> {
  for (const item of await dumpTable()) {
    const after = String(item.PK).startsWith(`ORG#${organisationId}#`) ? damaged(item) : undefined;
    const Key = toAttributes({ PK: item.PK, SK: item.SK });
    if (after === "lost") await dynamoDb().send(new DeleteItemCommand({ TableName: table.tableName, Key }));
    else if (after) await putItem(openTable(), after);
  }
}

for (const [damaged, how] of Object.entries(damages)) {
  test(`where ${damaged}, a rebuild makes summaries equal to a recount, for an event, an organisation or all`, async () => {
    const items = await organisationOf(1, 1);
    const other = await organisationOf(2, 2);
    for (const scopes of [
      [{ organisationId: 1 }],
      [{}],
      [
        { organisationId: 1, eventId: 1 },
        { organisationId: 1, eventId: 2 },
      ],
    ]) {
      await damage(1, how);
      for (const scope of scopes) assert.deepEqual((await rebuild(scope)).failures, []);
      await assertRight(1, items);
      await assertRight(2, other);
    }
    // Later changes are counted on from there.
    const later = countedItem.payment(1, 9, { event_id: 1, date_id: 1, amount: 100 });
    await putAndCount([later]);
    await assertRight(1, [...items, later]);
  });
}

test("summaries equal a recount after a rebuild while items change and the consumer runs, and after one that was interrupted", async () => {
  const items = await organisationOf(1, 3);
  await damage(1, ({ PK, SK }) => (isSummary(SK) ? { PK, SK, net: 5 } : undefined));
  const interruption = new AbortController();
  const interrupted = rebuild({ organisationId: 1 }, interruption.signal);
  const changes = fc.sample(upsert, { seed: 4, numRuns: 60 }).map((make) => make(1));
  const changing = putAndCount(changes);
  interruption.abort();
  await interrupted;
  await Promise.all([changing, rebuild({ organisationId: 1 }), rebuild({ organisationId: 1, eventId: 2 })]);
  await rebuild({ organisationId: 1 });
  await assertRight(1, latest([...items, ...changes]));
});

test("a rebuild tells which items cannot be counted, and counts the others", async () => {
  const items = await organisationOf(1, 5);
  const bad = { ...countedItem.ticket(1, 77, {}), original_price: "free" };
  await putItem(openTable(), bad);
  const { failures } = await rebuild({ organisationId: 1 });
  assert.deepEqual(
    failures.map(({ key }) => key),
    [keys.ticket(1, 77)],
  );
  await assertRight(1, items);
});

test("the command rebuilds what it is asked for and says what it did", async () => {
  const items = await organisationOf(1, 6);
  await damage(1, ({ SK }) => (isSummary(SK) ? "lost" : undefined));
  const { code, stdout } = await run("--organisation", "1", "--endpoint", table.endpoint, "--table", table.tableName);
  assert.match(stdout, /^\d+ summaries rebuilt, \d+ items counted, 0 not counted, in \d+\.\d s\.\n$/);
  assert.equal(code, 0);
  await assertRight(1, items);
});

test("the command refuses what makes no sense in one line", async () => {
  for (const [options, problem] of [
    [[], "Give either --organisation ID or --all."],
    [["--all", "--organisation", "1"], "Give either --organisation ID or --all."],
    [["--all", "--event", "1"], "--event requires --organisation."],
    [["--organisation", "x"], "--organisation must be an id."],
    [["--every"], "Unknown option '--every'"],
  ] as const) {
    const { code, stderr } = await run(...options);
    assert.equal(code, 2);
    assert.match(stderr, /^[^\n]+ See npm run summaries:rebuild -- --help\.\n$/);
    assert.ok(stderr.startsWith(problem), stderr);
  }
});

async function run(...commandLine: string[]) {
  const child = spawn(process.execPath, [program, ...commandLine]);
  const [[code], stdout, stderr] = await Promise.all([once(child, "close"), text(child.stdout), text(child.stderr)]);
  return { code, stdout, stderr };
}
