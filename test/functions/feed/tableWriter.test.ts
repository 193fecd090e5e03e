import assert from "node:assert/strict";
import { beforeAll, beforeEach, test } from "@jest/globals";
import fc from "fast-check";
import { importRecords } from "../../../cli/import/importFile.ts";
import { readLines } from "../../../functions/feed/readLines.ts";
import { tableWriter } from "../../../functions/feed/tableWriter.ts";
import { recordItem } from "../../../functions/records/recordItem.ts";
import type { Record as InputRecord } from "../../../functions/resources/record.ts";
import { maximumTries } from "../../../functions/table/retries.ts";
import { openTable } from "../../../functions/table/table.ts";
import { inChunks, ndjson } from "../../cli/support/runProgram.ts";
import { sequences, tableOf } from "../../cli/support/sequences.ts";
import { startFaultyWrites, type WriteFault, writeFaultNames } from "../../cli/support/writeFaults.ts";
import type { FaultyProxy } from "../../support/data/faultyProxy.ts";
import { eventRecord } from "../../support/data/records.ts";
import { dumpTable, emptyTable } from "../../support/data/table.ts";
import { useTestTable } from "../../support/data/testTable.ts";
import { cases } from "../../support/jest/cases.ts";

let proxy: FaultyProxy;
let nextFault: (write: number) => WriteFault | undefined = () => undefined;

beforeAll(async () => {
  proxy = await startFaultyWrites(process.env.TEST_DYNAMODB_ENDPOINT ?? "", (write) => nextFault(write));
  process.env.TEST_DYNAMODB_ENDPOINT = proxy.url;
  await useTestTable();
});

async function startOver() {
  nextFault = () => undefined;
  await emptyTable();
}
beforeEach(startOver);

async function importAll(records: readonly InputRecord[]) {
  const writer = tableWriter(openTable(), async () => undefined);
  const onBadLine = (number: number, problem: string) => assert.fail(`line ${number}: ${problem}`);
  const lines = readLines(inChunks(Buffer.from(ndjson(records))));
  await importRecords(lines, writer, onBadLine, new AbortController().signal);
  return writer.counts;
}

/** The calls to the table after a number of them. */
const actionsSince = (calls: number) => proxy.calls.slice(calls).map(({ action }) => action);

// The SDK pauses for up to three seconds when it is throttled, so throttling is rare here.
const fault = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom(undefined, ...writeFaultNames.filter((name) => name !== "throttled")) },
  { weight: 1, arbitrary: fc.constant<WriteFault>("throttled") },
);

test("any sequence of records, with any failing writes, ends as if applied one after another", async () => {
  const faults = fc.array(fault, { maxLength: 25 });
  await fc.assert(
    fc.asyncProperty(sequences, faults, async (records, toCome) => {
      await startOver();
      nextFault = () => toCome.shift();
      const counts = await importAll(records);
      assert.equal(counts.new + counts.changed + counts.unchanged + counts.older, records.length);
      assert.deepEqual(await dumpTable(), tableOf(records));
    }),
    // The order of writes varies, so a failure cannot be shrunk.
    { numRuns: cases(2, 30), endOnFailure: true },
  );
});

test("the writer gives up after the last try on a table that accepts nothing, with the reason", async () => {
  nextFault = () => "failed";
  await assert.rejects(importAll([eventRecord(1, 1)]), {
    name: "GivenUp",
    message: new RegExp(
      `^Gave up: the table accepted nothing in ${maximumTries} consecutive tries .*InternalServerError`,
    ),
  });
  assert.deepEqual(await dumpTable(), []);
});

test("long records wait until less text is under way, but a single one may be of any length", async () => {
  const underWay = new Set<unknown>();
  const writer = tableWriter(openTable(), async () => undefined, { onEnd: ({ id }) => underWay.delete(id) });
  const seen: number[] = [];
  for (const [index, length] of [5_000_000, 900_000, 900_000, 900_000, 900_000, 1, 5_000_000].entries()) {
    await writer.add(recordItem(eventRecord(1, index)), "x".repeat(length));
    underWay.add(index);
    seen.push(underWay.size);
  }
  await writer.finish();
  assert.deepEqual(writer.counts, { new: 7, changed: 0, unchanged: 0, older: 0 });
  // Either of the two writes under way may end at any time.
  assert.ok(Math.max(...seen) <= 3, String(seen));
  assert.deepEqual([seen[0], seen[1], seen[6]], [1, 1, 1], String(seen));
  for (const index of [7, 8]) {
    await writer.add(recordItem(eventRecord(1, index)), "x".repeat(900_000));
    underWay.add(index);
  }
  assert.equal(underWay.size, 2);
  await writer.finish();
});

test("a writer whose time is over starts no more writes, and reports each remaining record", async () => {
  const ended: [number, unknown][] = [];
  const stop = new AbortController();
  const writer = tableWriter(openTable(), async () => undefined, {
    signal: stop.signal,
    onEnd: (item, failure) => ended.push([Number(item.id), failure?.error]),
  });
  await writer.add(recordItem(eventRecord(1, 1)));
  await writer.settle();
  stop.abort();
  await writer.add(recordItem(eventRecord(1, 2)));
  await writer.settle();
  assert.deepEqual(ended, [
    [1, undefined],
    [2, stop.signal.reason],
  ]);
  assert.deepEqual(
    (await dumpTable()).map(({ id }) => id),
    [1],
  );
});

test("a record that is unchanged or older is only read", async () => {
  const many = Array.from({ length: 130 }, (_, index) => ({ ...eventRecord(1, index + 1), version: 2 }));
  assert.deepEqual(await importAll(many), { new: 130, changed: 0, unchanged: 0, older: 0 });
  const before = proxy.calls.length;
  const older = many.map((record) => ({ ...record, version: 1 }));
  assert.deepEqual(await importAll([...many, ...older]), { new: 0, changed: 0, unchanged: 130, older: 130 });
  assert.deepEqual(new Set(actionsSince(before)), new Set(["BatchGetItem"]));
});
