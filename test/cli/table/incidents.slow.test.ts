import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { DeleteTableCommand, DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { afterAll, afterEach, beforeAll, beforeEach, test } from "@jest/globals";
import { apiKeyRepository } from "../../../functions/keys/apiKeyRepository.ts";
import { recordItem } from "../../../functions/records/recordItem.ts";
import { upsertRecord } from "../../../functions/records/upsertRecord.ts";
import { itemKeys } from "../../../functions/table/itemKeys.ts";
import { getItem } from "../../../functions/table/reads.ts";
import { openTable } from "../../../functions/table/table.ts";
import { putItem } from "../../../functions/table/writes.ts";
import { webhookRepository } from "../../../functions/webhooks/webhookRepository.ts";
import { createTable } from "../../../local/createTable.ts";
import { useLocalTable } from "../../../local/localService.ts";
import { startFaultyProxy } from "../../support/data/faultyProxy.ts";
import { eventRecord, someone } from "../../support/data/records.ts";
import { deleteItems, dumpItems, dumpTable } from "../../support/data/table.ts";
import { listen } from "../../support/http/listen.ts";
import { temporaryDirectory } from "../../support/temporaryDirectory.ts";
import { type FakeRestores, startFakeRestores, streamOf } from "../support/fakeRestores.ts";
import { fill, isAccepted } from "../support/organisationContents.ts";
import { runProgram } from "../support/runProgram.ts";

const pageOf = (name: string) => readFileSync(`docs/operators/${name}.md`, "utf8");
/** The first of a page's commands that matches. */
const documented = (page: string, pattern: RegExp) => pattern.exec(pageOf(page))?.[0] ?? assert.fail(String(pattern));

/** Runs a line such as `npm run ops -- organisation erase --organisation 7`, with these words instead of placeholders. */
async function type(line: string, more: string[] = []) {
  const [, , , , ...words] = line.replace(/(?<=--stage )\w+/, stage).match(/"[^"]*"|\S+/g) ?? [];
  const args = words.map((word) =>
    word
      .replaceAll('"', "")
      .replace(/^NAME$/, "Grace")
      .replace(/^NEW$/, restored),
  );
  const { code, stdout, stderr } = await runProgram("", [...args, ...more]);
  assert.deepEqual([line, code, stderr], [line, 0, ""]);
  return stdout;
}
const restoreOne = "npm run ops -- organisation restore --organisation 1842 --actor NAME --stage prod";
const erase = (id: number) =>
  `npm run ops -- organisation erase --organisation ${id} --confirm ${id} --actor NAME --stage prod --settle 0`;

const exported = join(temporaryDirectory(), "exported.ndjson");
const readExport = async () => ({ additions: readFileSync(exported.replace(".ndjson", ".additions.ndjson")) });

/** Replaces the pages' stage, whose settings this repository does not have. */
const stage = "dev";
const noWait = ["--settle", "0"];

let source = "";
let restored = "";
let dynamoDb: FakeRestores;
let proxy: Awaited<ReturnType<typeof startFaultyProxy>>;
const endpoint = String(process.env.TEST_DYNAMODB_ENDPOINT);
/** The tables of a test. */
const tables: string[] = [];

const startedAt = new Date().toISOString();
const now = () => new Date().toISOString();

/** The part of CloudFormation that `--stage` uses, and Lambda without consumers. */
const stacks = createServer(({ url = "" }, response) =>
  response.end(
    url.includes("/event-source-mappings")
      ? '{"EventSourceMappings":[]}'
      : `<DescribeStacksResponse><DescribeStacksResult><Stacks><member><Outputs><member><OutputKey>TableName</OutputKey><OutputValue>${source}</OutputValue></member></Outputs></member></Stacks></DescribeStacksResult></DescribeStacksResponse>`,
  ),
);
beforeAll(async () => {
  process.env.AWS_ENDPOINT_URL_CLOUDFORMATION = await listen(stacks);
  process.env.AWS_ENDPOINT_URL_LAMBDA = process.env.AWS_ENDPOINT_URL_CLOUDFORMATION;
});
afterAll(() => {
  delete process.env.AWS_ENDPOINT_URL_CLOUDFORMATION;
  delete process.env.AWS_ENDPOINT_URL_LAMBDA;
});

/** The stage's table, in a DynamoDB Local whose restores are emulated. `then` is its content at the time to restore to. */
let then: Record<string, unknown>[] = [];
beforeEach(async () => {
  source = `ticketing-${stage}-${randomUUID()}`;
  restored = `${source}-20260301020000`;
  dynamoDb = await startFakeRestores(source, 0);
  proxy = await startFaultyProxy(endpoint);
  proxy.faultOf = ({ action, input }) =>
    /Restore|Describe|Tag|UpdateT|UpdateC/.test(action)
      ? async (outgoing) => {
          if (action === "RestoreTableToPointInTime") await restoreThen();
          const headers = { "x-amz-target": `DynamoDB_20120810.${action}` };
          const response = await fetch(dynamoDb.url, { method: "POST", headers, body: input });
          outgoing.writeHead(response.status, { "Content-Type": "application/x-amz-json-1.0" });
          outgoing.end(await response.text());
        }
      : undefined;
  await makeTable(source);
  useLocalTable(proxy.url, source);
});
afterEach(async () => {
  await proxy.close();
  // DynamoDB Local spends time on each of its tables even if nobody uses it.
  const client = new DynamoDBClient({ endpoint });
  for (const TableName of tables.splice(0)) await client.send(new DeleteTableCommand({ TableName }));
});

async function makeTable(name: string): Promise<void> {
  useLocalTable(endpoint, name);
  await createTable(name, { hasStream: false });
  tables.push(name);
}

async function restoreThen(): Promise<void> {
  await makeTable(restored);
  for (const item of then) await putItem({ ...openTable(), name: () => restored }, item);
  useLocalTable(proxy.url, source);
}

async function organisationsIn(table: string): Promise<string[]> {
  useLocalTable(proxy.url, table);
  const found = (await dumpTable()).flatMap(({ PK }) => /^ORG#(\d+)#ORDER/.exec(String(PK))?.[1] ?? []);
  useLocalTable(proxy.url, source);
  return [...new Set(found)];
}

const adopt = documented("recovery", /npm run ops -- table adopt [^\n`]*/);
const restoreTable = documented("recovery", /npm run ops -- table restore --to [^\n`]*/);
const repair = documented("recovery", /npm run ops -- organisation restore --all [^\n`]*/);

/** Puts the content of the backup into the table, as if it was lost and restored under its own name. */
async function restoreBackup(): Promise<void> {
  await deleteItems(await dumpItems());
  for (const item of then) await putItem(openTable(), item);
  dynamoDb.addTable(source);
}

test("an organisation that was erased by mistake comes back with the commands of the pages", async () => {
  const key = await fill(1842);
  await fill(7);
  then = await dumpItems();
  await type(documented("recovery", /npm run ops -- organisation erase --organisation 1842 --confirm[^`]*/), noWait);
  assert.deepEqual([await organisationsIn(source), await isAccepted(key)], [["7"], false]);
  await type(documented("commands", /npm run ops -- table restore .*/));
  await type(documented("commands", /npm run ops -- organisation restore .* --from-table .*/));
  assert.deepEqual([await organisationsIn(source), await isAccepted(key)], [["1842", "7"], true]);
});

