import assert from "node:assert/strict";
import { test } from "node:test";
import { dumpTable } from "../support/dumpTable.ts";
import { useTestTable } from "../support/testTable.ts";
import { ndjson } from "./support/lines.ts";
import { type ImportOptions, runImport } from "./support/runImport.ts";
import { makers, tableOf } from "./support/sequences.ts";
import { startInterruptedWrites } from "./support/writeFaults.ts";

/** Twelve hundred records, the last three hundred of the first ones' types and ids, some with versions. */
const records = Array.from({ length: 1200 }, (_, index) => {
  const make = makers[index % makers.length] ?? makers[0];
  const version = index % 8 < 2 ? index % 7 : undefined;
  return { ...make((index % 900) + 1, `Record ${index}`), version };
});
const stdin = ndjson(records);

/** Runs an import that gets a signal before one of its writes, and waits until the table has come to rest. */
async function interrupted(signal: NodeJS.Signals, write: number, options: ImportOptions = {}) {
  const { endpoint, tableName } = await useTestTable();
  let kill: (signal: NodeJS.Signals) => void = () => assert.fail("It writes before it runs.");
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

for (const write of [1, 2, 40, 150]) {
  test(`killed at write ${write} and run again, the table is as after one whole run`, async () => {
    const { run, again } = await interrupted("SIGKILL", write);
    assert.equal(run.signal, "SIGKILL");
    assert.notDeepEqual(await dumpTable(), tableOf(records));
    assert.equal((await again()).code, 0);
    assert.deepEqual(await dumpTable(), tableOf(records));
  });
}

test("Ctrl-C ends it at once with the counts so far, and run again the table is as after one whole run", async () => {
  const { run, again } = await interrupted("SIGINT", 40);
  assert.equal(run.code, 130);
  assert.match(run.stdout, /^[\d,]+ records written, [\d,]+ older than stored, 0 bad lines, in/);
  assert.equal(run.stderr, "Interrupted. Run it again to continue.\n");
  assert.notDeepEqual(await dumpTable(), tableOf(records));
  assert.equal((await again()).code, 0);
  assert.deepEqual(await dumpTable(), tableOf(records));
});

test("Ctrl-C ends it where it waits for more input", async () => {
  // Records of one key go one by one: with the second under way, the third is held, and the next line is waited for.
  const stdin = ndjson([1, 2, 3].map((number) => makers[0](1, `Record ${number}`)));
  const { run } = await interrupted("SIGINT", 2, { stdin, staysOpen: true });
  assert.equal(run.code, 130);
  assert.match(run.stdout, /^2 records written, /);
  assert.equal(run.stderr, "Interrupted. Run it again to continue.\n");
});
