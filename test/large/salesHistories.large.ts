import assert from "node:assert/strict";
import { beforeAll, test } from "@jest/globals";
import type { DynamoDBRecord } from "aws-lambda";
import fc from "fast-check";
import type { RecordItem } from "../../functions/records/recordItem.ts";
import { consumeRecords } from "../../functions/stream/tableStream.ts";
import type { Item } from "../../functions/table/item.ts";
import { getItems } from "../../functions/table/reads.ts";
import { openTable, type Table } from "../../functions/table/table.ts";
import { compareSummaries, parentItems, upsert } from "../support/data/salesHistory.ts";
import { putItems, streamRecord } from "../support/data/table.ts";
import { useTestTable } from "../support/data/testTable.ts";
import { cases } from "../support/jest/cases.ts";

beforeAll(async () => {
  await useTestTable();
});

/** Some of the latest records, in any order and possibly repeated, and the number of table responses after which the consumer dies. */
const delivery = fc.record({
  picks: fc.array(fc.nat(8), { minLength: 1, maxLength: 6 }),
  dies: fc.option(fc.integer({ min: 1, max: 8 })),
});
/** Items that are written while some earlier records are delivered to several consumers at once. */
const phase = fc.record({
  upserts: fc.array(upsert, { minLength: 1, maxLength: 5 }),
  deliveries: fc.array(delivery, { minLength: 1, maxLength: 3 }),
});
const history = fc.array(phase, { minLength: 2, maxLength: 3 });
type History = typeof history extends fc.Arbitrary<infer Drawn> ? Drawn : never;

/** A table whose caller dies after this number of responses: it does not get the last response and makes no more calls. */
function mortal(dies: number | null): Table & { isDead: boolean } {
  const alive = openTable();
  let answers = 0;
  const dieIf = (isDead: boolean) => {
    if (isDead) throw new Error("Dead.");
  };
  return {
    get isDead() {
      return answers === dies;
    },
    clock: alive.clock,
    countsUnits: true,
    name() {
      dieIf(this.isDead);
      return alive.name();
    },
    usage: {
      calls: {},
      get capacityUnits() {
        return 0;
      },
      set capacityUnits(_units) {
        if (answers !== dies) answers += 1;
        dieIf(answers === dies);
      },
    },
  };
}

/** Delivers a batch as Lambda does: failed records, and those after them, remain due. */
async function deliver(Records: DynamoDBRecord[], dies: number | null, due: Set<DynamoDBRecord>): Promise<void> {
  const table = mortal(dies);
  const answer = await consumeRecords({ Records }, table).catch((error) =>
    table.isDead ? undefined : assert.fail(error),
  );
  if (!answer || table.isDead) return;
  const failed = new Set(answer.batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
  const firstFailed = Records.findIndex(({ dynamodb }) => failed.has(dynamodb?.SequenceNumber ?? ""));
  for (const record of firstFailed === -1 ? Records : Records.slice(0, firstFailed)) due.delete(record);
}

/** Plays a history in an organisation until everything written is delivered. @returns the stored items at its end. */
async function live(phases: History, organisationId: number): Promise<Item[]> {
  const items = new Map<string, RecordItem>();
  const records: DynamoDBRecord[] = [];
  const due = new Set<DynamoDBRecord>();
  const put = async (written: RecordItem[]) => {
    const byKey = new Map(written.map((item) => [item.PK, item]));
    await putItems([...byKey.values()]);
    for (const [key, item] of byKey) {
      const record = streamRecord(item, items.get(key));
      items.set(key, item);
      records.push(record);
      due.add(record);
    }
  };
  const parents = parentItems(organisationId);
  for (const { upserts, deliveries } of phases) {
    const batches = deliveries.map(({ picks, dies }) => {
      const batch = picks.flatMap((pick) => records.slice(-1 - pick).slice(0, 1));
      return deliver(batch, dies, due);
    });
    await Promise.all([put([...parents.splice(0), ...upserts.map((make) => make(organisationId))]), ...batches]);
  }
  while (due.size > 0) await deliver([...due], null, due);
  return getItems(openTable(), [...items.values()]);
}

test("summaries equal a recount after repeated, partial, reordered or concurrent deliveries and kills", async () => {
  let organisationId = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(history, { minLength: 10, maxLength: 10 }), async (drawn) => {
      const outcomes = drawn.map(async (phases) => {
        organisationId += 1;
        const own = organisationId;
        return compareSummaries(own, await live(phases, own));
      });
      for (const { shown, recounted } of await Promise.all(outcomes)) assert.deepEqual(shown, recounted);
    }),
    // Shrinking a failure would take minutes; the report has its seed.
    { numRuns: cases(15, 100), endOnFailure: true },
  );
});