test("all organisations are repaired with the commands of the pages, except one that was erased since", async () => {
  for (const organisationId of [1842, 7, 9]) await fill(organisationId);
  then = await dumpItems();
  await type(erase(9));
  const damagedIn = async (organisation_id: number) =>
    (await getItem(openTable(), itemKeys.event(organisation_id, 1)))?.name === "damaged";
  for (const organisation_id of [1842, 7])
    await upsertRecord(openTable(), recordItem(eventRecord(organisation_id, 1, { name: "damaged" })));
  await type(restoreTable);
  const window = repair.replace(
    /--changed-from \S+ --changed-to \S+/,
    `--changed-from ${startedAt} --changed-to ${now()}`,
  );
  const planned = await type(window, ["--dry-run"]);
  assert.match(planned, /^Organisation 7, .*:\n {11}1 EVENT replaced: 1\n/);
  assert.deepEqual([await damagedIn(1842), await damagedIn(7)], [true, true]);
  assert.match(await type(window), /\nOrganisation 9 was erased since; skipped\.\nOrganisation 1842, /);
  assert.deepEqual([await damagedIn(1842), await damagedIn(7)], [false, false]);
  assert.deepEqual(await organisationsIn(source), ["1842", "7"]);
  assert.match(await type(window), /^Organisation 7 was repaired by an earlier run; skipped\.\n/);
});

