import assert from "node:assert/strict";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, test } from "@jest/globals";
import { dumpItems } from "../../support/data/table.ts";
import { useTestTable } from "../../support/data/testTable.ts";
import { temporaryDirectory } from "../../support/temporaryDirectory.ts";
import { fill } from "../support/organisationContents.ts";
import { atTable, runProgram } from "../support/runProgram.ts";

type Item = Record<string, unknown>;

const directory = temporaryDirectory();
let options: string[] = [];
let before: Item[] = [];
const original = { records: "", additions: "" };
const files = { records: "one.ndjson", additions: "one.additions.ndjson" };

/** An export of organisation 1, whose items the table still has. */
beforeAll(async () => {
  await useTestTable();
  for (const organisationId of [1, 10]) await fill(organisationId);
  options = ["--organisation", "1", "--actor", "Grace", ...atTable()];
  await runProgram("organisation export", [...options, "--output", files.records], { cwd: directory });
  for (const name of ["records", "additions"] as const)
    original[name] = await readFile(join(directory, files[name]), "utf8");
  before = await dumpItems();
});

const restore = () =>
  runProgram("organisation restore", [...options, "--from-export", files.records], { cwd: directory });

/** Restores a changed export, which must fail because of this line and member. */
async function assertRefused(changed: Partial<typeof original>, line: number, problem: string): Promise<void> {
  for (const [name, text] of Object.entries({ ...original, ...changed }))
    await writeFile(join(directory, files[name as keyof typeof files]), text);
  const { code, stdout, stderr } = await restore();
  assert.deepEqual([code, stdout], [2, ""], problem);
  assert.match(stderr, new RegExp(`ndjson, line ${line}: .*${problem}.*Nothing was written\\.\n$`));
  assert.doesNotMatch(stderr, /ORG#10|riddle|aaaa|ffff|FFFF/);
}

/** Changes the first line of a kind in the additions. */
function withChange(kind: string, change: Item): { additions: string; line: number } {
  const lines = original.additions
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  const index = lines.findIndex((line) => line.kind === kind);
  Object.assign(lines[index].data, change);
  return { additions: lines.map((line) => `${JSON.stringify(line)}\n`).join(""), line: index + 1 };
}

const kinds = ["access", "activity", "api_key", "api_key_hash", "balance_payment", "order_note"].concat([
  "organisation_audit",
  "webhook",
]);
/** Attributes that would place an item among another organisation's events or attendees, or under its key. */
const places: Item[] = [
  { GSI1PK: "ORG#10#EVENTS", GSI1SK: "2026-01-01T00:00:00.000Z#0000000000000001" },
  { GSI3PK: "ORG#10#CHANGES#EVENT", GSI3SK: "2026-01-01T00:00:00.000Z#EVENT#0000000000000001" },
  { GSI4PK: "ORG#10#EMAIL#x", GSI4SK: "2026-01-01T00:00:00.000Z#0000000000000001" },
  { PK: "ORG#10#EVENT#1", SK: "EVENT" },
];

test("an export cannot place an item of any kind in an index or under a key", async () => {
  for (const kind of kinds)
    for (const place of places) {
      const { additions, line } = withChange(kind, place);
      await assertRefused({ additions }, line, `Unknown field ${Object.keys(place).join(", ")}`);
    }
  assert.deepEqual(await dumpItems(), before);
});

test("each attribute of an export is checked before anything is written, and an error names it", async () => {
  for (const [kind, change] of [
    ["access", { tag: "ORG#10" }],
    ["access", { suspended: "no" }],
    ["activity", { id: "ORG#10" }],
    ["activity", { actor: "a".repeat(5_000) }],
    ["activity", { action: "riddle" }],
    ["api_key", { hash: "F".repeat(64) }],
    ["api_key", { status: "riddle" }],
    ["api_key", { name: 5 }],
    ["api_key", { scopes: ["riddle"] }],
    ["api_key_hash", { hash: "f".repeat(63) }],
    ["api_key_hash", { prefix: "riddle" }],
    ["webhook", { status: "riddle" }],
    ["webhook", { url: "riddle" }],
    ["webhook", { revision: "1" }],
    ["balance_payment", { amount: -5 }],
    ["balance_payment", { id: "ORG#10" }],
    ["order_note", { admin_note: 5 }],
    ["organisation_audit", { action: "riddle" }],
  ] as const) {
    const { additions, line } = withChange(kind, change);
    await assertRefused({ additions }, line, Object.keys(change).join());
  }
  const end = (text: string) => text.split("\n").length;
  await assertRefused({ records: `${original.records}{\n` }, end(original.records), "Not JSON");
  const riddle = '{"kind":"riddle","organisation_id":1,"data":{}}\n';
  await assertRefused({ additions: original.additions + riddle }, end(original.additions), "kind: ");
  const answers = original.records.replace('"question_id":7', '"question_id":7,"stall":1');
  const line = answers.slice(0, answers.indexOf('"stall"')).split("\n").length;
  await assertRefused({ records: answers }, line, "answers");
  assert.deepEqual(await dumpItems(), before);
});

test("an export cannot have another organisation's id or API key, or one item twice", async () => {
  for (const kind of ["api_key_hash", "webhook", "organisation_audit"]) {
    const { additions, line } = withChange(kind, { organisation_id: 10 });
    await assertRefused({ additions }, line, "organisation_id: it belongs to another organisation");
  }
  const records = original.records.replace(/(?<="data":\{.*"organisation_id":)1\b/, "10");
  const event = records.split("\n").findIndex((line) => line.includes('"organisation_id":10')) + 1;
  await assertRefused({ records }, event, "organisation_id: it belongs to another organisation");
  const foreign = before.find(({ PK, organisation_id }) => /^KEYHASH/.test(String(PK)) && organisation_id === 10);
  for (const kind of ["api_key", "api_key_hash"]) {
    const { additions, line } = withChange(kind, { hash: foreign?.hash });
    await assertRefused({ additions }, line, "hash: another organisation has this API key");
  }
  const payment = /^.*"balance_payment".*$/m.exec(original.additions)?.[0];
  const twice = `${original.additions}${payment}\n`;
  await assertRefused({ additions: twice }, twice.trim().split("\n").length, "an earlier line has the same item");
  assert.deepEqual(await dumpItems(), before);
});

test("an export without its file of additions is refused, and nothing is changed", async () => {
  await rm(join(directory, files.additions));
  assert.match((await restore()).stderr, /^The file of additions is unreadable: it does not exist\.$/m);
  assert.deepEqual(await dumpItems(), before);
});
