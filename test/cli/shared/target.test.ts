import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, test } from "@jest/globals";
import { eventRecord } from "../../support/data/records.ts";
import { dumpItems } from "../../support/data/table.ts";
import { useTestTable } from "../../support/data/testTable.ts";
import { temporaryDirectory } from "../../support/temporaryDirectory.ts";
import { describeService, ndjson, runProgram } from "../support/runProgram.ts";

const cwd = temporaryDirectory();
const calls: unknown[] = [];
/** Takes the place of AWS's endpoints. */
const aws = createServer((incoming, outgoing) => {
  calls.push(incoming.headers["x-amz-target"]);
  outgoing.writeHead(400).end("{}");
});
const portOfAws = () => (aws.address() as AddressInfo).port;
let endpoint: string;
let tableName: string;

beforeAll(() => new Promise<void>((listening) => aws.listen(0, "127.0.0.1", listening)));
afterAll(async () => void aws.close());
beforeEach(async () => {
  calls.length = 0;
  ({ endpoint, tableName } = await useTestTable());
});

/** Runs a command where a call without an endpoint reaches {@link aws}, with credentials. */
function runBesideAws(name: string, args: string[], directory = cwd) {
  const environment = {
    AWS_ENDPOINT_URL: `http://127.0.0.1:${portOfAws()}`,
    AWS_ENDPOINT_URL_DYNAMODB: undefined,
    AWS_REGION: "eu-west-2",
    AWS_ACCESS_KEY_ID: "AKIDEXAMPLE",
    AWS_SECRET_ACCESS_KEY: "example",
  };
  return runProgram(name, args, { cwd: directory, stdin: ndjson([eventRecord(1, 1)]), environment, asProcess: true });
}

test("--table without --stage and --endpoint is a table of the local service, and no call goes to AWS", async () => {
  await describeService(cwd, { dynamodb_endpoint: endpoint, table_name: "another" });
  assert.equal((await runBesideAws("import", ["-", "--table", tableName])).code, 0);
  assert.equal((await dumpItems()).length, 1);
  const { code, stderr } = await runBesideAws("import", ["-", "--table", tableName], join(cwd, ".local"));
  assert.equal(code, 2);
  assert.match(stderr, /^The local service is not running: npm start\. /);
  assert.deepEqual(calls, []);
});

test.each([
  ["whose process has ended", { process_id: 2 ** 22 + 1 }],
  ["whose DynamoDB and queue have ended", {}],
])("the description of a service %s counts as no running service", async (_, ended) => {
  const gone = createServer((_, outgoing) => outgoing.writeHead(400).end("{}"));
  await new Promise<void>((listening) => gone.listen(0, "127.0.0.1", listening));
  const url = `http://127.0.0.1:${(gone.address() as AddressInfo).port}`;
  if (!("process_id" in ended)) await new Promise((closed) => gone.close(closed));
  await describeService(cwd, { dynamodb_endpoint: url, feed_queue_url: `${url}/0/feed`, table_name: "t", ...ended });
  for (const name of ["import", "feed"]) {
    const { code, stderr } = await runBesideAws(name, ["-"]);
    assert.deepEqual([name, code], [name, 2]);
    assert.match(stderr, /^The local service is not running: npm start\. [^\n]+\n$/);
  }
  gone.close();
  assert.deepEqual(calls, []);
});