test("a table that was lost and restored gets all settings, and no key of the backup ever works again", async () => {
  const key = await fill(1842);
  for (const organisationId of [7, 9]) await fill(organisationId);
  await type(erase(9));
  then = await dumpItems();
  await restoreBackup();
  const output = await type(adopt);
  assert.match(output, /^Revoked 2 API keys\. /);
  assert.ok(output.includes(`"tableStreamArn": "${streamOf(source)}"\n`));
  const { description, timeToLive, recovery } = dynamoDb.tables.get(source) ?? assert.fail();
  assert.deepEqual(
    [description.DeletionProtectionEnabled, timeToLive, recovery],
    [true, "ENABLED expires_at", "ENABLED"],
  );
  const { webhooks, keys, items } = await contentsOf(source);
  assert.deepEqual([webhooks.map(({ status }) => status), await isAccepted(key)], [["paused"], false]);
  assert.ok(keys.every(({ status }) => status === "revoked"));
  const revocations = items.filter(
    ({ action, actor }) => action === "revoked" && actor === "Grace Hopper (platform team)",
  );
  assert.equal(revocations.length, 1);
  await type(`npm run ops -- organisation suspend --resume --organisation 1842 --actor NAME --stage prod`);
  assert.equal(await isAccepted(key), false);
});

/** Lets a run of `table adopt` be killed before its changing call of this number. @returns the number of changing calls. */
async function adoptInterrupted(number: number): Promise<number> {
  const { faultOf } = proxy;
  const killing = new AbortController();
  let calls = 0;
  proxy.faultOf = (call) => {
    const isChange = /^(Put|Update|TransactWrite)/.test(call.action);
    if (isChange) calls += 1;
    if (!isChange || calls < number) return faultOf(call);
    killing.abort("SIGKILL");
    return (outgoing) => outgoing.destroy();
  };
  await runProgram("table adopt", ["--actor", "Grace Hopper", "--stage", stage], { killedBy: killing.signal });
  proxy.faultOf = faultOf;
  return calls;
}

/** The state that an adoption changes, without times and ids. */
async function adoptedState() {
  const { description, timeToLive, recovery } = dynamoDb.tables.get(source) ?? assert.fail();
  const { StreamSpecification, DeletionProtectionEnabled } = description;
  const items = await dumpItems();
  const stateOf = ({ PK, action, actor, status, restored, state }: Record<string, unknown>) =>
    JSON.stringify([String(PK).split("#")[2], action, actor, status, restored, state]);
  // Each run leaves an entry of its start.
  const isStart = ({ action, state }: Record<string, unknown>) => action === "adoption" && state === "started";
  const states = items
    .filter((item) => !isStart(item))
    .map(stateOf)
    .sort();
  return { states, StreamSpecification, DeletionProtectionEnabled, timeToLive, recovery };
}

test("an adoption killed before any of its changes and run again ends like an uninterrupted one", async () => {
  const keys = [await fill(1842), await fill(7)];
  const unlisted = await fill(9);
  const isListed = ({ PK, SK }: Record<string, unknown>) => PK === "ORG#9#APIKEYS" && SK !== undefined;
  then = (await dumpItems()).filter((item) => !isListed(item));
  await restoreBackup();
  const changes = await adoptInterrupted(Number.POSITIVE_INFINITY);
  assert.ok(changes > 10);
  const expected = await adoptedState();
  for (let number = 1; number <= changes; number++) {
    await restoreBackup();
    // A call that is repeated before the signal arrives fails, too.
    assert.ok((await adoptInterrupted(number)) >= number);
    await type(adopt);
    assert.deepEqual([number, await adoptedState()], [number, expected]);
    for (const key of [...keys, unlisted]) assert.equal(await isAccepted(key), false);
  }
});

test("a table that is in use is never adopted", async () => {
  const key = await fill(1842);
  dynamoDb.addTable(source);
  Object.assign(dynamoDb.tables.get(source)?.description ?? {}, { StreamSpecification: { StreamEnabled: true } });
  const { code, stderr } = await runProgram("table adopt", ["--actor", "Grace", "--stage", stage]);
  assert.equal(code, 2);
  assert.match(stderr, /^Table \S+ has a stream, so it is in use or adopted already\. Nothing was changed\.$/m);
  assert.equal(await isAccepted(key), true);
});

/** A table's items of organisation 1842, and its API keys as its super-admins see them. */
async function contentsOf(table: string) {
  useLocalTable(proxy.url, table);
  const items = (await dumpItems()).filter(({ PK }) => String(PK).startsWith("ORG#1842#"));
  const { data: keys } = await apiKeyRepository(1842, openTable()).list({ per_page: 50, cursor: undefined });
  return { items, keys, webhooks: items.filter(({ PK }) => String(PK).endsWith("#WEBHOOKS")) };
}

