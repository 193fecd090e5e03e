import assert from "node:assert/strict";
import { createServer } from "node:http";
import { json } from "node:stream/consumers";
import { afterAll, beforeAll, beforeEach, describe, test } from "@jest/globals";
import fc from "fast-check";
import { type Rebuilt, rebuildSummaries } from "../../../cli/summaries/rebuildSummaries.ts";
import { whileStreamPaused } from "../../../cli/summaries/whileStreamPaused.ts";
import type { RecordItem } from "../../../functions/records/recordItem.ts";
import { consumeRecords } from "../../../functions/stream/tableStream.ts";
import { summaryRepository } from "../../../functions/summaries/summaryRepository.ts";
import type { Item } from "../../../functions/table/item.ts";
import { itemKeys } from "../../../functions/table/itemKeys.ts";
import { openTable } from "../../../functions/table/table.ts";
import { putItem } from "../../../functions/table/writes.ts";
import { countedItem } from "../../support/data/recount.ts";
import { compareSummaries, parentItems, upsert } from "../../support/data/salesHistory.ts";
import { deleteItems, dumpItems, streamRecord } from "../../support/data/table.ts";
import { useTestTable } from "../../support/data/testTable.ts";
import { listen } from "../../support/http/listen.ts";
import { atTable, runProgram } from "../support/runProgram.ts";

const signal = new AbortController().signal;

async function putAndCount(items: RecordItem[]): Promise<void> {
  for (const item of items) await putItem(openTable(), item);
  const Records = items.map((item) => streamRecord(item));
  assert.deepEqual(await consumeRecords({ Records }, openTable()), { batchItemFailures: [] });
}

async function organisationOf(organisationId: number): Promise<RecordItem[]> {
  const [upserts = []] = fc.sample(fc.array(upsert, { minLength: 20, maxLength: 20 }), {
    seed: organisationId,
    numRuns: 1,
  });
  const all = [...parentItems(organisationId), ...upserts.map((make) => make(organisationId))];
  const items = [...new Map(all.map((item) => [item.PK, item])).values()];
  await putAndCount(items);
  return items;
}

async function rebuild(organisationId?: number): Promise<Rebuilt> {
  const rebuilt: Rebuilt = { items: 0, failures: [] };
  await rebuildSummaries(openTable(), organisationId, rebuilt, { pause: async () => undefined, signal });
  return rebuilt;
}

async function assertRecounted(organisationId: number, items: RecordItem[]): Promise<void> {
  const { shown, recounted } = await compareSummaries(organisationId, items);
  assert.deepEqual(shown, recounted);
}

/** Ways to damage counted data of an organisation: an item is deleted, replaced or, with undefined, left alone. */
const damages: Record<string, (item: Item) => Item | "lost" | undefined> = {
  "summaries are lost": ({ SK }) => (isSummary(SK) ? "lost" : undefined),
  "summaries are wrong": ({ PK, SK }) => (isSummary(SK) ? { PK, SK, net: 5, orders_count: -1 } : undefined),
  "summaries are not numbers": (item) => (isSummary(item.SK) ? { ...item, net: "five" } : undefined),
  "last counts are lost": ({ SK }) => (SK === "LASTCOUNTED" ? "lost" : undefined),
  "last counts are wrong": (item) => (item.SK === "LASTCOUNTED" ? { ...item, items: [] } : undefined),
  "last counts are damaged": ({ PK, SK }) => (SK === "LASTCOUNTED" ? { PK, SK, items: "none" } : undefined),
};

const isSummary = (sortKey: unknown) => /SUMMARY#/.test(String(sortKey));

async function damage(organisationId: number, damaged: (typeof damages)[string]): Promise<void> {
  for (const item of await dumpItems()) {
    const after = String(item.PK).startsWith(`ORG#${organisationId}#`) ? damaged(item) : undefined;
    if (after === "lost") await deleteItems([item]);
    else if (after) await putItem(openTable(), after);
  }
}

