import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { beforeEach, test } from "@jest/globals";
import { recordItem } from "../../../functions/records/recordItem.ts";
import type { Record as InputRecord } from "../../../functions/resources/record.ts";
import { type Call, refusals } from "../../support/data/faultyProxy.ts";
import { categoryRecord, dateRecord, discountRecord, eventRecord } from "../../support/data/records.ts";
import { dumpTable } from "../../support/data/table.ts";
import { useTestTable } from "../../support/data/testTable.ts";
import { temporaryDirectory } from "../../support/temporaryDirectory.ts";
import { atTable, describeService, ndjson, runImport, runWithFaults } from "../support/runProgram.ts";
import { tableOf } from "../support/sequences.ts";

const records = Array.from({ length: 10 }, (_, index) => [
  eventRecord(1, index + 1),
  dateRecord(1, index + 1, index + 1),
  { ...categoryRecord(1, index + 1, index + 1), version: 1 },
]).flat();
const good = ndjson(records);

const directory = temporaryDirectory();
beforeEach(() => useTestTable());

async function fileOf(content: string | Buffer): Promise<string> {
  const file = join(directory, "records");
  await writeFile(file, content);
  return file;
}

test("a plain file, a gzip file, and either on standard input make the same table", async () => {
  for (const content of [Buffer.from(good), gzipSync(good)]) {
    for (const [name, stdin] of [[await fileOf(content), ""] as const, ["-", content] as const]) {
      await useTestTable();
      const { code, stdout } = await runImport([name, ...atTable()], { stdin });
      assert.match(
        stdout,
        /^30 new records, 0 changed, 0 unchanged, 0 older than stored, 0 bad lines, in \d+\.\d s\.\n$/,
      );
      assert.equal(code, 0);
      assert.deepEqual(await dumpTable(), tableOf(records));
    }
  }
});

test("bad lines are reported by number, field and reason, the others are imported, and the exit code is 1", async () => {
  const lines = good.split("\n");
  lines.splice(2, 0, "{", ndjson([{ ...eventRecord(1, 99), data: { id: "99" } }]).trim(), "");
  const { code, stdout, stderr } = await runImport([await fileOf(lines.join("\r\n")), ...atTable()]);
  assert.match(stdout, /^30 new records, 0 changed, 0 unchanged, 0 older than stored, 2 bad lines, in/);
  assert.match(stderr, /^line 3: Not JSON at character 2\.\nline 4: data\.id: [^\n]+\n$/);
  assert.equal(code, 1);
  assert.deepEqual(await dumpTable(), tableOf(records));
});

test("records that DynamoDB cannot store are bad lines, also in a dry run, and all others are imported", async () => {
  const unstorable = [discountRecord(1, 1, { percent: 1e-200 }), eventRecord(1, 98, { name: "x".repeat(420_000) })];
  const stdin = ndjson([...records.slice(0, 7), ...unstorable, ...records.slice(7)]);
  const imported = await runImport(["-", ...atTable()], { stdin });
  assert.match(imported.stdout, /^30 new records, .* 2 bad lines, in/);
  assert.match(
    imported.stderr,
    /^line 8: data\.percent: Must be 0 or at least 1e-130\nline 9: Larger than the 399 KB limit of an item\n$/,
  );
  assert.equal(imported.code, 1);
  assert.deepEqual(await dumpTable(), tableOf(records));
  const dry = await runImport(["-", "--dry-run"], { stdin });
  assert.equal(dry.stdout, "30 good records, 2 bad lines. Nothing was written.\n");
  assert.equal(dry.stderr, imported.stderr);
});

