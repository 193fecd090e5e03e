import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { chmod, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { dirname, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";
import { beforeAll, expect, test } from "@jest/globals";
import { mintApiKey } from "../../functions/keys/apiKeySecret.ts";
import { Scope } from "../../functions/resources/scope.ts";
import { summaryRepository } from "../../functions/summaries/summaryRepository.ts";
import { openTable } from "../../functions/table/table.ts";
import { createTable } from "../../local/createTable.ts";
import { ServiceDescription, useLocalTable } from "../../local/localService.ts";
import { startDynamoDbLocal } from "../../packages/local-aws/dynamodb/startDynamoDbLocal.ts";
import { describeService, runProgram } from "../cli/support/runProgram.ts";
import { eventRecord, orderRecord } from "../support/data/records.ts";
import { putRecords } from "../support/data/table.ts";
import { send } from "../support/http/send.ts";
import { cases } from "../support/jest/cases.ts";
import { until } from "../support/service/until.ts";
import { temporaryDirectory } from "../support/temporaryDirectory.ts";
import { descendantsOf, runCommand, runStart, startPath, stop, untilGone } from "./runStart.ts";

const cwd = temporaryDirectory();
const file = join(cwd, ".local/service.json");
let service: ReturnType<typeof runStart>;
let description: ServiceDescription;
let greeting: string;

// The directory has a description of an earlier start, which everybody can read.
beforeAll(async () => {
  const keys = [{ name: "Read only", key: "tsk_stale", scopes: ["read" as const] }];
  const urls = { base_url: "http://localhost:1", dynamodb_endpoint: "http://localhost:1" };
  await describeService(cwd, { ...urls, organisations: [{ organisation_id: 1, name: "Old", keys }] });
  await chmod(file, 0o644);
  service = runStart(["--port", "0"], { cwd });
  description = await service.served();
  greeting = service.output();
});

test("every listener refuses a foreign Host", async () => {
  const { base_url, issuer, dynamodb_endpoint, feed_queue_url } = description;
  for (const { href, host } of [base_url, issuer, dynamodb_endpoint, feed_queue_url].map((url) => new URL(url))) {
    const [foreign, own] = ["attacker.example", host].map((name) =>
      send(href, { method: "POST", headers: { host: name } }),
    );
    assert.equal((await foreign)?.status, 403, href);
    assert.notEqual((await own)?.status, 403, href);
  }
});

test("a start writes a description that only its owner can read, in exactly the promised shape", async () => {
  assert.equal((await stat(file)).mode & 0o777, 0o600);
  const written = JSON.parse(await readFile(file, "utf8"));
  const urls = [
    "process_id",
    "base_url",
    "docs_url",
    "developer_area_url",
    "issuer",
    "dynamodb_endpoint",
    "table_name",
  ];
  const queues = ["feed_queue_url", "feed_dead_letter_queue_url"];
  assert.deepEqual(Object.keys(written), [...urls, ...queues, "people", "organisations"]);
  for (const person of written.people) {
    assert.deepEqual(Object.keys(person), ["email", "password", "organisation_id", "role"]);
  }
  for (const organisation of written.organisations) {
    assert.deepEqual(Object.keys(organisation), ["organisation_id", "name", "keys"]);
    for (const key of organisation.keys) assert.deepEqual(Object.keys(key), ["name", "key", "scopes"]);
  }
  assert.deepEqual(
    description.organisations.map(({ organisation_id, keys }) => [organisation_id, keys.map(({ scopes }) => scopes)]),
    [1, 2, 1842].map((id) => [id, [["read"], Scope.options]]),
  );
  assert.deepEqual(
    description.people.map(({ organisation_id, role }) => [organisation_id, role]),
    [
      [1, "super-admin"],
      [1, "staff"],
      [2, "super-admin"],
      [1842, "super-admin"],
    ],
  );
  expect((await readdir(dirname(file))).toSorted()).toEqual(["events.ndjson", "service.json"]);
});

test("a start prints its addresses, every key, who can sign in, and lines that work when pasted", async () => {
  const { base_url, docs_url, developer_area_url, dynamodb_endpoint, organisations, people } = description;
  const keys = organisations.flatMap((organisation) => organisation.keys.map(({ key }) => key));
  const signIns = people.flatMap(({ email, password }) => [email, password]);
  const urls = [base_url, docs_url, developer_area_url, dynamodb_endpoint];
  for (const text of [...urls, "npm run ops -- import ", ...keys, ...signIns]) assert.ok(greeting.includes(text), text);
  assert.match(greeting, /^\nThe ticketing API is running, after \d+\.\d seconds\.\n/);
  const lines = greeting.match(/^ {2}(export|curl) .*\n/gm) ?? [];
  const { stdout } = await promisify(execFile)("sh", ["-c", lines.join("")]);
  const { data } = JSON.parse(stdout);
  assert.deepEqual(
    data.map((event: { organisation_id: number }) => event.organisation_id),
    [1, 1],
  );
  assert.equal(greeting.match(/tsk_\w+/)?.[0], organisations[0]?.keys[1]?.key);
});

test("a start prints nothing after its greeting but a line for each request", async () => {
  const { key } = description.organisations[0]?.keys[0] ?? assert.fail();
  const headers = { Authorization: `Bearer ${key}` };
  const before = () => service.output().slice(greeting.length).trim().split("\n").filter(Boolean);
  const count = before().length;
  for (const path of ["/v1/key", "/v1/orders/7"]) await fetch(description.base_url + path, { headers });
  await fetch(`${description.base_url}/v1/key`, { headers: { Authorization: `Bearer ${mintApiKey().key}` } });
  // Long enough for the usage of the requests to be counted.
  await wait(2_000);
  const lines = before().map((line) => JSON.parse(line));
  const messages = lines.slice(count).map(({ message }) => message);
  expect(messages).toEqual(["request", "request", "authorization"]);
  assert.equal(service.errors(), "");
});

test("a second start in the same directory is refused, with the address of the first", async () => {
  const second = runStart(["--port", "0"], { cwd });
  assert.equal(await second.exited(), 1);
  const problem = `The service already runs at ${description.base_url}. Stop it first, or start another in its own clone.\n`;
  assert.deepEqual([second.errors(), second.output()], [problem, ""]);
  assert.deepEqual(ServiceDescription.parse(JSON.parse(await readFile(file, "utf8"))), description);
});

test("a database that is busy for a few seconds delays a response without a 503", async () => {
  const [database = 0] = await service.children();
  const { keys: [reader] = [] } = description.organisations[0] ?? {};
  await stop(database);
  const headers = { Authorization: `Bearer ${reader?.key}` };
  const response = fetch(`${description.base_url}/v1/key`, { headers });
  // Longer than a deployed function's three tries of a second each.
  await wait(4_000);
  process.kill(database, "SIGCONT");
  assert.equal((await response).status, 200);
});

test("Ctrl-C ends the service and its database, also with open connections and requests", async () => {
  const { port } = new URL(description.base_url);
  const unfinished = connect(Number(port), "127.0.0.1").on("error", () => undefined);
  unfinished.write("GET /v1/events HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nhalf");
  await fetch(`${description.base_url}/v1/key`);
  const children = await service.children();
  assert.equal(children.length, 1);
  service.signalGroup("SIGINT");
  assert.equal(await service.exited(), 0);
  await untilGone(children);
});

test("a start on a table without a stream adds it and names the command that counts the earlier changes", async () => {
  const database = await startDynamoDbLocal();
  useLocalTable(database.endpoint, "ticketing");
  await createTable("ticketing", { hasStream: false });
  await putRecords([eventRecord(1842, 1), orderRecord(1842, 1)]);
  const run = runStart(["--port", "0", "--dynamodb-endpoint", database.endpoint]);
  await run.served();
  const countIs = async (expected: number) =>
    (await summaryRepository(1842, openTable()).getEventSummary(1)).orders_count === expected;
  await putRecords([orderRecord(1842, 2)]);
  await until(() => countIs(1));
  run.signal("SIGTERM");
  assert.equal(await run.exited(), 0);
  const [command = ""] = /summaries rebuild .*/.exec(run.output()) ?? [];
  const { code, stderr } = await runProgram("", command.split(" "));
  assert.deepEqual([code, stderr, run.errors()], [0, "", ""]);
  assert.ok(await countIs(2));
  await database.stop();
});

for (const signal of cases<NodeJS.Signals[]>(["SIGKILL"], ["SIGKILL", "SIGTERM"])) {
  test(`${signal} to npm ends everything that npm start has started and leaves no temporary files`, async () => {
    const cwd = temporaryDirectory();
    const TMPDIR = temporaryDirectory();
    const { scripts } = JSON.parse(await readFile("package.json", "utf8"));
    const start = scripts.start.replace("local/start.ts", startPath);
    await writeFile(join(cwd, "package.json"), JSON.stringify({ scripts: { start } }));
    const npm = runCommand("npm", ["start", "--silent", "--", "--port", "0"], { cwd, env: { TMPDIR } });
    await npm.served();
    const started = await descendantsOf(npm.pid);
    assert.equal(started.length, 2, "Node and Java");
    npm.signal(signal);
    await untilGone(started);
    expect(await readdir(TMPDIR)).toEqual([]);
  });
}
