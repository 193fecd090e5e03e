import assert from "node:assert/strict";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { test } from "@jest/globals";
import { restoreTable } from "../../../cli/table/restoreTable.ts";
import { useLocalTable } from "../../../local/localService.ts";
import { type FakeRestores, startFakeRestores } from "../support/fakeRestores.ts";
import { runProgram } from "../support/runProgram.ts";

const source = "tickets";
const target = "tickets-then";
const to = new Date("2026-03-01T02:00:00Z");
const watch = async () => undefined;

let dynamoDb: FakeRestores;
async function useFake(busyLooks: number): Promise<void> {
  dynamoDb = await startFakeRestores(source, busyLooks);
  useLocalTable(dynamoDb.url, source);
}
const restore = () => restoreTable(new DynamoDBClient(), { source, target, to }, watch);

test("a copy gets no setting, and a second run waits for the same copy", async () => {
  await useFake(2);
  const interrupted = async () => assert.fail("interrupted");
  await assert.rejects(restoreTable(new DynamoDBClient(), { source, target, to }, interrupted), /interrupted/);
  await restore();
  assert.deepEqual(dynamoDb.changes, [`RestoreTableToPointInTime ${target}`]);
});

test("another table with the new name, or a restore to another time, is not changed", async () => {
  await useFake(0);
  await restore();
  const before = dynamoDb.changes.length;
  for (const other of [{ to: new Date("2026-03-01T02:00:01Z") }, { target: source }]) {
    await assert.rejects(
      restoreTable(new DynamoDBClient(), { source, target, to, ...other }, watch),
      /already exists and is not a restore of tickets at that time\.$/,
    );
  }
  assert.equal(dynamoDb.changes.length, before);
});

test("the command prints the whole next command", async () => {
  await useFake(0);
  const commandLine = ["--table", source, ...at("2026-03-01T03:00:00.900+01:00")];
  const planned = await runProgram("table restore", [...commandLine, "--dry-run"]);
  assert.deepEqual([planned.code, planned.stderr, dynamoDb.changes], [0, "", []]);
  assert.match(
    planned.stdout,
    /^Would restore tickets as of 2026-03-01T02:00:00\.000Z to the table tickets-20260301020000\.\n/,
  );
  assert.match(planned.stdout, /\nNothing was changed\.\n$/);
  const { code, stdout } = await runProgram("table restore", commandLine, { asProcess: true });
  assert.equal(code, 0);
  assert.match(stdout, /^tickets-20260301020000 is tickets as of 2026-03-01T02:00:00\.000Z\. Next, /);
  const next = "organisation restore --all --from-table tickets-20260301020000 --replace";
  assert.ok(
    stdout.includes(`${next} --changed-from 2026-03-01T02:00:00.000Z --changed-to TIME --actor NAME --dry-run`),
  );
});

/** The options of a restore to this time of the fake. */
const at = (time: string) => ["--to", time, "--endpoint", dynamoDb.url];

test("a time that does not fit, or an unknown table, is refused before anything is changed", async () => {
  await useFake(0);
  for (const [options, problem] of [
    [["--table", "nothing", ...at("2026-03-01T02:00:00Z")], /^Table nothing does not exist\.$/m],
    [["--table", source, ...at("2126-03-01")], /^--to must be between .* and 2026-03-02T00:00:00\.000Z\.$/m],
    [
      ["--table", source, ...at("2025-03-01T02:00:00Z"), "--dry-run"],
      /^--to must be between 2026-02-01T00:00:00\.000Z and 2026-03-02T00:00:00\.000Z\.$/m,
    ],
  ] as const) {
    const failed = await runProgram("table restore", [...options]);
    assert.deepEqual([failed.code, failed.stdout], [2, ""]);
    assert.match(failed.stderr, problem);
  }
  assert.deepEqual(dynamoDb.changes, []);
});