const sender = { mac: async () => Buffer.alloc(32), post: () => assert.fail("Nothing is sent.") };
const revokeKeys = async () => {
  const { keys } = await contentsOf(source);
  for (const { id } of keys) await apiKeyRepository(1842, openTable()).revoke(id, someone);
};
const rotateSecret = async () => {
  const { webhooks } = await contentsOf(source);
  await webhookRepository(1842, openTable(), sender).rotateSecret(String(webhooks[0]?.id), someone);
};
/** Creates another API key and changes the webhook, after the export and before the time to restore to. @returns the key. */
async function changeSinceExport(): Promise<string> {
  const { webhooks } = await contentsOf(source);
  const repository = webhookRepository(1842, openTable(), sender);
  for (const description of ["One", "Two", "Three"])
    await repository.update(String(webhooks[0]?.id), { description }, someone);
  return (await apiKeyRepository(1842, openTable()).create("Later", [], someone)).key;
}
const eraseAll = () => type(erase(1842));
const fromExport = () => type(`${restoreOne} --from-export ${exported}`);

/** Steps after the export and after the time to restore to. */
const irreversible: Record<string, (() => Promise<unknown>)[]> = {
  "a revoked API key": [revokeKeys],
  "a revoked API key of an organisation that was erased": [revokeKeys, eraseAll],
  "a revoked API key of an organisation that was erased and restored": [revokeKeys, eraseAll, fromExport],
  "a replaced secret": [rotateSecret],
  "a replaced secret of an organisation that was erased": [rotateSecret, eraseAll],
  "a replaced secret of an organisation that was erased and restored": [rotateSecret, eraseAll, fromExport],
  "an erased API key of an organisation that was restored without it": [eraseAll, fromExport],
  "an erased organisation": [eraseAll],
};

/** Everything that goes back in time. @returns the table that the stage then uses. */
const goingBack: Record<string, () => Promise<string>> = {
  "organisation restore from an export": async () => {
    await fromExport();
    return source;
  },
  "organisation restore from a restored table": async () => {
    await type(restoreTable);
    await type(`${restoreOne} --from-table ${restored}`);
    return source;
  },
  "organisation restore into an empty table": async () => {
    const empty = `ticketing-${stage}-${randomUUID()}`;
    await makeTable(empty);
    useLocalTable(proxy.url, source);
    await type(`${restoreOne} --from-export ${exported} --table ${empty}`);
    return empty;
  },
  "import of an export": async () => {
    const { additions } = await readExport();
    const { code } = await runProgram("import", ["-", "--stage", stage], { stdin: additions });
    assert.equal(code, 1);
    await type(`npm run ops -- import ${exported} --stage prod`);
    return source;
  },
  "a repair from a restored table": async () => {
    await type(restoreTable);
    await type(
      `npm run ops -- organisation restore --all --actor NAME --from-table ${restored} --replace --changed-from ${startedAt} --changed-to ${now()} --stage prod`,
    );
    return source;
  },
  "a backup of a lost table": async () => {
    await restoreBackup();
    await type(adopt);
    return source;
  },
};

/** A restoration or an import of something that was erased is meant to bring it back. */
const isMeant = (way = "", change = "") => change.startsWith("an erased") && /^(organisation|import)/.test(way);
const cells = Object.keys(goingBack)
  .flatMap((way) => Object.keys(irreversible).map((change) => [way, change]))
  .filter(([way, change]) => !isMeant(way, change));

test.each(cells)("%s does not bring back %s", async (way = "", change = "") => {
  const earlier = await fill(1842);
  await type(`npm run ops -- organisation export --organisation 1842 --actor NAME --output ${exported} --stage prod`);
  const later = await changeSinceExport();
  then = await dumpItems();
  for (const step of irreversible[change] ?? []) await step();
  const table = await (goingBack[way] ?? assert.fail(way))();
  const { items, keys, webhooks } = await contentsOf(table);
  const dead = change.startsWith("a revoked")
    ? [earlier, later]
    : change.startsWith("an erased API key")
      ? [later]
      : [];
  for (const key of dead) {
    assert.equal(await isAccepted(key), false);
    const shown = keys.filter(({ prefix }) => prefix === key.slice(0, 12));
    assert.ok(shown.every(({ status }) => status === "revoked"));
  }
  if (change.startsWith("a replaced secret"))
    for (const { secret_version, earlier_secret_until, status } of webhooks) {
      assert.ok(Number(secret_version) > 1);
      assert.ok(earlier_secret_until === null || status === "active");
    }
  if (change !== "an erased organisation") return;
  // A backup does not show later erasures: they are repeated by hand.
  if (way !== "a backup of a lost table") assert.deepEqual(items, []);
  assert.equal(await isAccepted(earlier), false);
});
