import assert from "node:assert/strict";
import { test } from "@jest/globals";
import { fill, isRevokedHash } from "../cli/support/organisationContents.ts";
import { atTable, ndjson, type ProgramOptions, runImport, runProgram } from "../cli/support/runProgram.ts";
import { makers, tableOf } from "../cli/support/sequences.ts";
import { startInterruptedWrites } from "../cli/support/writeFaults.ts";
import { eventRecord } from "../support/data/records.ts";
import { dumpTable, putRecords } from "../support/data/table.ts";
import { useTestTable } from "../support/data/testTable.ts";

const isAudit = ({ PK }: Record<string, unknown>) => PK === "AUDIT#organisations";
const dump = async () => (await dumpTable()).filter((item) => !isAudit(item) && !isRevokedHash(item));

for (const write of [2, 4]) {
  test(`a second erasure after a kill at write ${write} completes the first`, async () => {
    const { endpoint } = await useTestTable();
    await fill(10);
    const others = await dump();
    await fill(1);
    await putRecords(Array.from({ length: 80 }, (_, index) => eventRecord(1, 10 + index)));
    const killing = new AbortController();
    const { url, end } = await startInterruptedWrites(endpoint, write, () => killing.abort("SIGKILL"));
    const erase = (at: string[], options: ProgramOptions = {}) => {
      const sure = ["--organisation", "1", "--confirm", "1", "--actor", "Grace", "--settle", "0"];
      return runProgram("organisation erase", [...sure, ...at], options);
    };
    const { signal } = await erase(atTable(url), { killedBy: killing.signal });
    await end();
    assert.equal(signal, "SIGKILL");
    assert.notDeepEqual(await dump(), others);
    assert.equal((await erase(atTable())).code, 0);
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

test("Ctrl-C ends an import at once with the counts so far, and a second run completes it", async () => {
  const { endpoint } = await useTestTable();
  const killing = new AbortController();
  const { url, end } = await startInterruptedWrites(endpoint, 40, () => killing.abort("SIGINT"));
  const run = await runImport(["-", ...atTable(url)], { stdin, killedBy: killing.signal });
  await end();
  assert.equal(run.code, 130);
  assert.match(
    run.stdout,
    /^[\d,]+ new records, [\d,]+ changed, [\d,]+ unchanged, [\d,]+ older than stored, 0 bad lines, in/,
  );
  assert.equal(run.stderr, "Interrupted. Run it again to continue.\n");
  assert.notDeepEqual(await dumpTable(), tableOf(records));
  assert.equal((await runImport(["-", ...atTable()], { stdin })).code, 0);
  assert.deepEqual(await dumpTable(), tableOf(records));
});
