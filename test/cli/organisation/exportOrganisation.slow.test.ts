import assert from "node:assert/strict";
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, test } from "@jest/globals";
import fc from "fast-check";
import { type Exported, exportOrganisation } from "../../../cli/organisation/exportOrganisation.ts";
import { recordTypes } from "../../../functions/resources/record.ts";
import { openTable } from "../../../functions/table/table.ts";
import { putItem } from "../../../functions/table/writes.ts";
import { refusals } from "../../support/data/faultyProxy.ts";
import { dumpTable } from "../../support/data/table.ts";
import { useTestTable } from "../../support/data/testTable.ts";
import { cases } from "../../support/jest/cases.ts";
import { temporaryDirectory } from "../../support/temporaryDirectory.ts";
import { changes, fill, store } from "../support/organisationContents.ts";
import { atTable, runImport, runProgram, runWithFaults } from "../support/runProgram.ts";

/** One record of each type, a deletion, and thirteen other lines. */
const lines = recordTypes.length + 14;

type Item = Record<string, unknown>;

const directory = temporaryDirectory();
beforeEach(() => useTestTable());

const run = (...commandLine: string[]) => runProgram("organisation export", commandLine, { cwd: directory });
const linesOf = async (file: string): Promise<Item[]> =>
  (await readFile(join(directory, file), "utf8"))
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));

/** The organisation's items without the expiry, which an import renews. */
const recordsOf = (items: Item[], organisationId: number) =>
  items
    .filter(({ PK }) => String(PK).startsWith(`ORG#${organisationId}#`))
    .map(({ expires_at, ...item }) => (item.deleted ? item : { ...item, expires_at }));

async function exported(organisationId: number) {
  const written = { records: "", additions: "" };
  const fileOf = (name: keyof typeof written) => ({
    write: async (lines: string) => {
      written[name] += lines;
    },
  });
  const files = { records: fileOf("records"), additions: fileOf("additions") };
  const result: Exported = { counts: {}, failures: [] };
  const waiting = { pause: async () => undefined, signal: new AbortController().signal };
  await exportOrganisation(openTable(), organisationId, files, result, waiting);
  return { ...written, ...result };
}

test("exported records, imported into an empty table, make the same items", async () => {
  await fc.assert(
    fc.asyncProperty(changes, changes, async (own, others) => {
      await useTestTable();
      await store(1, own);
      await store(10, others);
      const before = recordsOf(await dumpTable(), 1);
      const { records, additions, failures } = await exported(1);
      assert.deepEqual([additions, failures], ["", []]);
      await useTestTable();
      const { code } = await runImport(["-", ...atTable()], { stdin: records });
      assert.equal(code, 0);
      const imported = await dumpTable();
      assert.deepEqual(recordsOf(imported, 1), before);
      assert.equal(imported.length, before.length);
    }),
    { numRuns: cases(2, 8) },
  );
});

test("data without a record is in the additions, and neither file contains a secret", async () => {
  const key = await fill(1);
  await fill(10);
  const { code, stdout, stderr } = await run("--organisation", "1", "--actor", "Grace", ...atTable());
  assert.deepEqual([code, stderr], [0, ""]);
  assert.ok(stdout.startsWith(`organisation-1.ndjson and organisation-1.additions.ndjson: ${lines} lines\n`), stdout);
  const records = await linesOf("organisation-1.ndjson");
  const additions = await linesOf("organisation-1.additions.ndjson");
  assert.equal(records.length, recordTypes.length + 1);
  assert.deepEqual(
    additions.map(({ kind }) => kind).sort(),
    ["access", "activity", "activity", "activity", "activity", "api_key", "api_key"].concat([
      "api_key_hash",
      "api_key_hash",
      "balance_payment",
      "order_note",
      "organisation_audit",
      "webhook",
    ]),
  );
  assert.deepEqual(
    [...records, ...additions].map(({ organisation_id }) => organisation_id),
    Array(lines).fill(1),
  );
  const all = JSON.stringify([records, additions]);
  assert.ok(!all.includes(key.slice(12)));
  assert.ok(!/"(PK|SK)"/.test(all));
});

test("only the owner can read the files, and they appear only when complete", async () => {
  await fill(1);
  const output = join(directory, "of-one");
  const options = ["--organisation", "1", "--actor", "Grace", "--output", output];
  const failed = await runWithFaults("organisation export", options, ({ action }) =>
    action === "Query" ? refusals.denied : undefined,
  );
  assert.deepEqual([failed.code, failed.stderr], [2, "AWS rejected the request: AccessDeniedException: Not now.\n"]);
  assert.ok(!(await readdir(directory)).some((file) => file.startsWith("of-one")));
  assert.equal((await run(...options, ...atTable())).code, 0);
  const files = (await readdir(directory)).filter((file) => file.startsWith("of-one"));
  expect(files.sort()).toEqual(["of-one", "of-one.additions.ndjson"]);
  for (const file of files) assert.equal((await stat(join(directory, file))).mode & 0o777, 0o600);
});

test("an organisation without items is an error and leaves no file", async () => {
  await fill(1);
  const options = ["--organisation", "10", "--actor", "Grace", "--output", join(directory, "unknown")];
  const { code, stdout, stderr } = await run(...options, ...atTable());
  assert.deepEqual(
    [code, stdout, stderr],
    [2, "", "The table has nothing of organisation 10 to export. No file was written.\n"],
  );
  assert.ok(!(await readdir(directory)).some((file) => file.startsWith("unknown")));
});

test("an item that does not match its key is reported, and the others are exported", async () => {
  await fill(1);
  await putItem(openTable(), { PK: "ORG#1#TICKET#9", SK: "TICKET", id: "nine" });
  await putItem(openTable(), { PK: "ORG#1#RIDDLE#9", SK: "RIDDLE" });
  const { code, stdout, stderr } = await run("--organisation", "1", "--actor", "Grace", ...atTable());
  assert.equal(code, 1);
  assert.ok(stdout.includes(`: ${lines} lines\n`), stdout);
  assert.deepEqual(
    stderr.match(/^Not exported: \S+/gm)?.sort(),
    ["RIDDLE", "TICKET"].map((type) => `Not exported: ORG#1#${type}#9:`),
  );
});
