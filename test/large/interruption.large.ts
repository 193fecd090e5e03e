import assert from "node:assert/strict";
import { test } from "@jest/globals";
import { fill, isRevokedHash } from "../cli/support/organisationContents.ts";
import { type ImportOptions, ndjson, type ProgramOptions, runImport, runProgram } from "../cli/support/runProgram.ts";
import { makers, tableOf } from "../cli/support/sequences.ts";
import { startInterruptedWrites } from "../cli/support/writeFaults.ts";
import { eventRecord } from "../support/data/records.ts";
import { dumpTable, putRecords } from "../support/data/table.ts";
import { useTestTable } from "../support/data/testTable.ts";

const isAudit = ({ PK }: Record<string, unknown>) => PK === "AUDIT#organisations";
const dump = async () => (await dumpTable()).filter((item) => !isAudit(item) && !isRevokedHash(item));

for (const write of [2, 4]) {
  test(`a second erasure after a kill at write ${write} completes the first`, async () => {
    const { endpoint, tableName } = await useTestTable();
    await fill(10);
    const others = await dump();
    await fill(1);
    await putRecords(Array.from({ length: 80 }, (_, index) => eventRecord(1, 10 + index)));
    let kill: (signal: NodeJS.Signals) => void = () => assert.fail("The command wrote before it started.");
    const { proxy, settled } = await startInterruptedWrites(endpoint, write, () => kill("SIGKILL"));
    const erase = (url: string, options: ProgramOptions = {}) => {
      const sure = ["--organisation", "1", "--confirm", "1", "--actor", "Grace", "--settle", "0"];
      return runProgram("organisation erase", [...sure, "--endpoint", url, "--table", tableName], options);
    };
    const onStart = (killProcess: typeof kill) => {
      kill = killProcess;
    };
    const { signal } = await erase(proxy.url, { onStart });
    await settled();
    await proxy.close();
    assert.equal(signal, "SIGKILL");
    assert.notDeepEqual(await dump(), others);
    assert.equal((await erase(endpoint)).code, 0);
    assert.deepEqual(await dump(), others);
    const audit = (await dumpTable()).filter(isAudit);
    assert.deepEqual(
      audit.map(({ state }) => state),
      ["started", "started", "completed"],
    );
  });
}

/** 800 records, some with versions. The last 200 repeat the types and ids of the first. */
const records = Array.from({ length: 800 }, (_, index) => {
  const make = makers[index % makers.length] ?? makers[0];
  const version = index % 8 < 2 ? index % 7 : undefined;
  return { ...make((index % 600) + 1, `Record ${index}`), version };
});
const stdin = ndjson(records);

/** Runs an import that gets Ctrl-C before one of its writes, and waits for the writes in flight. */
async function interrupted(write: number, options: ImportOptions = {}) {
  const { endpoint, tableName } = await useTestTable();
  let kill: (signal: NodeJS.Signals) => void = () => assert.fail("The command wrote before it started.");
  const { proxy, settled } = await startInterruptedWrites(endpoint, write, () => kill("SIGINT"));
  const onStart = (killProcess: typeof kill) => {
    kill = killProcess;
  };
  const run = await runImport(["-", "--endpoint", proxy.url, "--table", tableName], { stdin, onStart, ...options });
  await settled();
  await proxy.close();
  const again = () => runImport(["-", "--endpoint", endpoint, "--table", tableName], { stdin });
  return { run, again };
}

test("Ctrl-C ends an import at once with the counts so far, and a second run completes it", async () => {
  const { run, again } = await interrupted(40);
  assert.equal(run.code, 130);
  assert.match(
    run.stdout,
    /^[\d,]+ new records, [\d,]+ changed, [\d,]+ unchanged, [\d,]+ older than stored, 0 bad lines, in/,
  );
  assert.equal(run.stderr, "Interrupted. Run it again to continue.\n");
  assert.notDeepEqual(await dumpTable(), tableOf(records));
  assert.equal((await again()).code, 0);
  assert.deepEqual(await dumpTable(), tableOf(records));
});
