import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { DeleteTableCommand, DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { afterAll, afterEach, beforeAll, beforeEach, test } from "@jest/globals";
import { openTable } from "../../../functions/table/table.ts";
import { putItem } from "../../../functions/table/writes.ts";
import { createTable } from "../../../local/createTable.ts";
import { useLocalTable } from "../../../local/localService.ts";
import { portOf } from "../../../packages/local-aws/gateway/server.ts";
import { startFaultyProxy } from "../../support/data/faultyProxy.ts";
import { dumpItems, dumpTable } from "../../support/data/table.ts";
import { useTestTable } from "../../support/data/testTable.ts";
import { type FakeRestores, startFakeRestores } from "../support/fakeRestores.ts";
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
/** Instead of the pages' stage, whose settings this repository does not have. */
const stage = "dev";
const noWait = ["--settle", "0"];

let source = "";
let restored = "";
let dynamoDb: FakeRestores;
let proxy: Awaited<ReturnType<typeof startFaultyProxy>>;
let endpoint = "";
const tables: string[] = [];

/** CloudFormation, as far as `--stage` uses it, and Lambda without consumers. */
const stacks = createServer(({ url = "" }, response) =>
  response.end(
    url.includes("/event-source-mappings")
      ? '{"EventSourceMappings":[]}'
      : `<DescribeStacksResponse><DescribeStacksResult><Stacks><member><Outputs><member><OutputKey>TableName</OutputKey><OutputValue>${source}</OutputValue></member></Outputs></member></Stacks></DescribeStacksResult></DescribeStacksResponse>`,
  ),
);
beforeAll(async () => {
  await once(stacks.listen(0, "127.0.0.1"), "listening");
  process.env.AWS_ENDPOINT_URL_CLOUDFORMATION = `http://127.0.0.1:${portOf(stacks)}`;
  process.env.AWS_ENDPOINT_URL_LAMBDA = process.env.AWS_ENDPOINT_URL_CLOUDFORMATION;
});
afterAll(async () => {
  delete process.env.AWS_ENDPOINT_URL_CLOUDFORMATION;
  delete process.env.AWS_ENDPOINT_URL_LAMBDA;
  stacks.close();
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
afterEach(async () => {
  await proxy.close();
  await dynamoDb.close();
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

test("table restore prints the erasures since then, so that an organisation that was erased for good is erased again", async () => {
  await fill(1842);
  await fill(9);
  then = await dumpItems();
  const erase = "npm run ops -- organisation erase --organisation 9 --confirm 9 --actor NAME --stage prod";
  await type(erase, noWait);
  const before = [...dynamoDb.changes];
  const planned = await type(restoreTable, ["--dry-run"]);
  assert.deepEqual([dynamoDb.changes, tables.includes(restored)], [before, false]);
  const output = await type(restoreTable);
  for (const printed of [planned, output]) {
    assert.match(
      printed,
      /\n {2}\S+ {2}organisation 9 {2}erasure started, Grace\n {2}\S+ {2}organisation 9 {2}erasure completed, Grace\n/,
    );
    assert.ok(!printed.includes("1842"));
  }
  assert.deepEqual((await organisationsIn(restored)).sort(), ["1842", "9"]);
  await type(`${erase} --table ${restored}`, noWait);
  assert.deepEqual([await organisationsIn(restored), await organisationsIn(source)], [["1842"], ["1842"]]);
  await type(documented("recovery", /npm run ops -- summaries rebuild --all --stage STAGE --table NEW/));
});
