import assert from "node:assert/strict";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, test } from "@jest/globals";
import type { SQSRecord } from "aws-lambda";
import { handler as feed } from "../../functions/feed/feed.ts";
import { messagePacker } from "../../functions/feed/messagePacker.ts";
import { ndjson, runImport, runProgram } from "../cli/support/runProgram.ts";
import { useTestQueues } from "../support/data/testQueues.ts";
import { useTestTable } from "../support/data/testTable.ts";
import { limitRecords, type SentRecord } from "./support/limitRecords.ts";
import { assertServed } from "./support/reads.ts";

const organisationId = Number.MAX_SAFE_INTEGER;
const sent = limitRecords(organisationId);

let directory = "";
let target: string[] = [];
const { deadLetters } = await useTestQueues();

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "ticketing-limits-"));
});
afterAll(() => rm(directory, { recursive: true }));
beforeEach(useEmptyTable);

async function useEmptyTable(): Promise<void> {
  const { endpoint, tableName } = await useTestTable();
  target = ["--endpoint", endpoint, "--table", tableName];
}

async function importAll(): Promise<void> {
  const { code, stderr } = await runImport(["-", ...target], { stdin: ndjson(sent) });
  assert.deepEqual([code, stderr], [0, ""]);
}

test("a value of every field, at its limits, is served as it was imported", async () => {
  await importAll();
  await assertServed(organisationId, sent);
});

test("a value of every field, at its limits, is served as it was sent to the feed", async () => {
  const Records: SQSRecord[] = [];
  const attributes = { ApproximateReceiveCount: "1", SentTimestamp: String(Date.now()) };
  const packer = messagePacker(async ({ body }) => {
    Records.push({ messageId: String(Records.length), body, attributes } as SQSRecord);
  });
  for (const record of sent) assert.equal(await packer.add(organisationId, JSON.stringify(record)), undefined);
  await packer.finish();
  assert.deepEqual((await feed({ Records }, { getRemainingTimeInMillis: () => 600_000 })).batchItemFailures, []);
  assert.deepEqual(deadLetters.receive(Infinity), []);
  await assertServed(organisationId, sent);
});

test("a value of every field, at its limits, is exported as it was sent, and served after it was restored", async () => {
  await importAll();
  const run = (command: string, ...options: string[]) =>
    runProgram(
      `organisation ${command}`,
      ["--organisation", String(organisationId), "--actor", "Grace", ...options, ...target],
      { cwd: directory },
    );
  const exported = await run("export", "--output", "all.ndjson");
  assert.deepEqual([exported.code, exported.stderr], [0, ""]);
  const lines = (await readFile(join(directory, "all.ndjson"), "utf8")).split("\n").filter(Boolean);
  const key = ({ type, data }: SentRecord) => `${type} ${data.id}`;
  const byKey = (records: SentRecord[]) => new Map(records.map((record) => [key(record), record]));
  assert.deepEqual(byKey(lines.map((line) => JSON.parse(line))), byKey(sent));
  await useEmptyTable();
  const restored = await run("restore", "--from-export", "all.ndjson");
  assert.deepEqual([restored.code, restored.stderr], [0, ""]);
  await assertServed(organisationId, sent);
});
