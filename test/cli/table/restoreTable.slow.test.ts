import assert from "node:assert/strict";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { test } from "@jest/globals";
import { auditStart } from "../../../cli/organisation/organisation.ts";
import { carryOver } from "../../../cli/table/carryOver.ts";
import { restoreTable } from "../../../cli/table/restoreTable.ts";
import { apiKeyRepository } from "../../../functions/keys/apiKeyRepository.ts";
import { itemKeys } from "../../../functions/table/itemKeys.ts";
import { openTable } from "../../../functions/table/table.ts";
import { putItem } from "../../../functions/table/writes.ts";
import { readWebhook } from "../../../functions/webhooks/storedWebhook.ts";
import { webhookListRepository } from "../../../functions/webhooks/webhookListRepository.ts";
import { webhookRepository } from "../../../functions/webhooks/webhookRepository.ts";
import { useLocalTable } from "../../../local/localService.ts";
import { dumpTable } from "../../support/data/table.ts";
import { useTestTable } from "../../support/data/testTable.ts";
import { unusedUrl } from "../../support/http/send.ts";
import { type FakeRestores, startFakeRestores, streamOf } from "../support/fakeRestores.ts";
import { failing, fill, idleUntil, putWebhook } from "../support/organisationContents.ts";
import { runProgram } from "../support/runProgram.ts";

const source = "tickets";
const target = "tickets-then";
const to = new Date("2026-03-01T02:00:00Z");
const watching = { pause: async () => undefined, say: () => undefined };
const waiting = { pause: async () => undefined, signal: new AbortController().signal };

let dynamoDb: FakeRestores;
async function useFake(busyLooks: number): Promise<void> {
  dynamoDb = await startFakeRestores(source, busyLooks);
  useLocalTable(dynamoDb.url, source);
}
const restore = () => restoreTable(new DynamoDBClient(), { source, target, to }, watching);

test("a restored table gets the settings that a restore leaves out, each when the table accepts it", async () => {
  await useFake(2);
  assert.equal(await restore(), streamOf(target));
  const restored = dynamoDb.tables.get(target);
  assert.deepEqual(restored?.description.StreamSpecification, {
    StreamEnabled: true,
    StreamViewType: "NEW_AND_OLD_IMAGES",
  });
  assert.equal(restored.description.DeletionProtectionEnabled, true);
  assert.deepEqual([restored.timeToLive, restored.recovery], ["ENABLED expires_at", "ENABLED"]);
  assert.deepEqual(
    restored.tags.map(({ Key }) => Key),
    ["team", "cost-centre"],
  );
  assert.ok(dynamoDb.changes.every((change) => change.endsWith(target)));
});

test("a second run continues an interrupted one from any step", async () => {
  await useFake(1);
  await restore();
  const whole = [...dynamoDb.changes];
  const settings = () => structuredClone({ ...dynamoDb.tables.get(target), tags: [] });
  const done = settings();
  for (let step = 1; step < whole.length; step++) {
    await useFake(1);
    const interruptedAt = async () => {
      if (dynamoDb.changes.length >= step) throw new Error("interrupted");
    };
    await restoreTable(new DynamoDBClient(), { source, target, to }, { ...watching, pause: interruptedAt }).catch(
      (error: Error) => assert.equal(error.message, "interrupted"),
    );
    await restore();
    assert.deepEqual(settings(), done);
    assert.equal(dynamoDb.changes.filter((change) => change.startsWith("RestoreTable")).length, 1);
  }
});

test("another table with the new name, or a restore to another time, is not changed", async () => {
  await useFake(0);
  await restore();
  const before = dynamoDb.changes.length;
  for (const other of [{ to: new Date("2026-03-01T02:00:01Z") }, { target: source }]) {
    await assert.rejects(
      restoreTable(new DynamoDBClient(), { source, target, to, ...other }, watching),
      /already exists and is not a restore of tickets at that time\.$/,
    );
  }
  assert.equal(dynamoDb.changes.length, before);
});