test("a record that only DynamoDB refuses is a bad line, wherever it is, and all others are imported", async () => {
  for (const refused of [0, 13, 29]) {
    await useTestTable();
    const key = `"S":"${tableOf(records)[refused]?.PK}"`;
    const faultOf = ({ action, input }: Call) =>
      action === "PutItem" && input.includes(key) ? refusals.invalid : undefined;
    const { code, stdout, stderr } = await runWithFaults("import", ["-"], faultOf, good);
    assert.match(stdout, /^29 new records, .* 1 bad lines, in/);
    assert.match(stderr, /^line \d+: DynamoDB refuses it: Not now\.\n$/);
    const line = Number(/\d+/.exec(stderr)?.[0]);
    assert.equal(recordItem(records[line - 1] as InputRecord).PK, tableOf(records)[refused]?.PK);
    assert.equal(code, 1);
    assert.equal((await dumpTable()).length, 29);
  }
});

test("a hundred bad lines are printed, and more are only counted", async () => {
  const { code, stdout, stderr } = await runImport(["-", "--dry-run"], { stdin: `${"bad\n".repeat(1234)}${good}` });
  assert.equal(stdout, "30 good records, 1,234 bad lines. Nothing was written.\n");
  assert.equal(stderr.trim().split("\n").length, 101);
  assert.match(stderr, /line 100: Not JSON\.\nFurther bad lines are only counted\.\n$/);
  assert.equal(code, 1);
  const hundred = await runImport(["-", "--dry-run"], { stdin: "bad\n".repeat(100) });
  assert.match(hundred.stderr, /line 100: Not JSON\.\n$/);
});

test("a cut-short gzip file imports the complete lines that were read and exits with 2", async () => {
  const many = Array.from({ length: 200 }, (_, index) =>
    eventRecord(1, index + 1, { description: randomBytes(2_500).toString("hex") }),
  );
  const packed = gzipSync(ndjson(many));
  const { code, stdout, stderr } = await runImport(["-", ...atTable()], { stdin: packed.subarray(0, -1000) });
  assert.equal(stderr, "Standard input is truncated gzip.\n");
  assert.equal(code, 2);
  const stored = await dumpTable();
  assert.ok(stdout.startsWith(`${stored.length} new records, `));
  assert.ok(stored.length > 100);
  const keys = new Set(stored.map(({ PK }) => PK));
  assert.deepEqual(
    stored,
    tableOf(many).filter(({ PK }) => keys.has(PK)),
  );
});

test("without a target, records go into the running local service's table", async () => {
  const cwd = join(directory, "service");
  const { endpoint, tableName } = await useTestTable();
  await describeService(cwd, { dynamodb_endpoint: endpoint, table_name: tableName });
  assert.equal((await runImport(["-"], { cwd, stdin: good })).code, 0);
  assert.deepEqual(await dumpTable(), tableOf(records));
  assert.equal((await runImport(["-", "--endpoint", endpoint], { cwd, stdin: good })).code, 0);
});

test("missing credentials are reported in one line", async () => {
  // Hides files with credentials, and the machine's own role.
  const environment = {
    AWS_REGION: "eu-west-2",
    AWS_EC2_METADATA_DISABLED: "true",
    AWS_CONFIG_FILE: "/missing",
    AWS_SHARED_CREDENTIALS_FILE: "/missing",
    AWS_ACCESS_KEY_ID: undefined,
    AWS_SECRET_ACCESS_KEY: undefined,
  };
  const commandLine = ["-", ...atTable("https://dynamodb.eu-west-2.amazonaws.com")];
  const { code, stdout, stderr } = await runImport(commandLine, { cwd: directory, environment, asProcess: true });
  assert.deepEqual([code, stdout], [2, ""]);
  assert.match(stderr, /^Cannot use table .+: CredentialsProviderError: .+\.\n$/);
});

test("a missing permission to write ends an import with the counts so far, one line, and exit code 2", async () => {
  const faultOf = ({ action }: Call) => (action === "PutItem" ? refusals.denied : undefined);
  const { code, stdout, stderr } = await runWithFaults("import", ["-"], faultOf, good);
  assert.match(stdout, /^\d+ new records, /);
  assert.equal(stderr, "AWS rejected the request: AccessDeniedException: Not now.\n");
  assert.equal(code, 2);
});
