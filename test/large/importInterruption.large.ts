import assert from "node:assert/strict";
import { test } from "@jest/globals";
import { ndjson } from "../cli/support/lines.ts";
import { type ImportOptions, runImport } from "../cli/support/runImport.ts";
import { makers, tableOf } from "../cli/support/sequences.ts";
import { startInterruptedWrites } from "../cli/support/writeFaults.ts";
import { dumpTable } from "../support/data/dumpTable.ts";
import { useTestTable } from "../support/data/testTable.ts";

/** 800 records, some with versions. The last 200 repeat the types and ids of the first. */
const records = Array.from({ length: 800 }, (_, index) => {
  const make = makers[index % makers.length] ?? makers[0];
  const version = index % 8 < 2 ? index % 7 : undefined;
  return { ...make((index % 600) + 1, `Record ${index}`), version };
});
const stdin = ndjson(records);

/** Runs an import that gets a signal before one of its writes, and waits for the writes in flight. */
async function interrupted(signal: NodeJS.Signals, write: number, options: ImportOptions = {}) {
  const { endpoint, tableName } = await useTestTable();
  let kill: (signal: NodeJS.Signals) => void = () => assert.fail("The command wrote before it started.");
  const { proxy, settled } = await startInterruptedWrites(endpoint, write, () => kill(signal));
  const onStart = (killProcess: typeof kill) => {
    kill = killProcess;
  };
  const run = await runImport(["-", "--endpoint", proxy.url, "--table", tableName], { stdin, onStart, ...options });
  await settled();
  await proxy.close();
  const again = () => runImport(["-", "--endpoint", endpoint, "--table", tableName], { stdin });
  return { run, again };
}

for (const write of [1, 150]) {
  test(`a second run after a kill at write ${write} leaves the table like one complete run`, async () => {
    const { run, again } = await interrupted("SIGKILL", write);
    assert.equal(run.signal, "SIGKILL");
    assert.notDeepEqual(await dumpTable(), tableOf(records));
    assert.equal((await again()).code, 0);
    assert.deepEqual(await dumpTable(), tableOf(records));
  });
}

test("Ctrl-C ends an import at once with the counts so far, and a second run completes it", async () => {
  const { run, again } = await interrupted("SIGINT", 40);
  assert.equal(run.code, 130);
  assert.match(run.stdout, /^[\d,]+ records written, [\d,]+ older than stored, 0 bad lines, in/);
  assert.equal(run.stderr, "Interrupted. Run it again to continue.\n");
  assert.notDeepEqual(await dumpTable(), tableOf(records));
  assert.equal((await again()).code, 0);
  assert.deepEqual(await dumpTable(), tableOf(records));
});

test("Ctrl-C ends an import that waits for more input", async () => {
  // Records with the same key are written one by one. The third may begin before the signal arrives.
  const stdin = ndjson([1, 2, 3].map((number) => makers[0](1, `Record ${number}`)));
  const { run } = await interrupted("SIGINT", 2, { stdin, staysOpen: true });
  assert.equal(run.code, 130);
  assert.match(run.stdout, /^[23] records written, /);
  assert.equal(run.stderr, "Interrupted. Run it again to continue.\n");
});
