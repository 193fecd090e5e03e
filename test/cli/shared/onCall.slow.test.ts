import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, test } from "@jest/globals";
import { commands } from "../../../cli/ops.ts";
import { useLocalTable } from "../../../local/localService.ts";
import { startLocalQueues } from "../../../local/queues.ts";
import { eventRecord } from "../../support/data/records.ts";
import { dumpItems } from "../../support/data/table.ts";
import { useTestTable } from "../../support/data/testTable.ts";
import { temporaryDirectory } from "../../support/temporaryDirectory.ts";
import { fill, putWebhook } from "../support/organisationContents.ts";
import { describeService, runProgram } from "../support/runProgram.ts";

const pages = ["commands", "runbook", "recovery", "feed", "webhooks"];

/** The commands in a page's code, without what comes before or after them, and without mere names. */
function commandsOf(page: string, code: RegExp): string[] {
  return [...readFileSync(`docs/operators/${page}.md`, "utf8").matchAll(code)]
    .flatMap(([found]) => found.match(/npm run ops -- [^`#|\n]*[^`#|\s]/g) ?? [])
    .filter((command) => !Object.hasOwn(commands, command.replace("npm run ops -- ", "")));
}
const fenced = /^ *```sh$[\s\S]*?^ *```$/gm;
const anyCode = /^ *```sh$[\s\S]*?^ *```$|`npm run [^`\n]+`/gm;

const directory = temporaryDirectory();
let queues: Awaited<ReturnType<typeof startLocalQueues>>;
let placeholders: Record<string, string> = {};
let key = "";

/** Runs a command in a directory in which the local service runs. */
function type(command: string, more: string[] = [], environment: NodeJS.ProcessEnv = {}) {
  const [, , , , ...words] = command.match(/"[^"]*"|\S+/g) ?? [];
  const args = words.map((word) => placeholders[word] ?? word.replaceAll('"', ""));
  return runProgram("", [...args, ...more], { cwd: directory, stdin: key, environment });
}

beforeAll(async () => {
  const other = await useTestTable();
  await fill(1842);
  const { endpoint, tableName } = await useTestTable();
  key = await fill(1842);
  const webhook = await putWebhook(1842);
  queues = await startLocalQueues();
  const letter = queues.deadLetters.send(JSON.stringify(eventRecord(1842, 1)), { attributes: { reason: "Wrong." } });
  placeholders = {
    tsk_4fQ9wLxT: key.slice(0, 12),
    "0mi7c1q2k5f0c2a9d1e4b": webhook.id,
    ID: letter.id,
    "108427526232226": await paymentId(),
    "90211": "1",
    NEW: other.tableName,
  };
  const local = { dynamodb_endpoint: endpoint, table_name: tableName, feed_queue_url: queues.queueUrl };
  await describeService(directory, local);
  useLocalTable(endpoint, tableName);
});
afterAll(() => queues.stop());

async function paymentId(): Promise<string> {
  const ids = (await dumpItems()).map(({ PK }) => /#BALANCEPAYMENT#(\d+)$/.exec(String(PK))?.[1]);
  return ids.find((id) => id !== undefined) ?? "";
}

/** The local service cannot restore a table, and only the feed has dead letters there. */
const isLocal = (command: string) => !/table restore|--queue (?!feed)|-- feed /.test(command);

test("the commands of the page for people on call run as printed", async () => {
  const exported = await type("npm run ops -- organisation export --organisation 1842 --actor Grace");
  assert.equal(exported.code, 0, exported.stderr);
  const printed = commandsOf("commands", fenced).filter(isLocal);
  assert.ok(printed.length >= 12);
  for (const command of printed) {
    const { code, stderr } = await type(command.replace(/ --stage \w+/, ""), ["--dry-run"]);
    assert.deepEqual([command, code, stderr], [command, 0, ""]);
  }
});

test("every command of the on-call pages has the options that it requires, and no unknown ones", async () => {
  const printed = pages.flatMap((page) => commandsOf(page, anyCode));
  assert.ok(printed.length > 30);
  placeholders = { ID: "1842" };
  // Nothing listens there: a command that accepts its options ends at its first request.
  const environment = { AWS_ENDPOINT_URL_CLOUDFORMATION: "http://127.0.0.1:1", AWS_REGION: "local" };
  for (const command of printed) {
    const { stderr } = await type(command.replace(/(?<=--stage )STAGE/, "dev"), [], environment);
    assert.doesNotMatch(stderr, /See npm run .* --help\.$|^Unknown command/m, command);
  }
});

test("a command for a stage says in one line that no region is set", async () => {
  const environment = { AWS_REGION: undefined, AWS_CONFIG_FILE: "missing", AWS_SHARED_CREDENTIALS_FILE: "missing" };
  const { code, stderr } = await type("npm run ops -- webhooks wake --stage dev", [], environment);
  assert.deepEqual([code, stderr], [2, "No AWS region is set. Set AWS_REGION.\n"]);
});
