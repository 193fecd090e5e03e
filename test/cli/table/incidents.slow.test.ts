import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { DeleteTableCommand, DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { afterAll, afterEach, beforeAll, beforeEach, test } from "@jest/globals";
import { apiKeyRepository } from "../../../functions/keys/apiKeyRepository.ts";
import { openTable } from "../../../functions/table/table.ts";
import { putItem } from "../../../functions/table/writes.ts";
import { webhookRepository } from "../../../functions/webhooks/webhookRepository.ts";
import { createTable } from "../../../local/createTable.ts";
import { useLocalTable } from "../../../local/localService.ts";
import { startFaultyProxy } from "../../support/data/faultyProxy.ts";
import { someone } from "../../support/data/records.ts";
import { dumpItems, dumpTable } from "../../support/data/table.ts";
import { useTestTable } from "../../support/data/testTable.ts";
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
  assert.deepEqual([line, code, stderr.replaceAll(/^\S+Z {2}.*\n/gm, "")], [line, 0, ""]);
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
let endpoint = "";
const tables: string[] = [];

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
afterAll(async () => {
  delete process.env.AWS_ENDPOINT_URL_CLOUDFORMATION;
  delete process.env.AWS_ENDPOINT_URL_LAMBDA;
  const client = new DynamoDBClient({ endpoint });
  for (const TableName of tables) await client.send(new DeleteTableCommand({ TableName }));
});

/** The stage's table, in a DynamoDB Local whose restores are emulated. `then` is its content at the time to restore to. */
let then: Record<string, unknown>[] = [];
beforeEach(async () => {
  ({ endpoint } = await useTestTable());
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
afterEach(() => proxy.close());

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

const adopt = documented("recovery", /npm run ops -- table adopt --table NEW [^\n`]*/);
const restoreTable = documented("recovery", /npm run ops -- table restore --to [^`]*/);

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

test("table restore erases again the organisations that were erased since, except a named one", async () => {
  for (const organisationId of [1842, 9]) await fill(organisationId);
  then = await dumpItems();
  await type(erase(9));
  const before = [...dynamoDb.changes];
  const planned = await type(restoreTable, ["--dry-run"]);
  assert.deepEqual([dynamoDb.changes, tables.includes(restored)], [before, false]);
  const kept = await type(restoreTable, ["--organisation", "9"]);
  assert.match(kept, /No stage may use it/);
  assert.doesNotMatch(kept, /restoredTableStream/);
  assert.deepEqual((await organisationsIn(restored)).sort(), ["1842", "9"]);
  const output = await type(restoreTable);
  for (const printed of [planned, output]) {
    assert.match(
      printed,
      /\n {2}\S+ {2}organisation 9 {2}erasure started, Grace\n {2}\S+ {2}organisation 9 {2}erasure completed, Grace\n/,
    );
    assert.ok(!printed.includes("1842"));
  }
  assert.match(output, /\nErased organisation 9 again\.\n.*"restoredTableStream"/s);
  assert.deepEqual([await organisationsIn(restored), await organisationsIn(source)], [["1842"], ["1842"]]);
  await type(documented("recovery", /npm run ops -- summaries rebuild --all --stage STAGE --table NEW/));
});

test("an adopted backup has all settings of a table, and its organisations work once they are resumed", async () => {
  const key = await fill(1842);
  for (const organisationId of [7, 9]) await fill(organisationId);
  await type(erase(9));
  then = await dumpItems();
  await restoreThen();
  dynamoDb.addTable(restored);
  const output = await type(adopt);
  assert.match(output, /^Suspended 3 organisations: 7, 9, 1842\n/);
  assert.ok(output.includes(`"restoredTableStream": "${streamOf(restored)}"\n`));
  const { description, timeToLive, recovery } = dynamoDb.tables.get(restored) ?? assert.fail();
  assert.deepEqual(
    [description.DeletionProtectionEnabled, timeToLive, recovery],
    [true, "ENABLED expires_at", "ENABLED"],
  );
  const before = await contentsOf(restored);
  assert.deepEqual([before.webhooks.map(({ status }) => status), await isAccepted(key)], [["paused"], false]);
  await type(adopt);
  assert.deepEqual(await contentsOf(restored), before);
  await type(`npm run ops -- organisation suspend --resume --organisation 1842 --actor NAME --stage prod --table NEW`);
  const { webhooks } = await contentsOf(restored);
  assert.deepEqual([webhooks.map(({ status }) => status), await isAccepted(key)], [["paused"], true]);
  const own = await runProgram("table adopt", ["--table", source, "--actor", "Grace", "--stage", stage]);
  assert.deepEqual([own.code, own.stderr], [2, `The stage ${stage} uses this table already. Nothing was changed.\n`]);
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
    await type(restoreTable, ["--organisation", "1842"]);
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
  "table restore": async () => {
    await type(restoreTable);
    return restored;
  },
  "a backup copy": async () => {
    await restoreThen();
    dynamoDb.addTable(restored);
    await type(adopt);
    return restored;
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
    assert.ok(shown.every(({ status, suspended }) => status === "revoked" || suspended));
  }
  if (change.startsWith("a replaced secret"))
    for (const { secret_version, earlier_secret_until, status } of webhooks) {
      assert.ok(Number(secret_version) > 1);
      assert.ok(earlier_secret_until === null || status === "active");
    }
  if (change !== "an erased organisation") return;
  // A backup does not show later erasures, so its organisations are suspended.
  if (way !== "a backup copy") assert.deepEqual(items, []);
  assert.equal(await isAccepted(earlier), false);
});