test("the command prints how to switch the stage", async () => {
  await useFake(0);
  const commandLine = ["--table", source, ...at("2026-03-01T03:00:00.900+01:00")];
  const planned = await runProgram("table restore", [...commandLine, "--dry-run"]);
  assert.deepEqual([planned.code, planned.stderr, dynamoDb.changes], [0, "", []]);
  assert.match(
    planned.stdout,
    /^Would restore tickets as of 2026-03-01T02:00:00\.000Z to the new table tickets-20260301020000\.\n/,
  );
  assert.match(planned.stdout, /\nNothing was changed\.\n$/);
  const { code, stdout } = await runProgram("table restore", commandLine, { asProcess: true });
  assert.equal(code, 0);
  assert.match(stdout, /^tickets-20260301020000 is tickets as of 2026-03-01T02:00:00\.000Z\.\n/);
  assert.ok(stdout.includes(`"restoredTableStream": "${streamOf("tickets-20260301020000")}"\n`));
});

/** The options of a restore to this time of the fake. */
const at = (time: string) => ["--to", time, "--endpoint", dynamoDb.url];

test("a time or a name that does not fit is refused before anything is changed", async () => {
  await useFake(0);
  for (const [options, problem] of [
    [["--table", "nothing", ...at("2026-03-01T02:00:00Z")], /^Table nothing does not exist\.$/m],
    [["--table", source, ...at("2126-03-01")], /^--to must be between .* and 2026-03-02T00:00:00\.000Z\.$/m],
    [
      ["--table", source, ...at("2025-03-01T02:00:00Z"), "--dry-run"],
      /^--to must be between 2026-02-01T00:00:00\.000Z and 2026-03-02T00:00:00\.000Z\.$/m,
    ],
    [
      ["--table", source, ...at("2026-03-01T02:00:00Z"), "--new-name", source],
      /^--new-name must differ from the table's name\.$/m,
    ],
    [
      ["--table", "ticketing-prod-x", "--stage", "prod", ...at("2026-03-01"), "--new-name", "ticketing-dev-x"],
      /^--new-name must begin with ticketing-prod-, like the table's name\.$/m,
    ],
  ] as const) {
    const failed = await runProgram("table restore", [...options]);
    assert.deepEqual([failed.code, failed.stdout], [2, ""]);
    assert.match(failed.stderr, problem);
  }
  assert.deepEqual(dynamoDb.changes, []);
});

test("API keys are carried over in their current state, also by a second run", async () => {
  const actor = { name: "ada@riverside.example", subject: "0c1f6d0e" };
  const { tableName: restored } = await useTestTable();
  const now = await useTestTable();
  await fill(1);
  const old = await dumpTable();
  const apiKeys = apiKeyRepository(1, openTable());
  const [working] = (await apiKeys.list({ per_page: 5, cursor: undefined })).data;
  await apiKeys.revoke(working?.id ?? "", actor);
  await apiKeys.create("New", [], actor);
  const webhooks = webhookRepository(1, openTable(), { mac: async () => Buffer.alloc(32), post: () => assert.fail() });
  const [webhook] = (await webhookListRepository(1, openTable()).list({ per_page: 5 })).data;
  await webhooks.rotateSecret(webhook?.id ?? "", actor);
  await webhooks.create({ url: unusedUrl }, actor);
  await putItem(openTable(), { ...itemKeys.access(1), tag: "Ab3dE", suspended: new Date().toISOString() });
  await (await auditStart(openTable(), { organisation_id: 9, action: "erasure", actor: "Grace" }, waiting.pause))({});
  const current = await dumpTable();
  const from = { ...openTable(), name: () => now.tableName };
  const into = { ...openTable(), name: () => restored };
  for (const item of old) await putItem(into, item);
  const { written: carried } = await carryOver(from, into, { since: to }, waiting);
  useLocalTable(now.endpoint, restored);
  const isCarried = ({ PK }: Record<string, unknown>) =>
    /KEYHASH|APIKEY|AUDIT|ACCESS|(WEBHOOKS|ACTIVITY)$/.test(String(PK));
  const dump = await dumpTable();
  assert.deepEqual(dump.filter(isCarried), current.filter(isCarried));
  assert.deepEqual(
    dump.filter((item) => !isCarried(item)),
    old.filter((item) => !isCarried(item)),
  );
  assert.equal(carried, 13);
  const [newest] = (await apiKeyRepository(1, into).list({ per_page: 5, cursor: undefined })).data;
  await apiKeyRepository(1, into).revoke(newest?.id ?? "", actor);
  const revoked = await dumpTable();
  await carryOver(from, into, { since: to }, waiting);
  assert.deepEqual(await dumpTable(), revoked);
});