describe("a rebuild makes summaries equal to a recount, for an organisation or all,", () => {
  let items: RecordItem[];
  let other: RecordItem[];
  beforeAll(async () => {
    await useTestTable();
    items = await organisationOf(1);
    other = await organisationOf(2);
  });

  test.each(Object.entries(damages))("when %s", async (_name, how) => {
    for (const organisationId of [1, undefined]) {
      await damage(1, how);
      assert.deepEqual((await rebuild(organisationId)).failures, []);
      await assertRecounted(1, items);
      await assertRecounted(2, other);
    }
    // Later changes are added to the rebuilt summaries.
    const later = countedItem.order(1, 9 + items.length, { event_id: 1, date_id: 1, status: "paid" });
    await putAndCount([later]);
    items.push(later);
    await assertRecounted(1, items);
  });

  test("and counts all except items that do not match their keys, which the command reports", async () => {
    const bad = { ...countedItem.ticket(1, 77, { order_id: 5 }), original_price: "free" };
    await putItem(openTable(), bad);
    await damage(1, ({ SK }) => (isSummary(SK) ? "lost" : undefined));
    const commandLine = ["--organisation", "1", ...atTable()];
    const { code, stdout, stderr } = await runProgram("summaries rebuild", commandLine, { asProcess: true });
    assert.match(stdout, /^\d+ items counted, 1 not counted, in \d+\.\d s\.\n$/);
    assert.match(stderr, new RegExp(`Not counted: ${itemKeys.ticket(1, 77).PK}: `));
    assert.equal(code, 1);
    await assertRecounted(1, items);
  });
});

test("a rebuild keeps the people whom tickets of deleted categories admit", async () => {
  await useTestTable();
  const sold = [
    ...parentItems(3),
    countedItem.order(3, 1, { event_id: 1, date_id: 1, status: "paid" }),
    ...[1, 2, 3].map((id) =>
      countedItem.ticket(3, id, { event_id: 1, date_id: 1, order_id: 1, status: "valid", ticket_category_id: id }),
    ),
  ];
  const categories = [1, 2].map((id) => countedItem.category(3, id, { event_id: 1, people: 10 ** id }));
  await putAndCount([...sold, ...categories]);
  const [deleted] = categories;
  assert.ok(deleted);
  const { PK, SK } = deleted;
  const tombstone = { ...{ PK, SK, record_version: undefined }, content_hash: "deleted", deleted: true };
  await putAndCount([tombstone]);
  const people = async () => (await summaryRepository(3, openTable()).getDateSummary(1)).people;
  assert.equal(await people(), 111);
  await damage(3, (item) => (isSummary(item.SK) ? { ...item, extra_people: 7 } : undefined));
  for (const items of [[], [deleted]]) {
    // The tombstone expires in between.
    await deleteItems(items);
    assert.deepEqual((await rebuild(3)).failures, []);
    assert.equal(await people(), 111);
  }
});

describe("while a stage's summaries are rebuilt, Lambda passes no records to the consumer", () => {
  let state = "";
  let isDenied = false;
  /** The part of Lambda that the command uses. Its one consumer takes some time to stop. */
  const lambda = createServer(async (request, response) => {
    if (request.method === "PUT" && isDenied) response.writeHead(403, { "x-amzn-errortype": "AccessDeniedException" });
    else if (request.method === "PUT") state = Object(await json(request)).Enabled ? "Enabled" : "Disabling";
    response.end(JSON.stringify({ EventSourceMappings: [{ UUID: "one", State: state }] }));
    if (state === "Disabling") state = "Disabled";
  });
  beforeAll(async () => {
    process.env.AWS_ENDPOINT_URL_LAMBDA = await listen(lambda);
    await useTestTable({ hasStream: true });
  });
  beforeEach(() => {
    [state, isDenied] = ["Enabled", false];
  });
  afterAll(() => {
    delete process.env.AWS_ENDPOINT_URL_LAMBDA;
  });
  const pausedDuring = (work: () => Promise<void>) => whileStreamPaused(openTable(), work, signal, 0);

  test("and continues afterwards, even after a failure", async () => {
    for (const outcome of [async () => undefined, () => Promise.reject(new Error("Failed."))]) {
      let during = "";
      const work = () => {
        during = state;
        return outcome();
      };
      await pausedDuring(work).catch(({ message }) => assert.equal(message, "Failed."));
      assert.deepEqual([during, state], ["Disabled", "Enabled"]);
    }
  });

  test("or the command refuses", async () => {
    isDenied = true;
    const message = /^Cannot pause the function that reads the table's stream: AccessDeniedException/;
    await assert.rejects(
      pausedDuring(() => assert.fail()),
      { name: "UsageError", message },
    );
  });
});