/** Two tables: as of a time, and now. `use` makes this process work on one. */
async function twoTables() {
  const then = await useTestTable();
  const now = await useTestTable();
  return {
    from: { ...openTable(), name: () => now.tableName },
    into: { ...openTable(), name: () => then.tableName },
    use: (which: "now" | "then") => useLocalTable(now.endpoint, (which === "now" ? now : then).tableName),
  };
}

test("a webhook that was deleted since is paused with a new secret, and a second run only lists it", async () => {
  const { from, into, use } = await twoTables();
  use("then");
  const deleted = await putWebhook(1, { secret_version: 4, earlier_secret_until: "2030-01-01T00:00:00.000Z" });
  await carryOver(from, into, { since: to }, waiting);
  const paused = await readWebhook(into, 1, deleted.id);
  assert.deepEqual([paused?.status, paused?.earlier_secret_until, paused?.revision], ["paused", null, 2]);
  assert.ok(Number(paused?.secret_version) > Date.parse("2026-01-01"));
  const { gone, failures } = await carryOver(from, into, { since: to }, waiting);
  assert.deepEqual(await readWebhook(into, 1, deleted.id), paused);
  assert.deepEqual([gone.map(({ id }) => id), failures], [[deleted.id], []]);
});

test("a damaged webhook that was deleted since is reported, and the others are paused", async () => {
  const { from, into, use } = await twoTables();
  use("then");
  const other = await putWebhook(2);
  await putItem(into, { ...itemKeys.webhook(1, "0mi7c1q2k5f0c2a9d1e4b"), status: "active" });
  const { gone, failures } = await carryOver(from, into, { since: to }, waiting);
  assert.deepEqual(
    [gone.map(({ id }) => id), failures.map(({ key }) => key)],
    [[other.id], [itemKeys.webhook(1, "0mi7c1q2k5f0c2a9d1e4b")]],
  );
});

test("the restored table's active webhooks are polled after the switch", async () => {
  const { from, into, use } = await twoTables();
  use("now");
  const idle = await putWebhook(1);
  const retried = await putWebhook(1, failing);
  const paused = await putWebhook(1, { status: "paused" });
  const created = await putWebhook(1);
  use("then");
  for (const webhook of [idle, retried, paused]) await putWebhook(1, webhook);
  const dueOf = async ({ id }: { id: string }) => (await readWebhook(into, 1, id))?.next_poll;
  await carryOver(from, into, { since: to }, waiting);
  assert.deepEqual([await dueOf(retried), await dueOf(paused)], [failing.next_poll, null]);
  for (const one of [idle, created]) assert.ok(String(await dueOf(one)) < idleUntil);
  assert.equal(await readWebhook(from, 1, idle.id).then((webhook) => webhook?.next_poll), idleUntil);
  use("now");
  await putWebhook(1, { ...idle, secret_version: 2, revision: 2 });
  await carryOver(from, into, { since: to }, waiting);
  assert.equal((await readWebhook(into, 1, idle.id))?.secret_version, 2);
  assert.ok(String(await dueOf(idle)) < idleUntil);
});
