import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, test } from "@jest/globals";
import { commands } from "../../cli/ops.ts";
import { useLocalCredentials } from "../../local/localService.ts";
import { startLocalQueues } from "../../local/queues.ts";
import { faults, startFaultyProxy } from "../support/data/faultyProxy.ts";
import { eventRecord } from "../support/data/records.ts";
import { dumpItems } from "../support/data/table.ts";
import { useTestTable } from "../support/data/testTable.ts";
import { temporaryDirectory } from "../support/temporaryDirectory.ts";
import { fill, putWebhook } from "./support/organisationContents.ts";
import { atTable, describeService, runProgram } from "./support/runProgram.ts";

/*
 * The promises of every command: it refuses wrong input in one line, a dry run changes nothing, and the audit says who did what.
 */

const directory = temporaryDirectory();
let queues: Awaited<ReturnType<typeof startLocalQueues>>;
beforeAll(async () => {
  useLocalCredentials();
  queues = await startLocalQueues();
  writeFileSync(join(directory, "records"), `${JSON.stringify(eventRecord(1, 1))}\n`);
});
afterAll(() => queues.stop());
beforeEach(async () => {
  await useTestTable();
  queues.deadLetters.purge();
});

const run = (name: string, args: readonly string[], stdin = "") =>
  runProgram(name, [...args], { cwd: directory, stdin });

async function assertRefused(name: string, args: readonly string[], problem: RegExp): Promise<void> {
  const { code, stdout, stderr } = await run(name, args);
  assert.deepEqual([name, args, code, stdout], [name, args, 2, ""]);
  assert.match(stderr, problem);
  assert.match(stderr, /^[^\n]+\n$/);
}

describe("no command repeats, wherever it is mistyped,", () => {
  test.each([
    ["an API key", "tsk_4fQ9wLxTq7Rk2Vb8Nc3Md6Hs1Jf5Gp0Yz"],
    ["a signing secret", "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD"],
    ["an ID token", "eyJraWQiOiJhYmMiLCJhbGciOiJSUzI1NiJ9.eyJzdWIiOiIwYzFmNmQwZSJ9.c2lnbmF0dXJl"],
    ["the hash of an API key", "9a480b9c0b77941f215db358bb332be55e205768a55a56f43232d8b912565e3c"],
  ])("%s", async (_, secret) => {
    for (const name of Object.keys(commands)) {
      const { stdout: help } = await run(name, ["--help"]);
      const options = [...help.matchAll(/^ {2}--([a-z-]+) /gm)].map(([, one]) => `--${one}`);
      const mistyped = [[secret], [`--${secret}`], [`-${secret}`], [secret, secret]];
      for (const one of options) mistyped.push([one, secret], [`${one}=${secret}`], [`${one}${secret}`]);
      for (const args of mistyped) {
        const { code, stdout, stderr } = await run(name, args);
        assert.deepEqual([name, code, stdout], [name, 2, ""], stderr);
        assert.match(stderr, /^[^\n]+\n$/, name);
        assert.ok(!stderr.includes(secret.slice(6, 14)), `${name}: ${stderr}`);
      }
    }
  });
});

const erase = ["--organisation", "1", "--actor", "Grace"];
const restore = [...erase, "--from-table", "a"];
const window = ["--changed-from", "2026-01-01", "--changed-to"];
const audited = ["--queue-url", "http://127.0.0.1:9/0/feed", "--table", "tickets"];

const refusals: Record<string, [args: string[], problem: RegExp][]> = {
  feed: [
    [["records"], /^The local service is not running: npm start\. Or name a stage in AWS/],
    [["records", "--queue-url", "feed"], /^--queue-url must be an http or https URL\.$/m],
    [["missing", "--queue-url", "http://127.0.0.1:9/0/feed"], /^The file is unreadable: it does not exist\.$/m],
    [[], /^Give one FILE, or - for standard input\. See npm run ops -- feed --help\.$/m],
  ],
  import: [
    [["records"], /^The local service is not running: npm start\./],
    [
      ["records", "--endpoint", "http://127.0.0.1:9"],
      /^The local service is not running: npm start\. Or name the table/,
    ],
    [["records", "--endpoint", "nowhere", "--table", "t"], /^--endpoint must be an http or https URL\.$/m],
    [["records", "--endpoint", "http://127.0.0.1:9", "--table", "t"], /^Cannot use table t at \S+: ECONNREFUSED: /],
    [["records", "records"], /^Give one FILE/],
  ],
  "dead-letters": [
    [["--message", "x"], /^--message requires --drop-to FILE\. /],
    [["--move", "--drop-to", "x", "--actor", "Grace"], /^Give either --move or --drop-to FILE\. /],
    [["--move"], /^--actor is missing\. /],
    [["--queue", "payments"], /^--queue must be one of feed, import, table-stream, events, usage, backups\. /],
    [
      ["--queue", "usage", "--move", "--actor", "Grace"],
      /^The dead letters of usage only report .+ --drop-to FILE\.$/m,
    ],
    [["--queue", "usage"], /^The dead letters of usage require --stage NAME, without --queue-url\.$/m],
    [["--queue", "import"], /^The local service has no queue of imports\. /],
    [audited.slice(0, 2), /^--queue-url requires --table NAME, for the audit\. /],
    [[...audited, "--stage", "dev"], /^Queue \S+ does not belong to the stage dev\. Nothing was changed\.$/m],
    [audited, /^Cannot use queue \S+: ECONNREFUSED: /],
  ],
  "organisation export": [
    [["--actor", "Grace"], /^--organisation is missing\. /],
    [["--organisation", "1", "--actor", "\n"], /^--actor must be a name of 1 to 100 characters\. /],
    [["--organisation", "1"], /^--actor is missing\. /],
  ],
  "organisation erase": [
    [erase, /^Repeat the id with --confirm ID/],
    [[...erase, "--confirm", "10"], /^Repeat the id with --confirm ID/],
    [["--organisation", "1", "--confirm", "1"], /^--actor is missing\. /],
    [["--dry-run"], /^--organisation is missing\. /],
    [[...erase, "--confirm", "1", "--settle", "soon"], /^--settle must be a number of seconds/],
  ],
  "organisation restore": [
    [erase, /^Give either --from-table NAME or --from-export FILE\. /],
    [[...restore, "--from-export", "b"], /^Give either/],
    [["--organisation", "1", "--from-table", "a"], /^--actor is missing\. /],
    [restore.slice(2), /^Give either --organisation ID or, with --replace, --all\. /],
    [[...restore, "--replace"], /^--replace requires .* --changed-from TIME and --changed-to TIME, a past window\. /],
    [[...restore, "--replace", ...window, "2126-01-01"], /^--replace requires .* a past window\. /],
    [[...erase, "--from-export", "b", "--replace", ...window, "2026-01-02"], /^--replace requires --from-table NAME/],
    [[...restore, "--delete-new"], /^--all, --delete-new, --changed-from and --changed-to require --replace\. /],
  ],
  "person blank": [[["--organisation", "1"], /Name --payments ID,\.\.\. or --orders ID,/]],
  "organisation suspend": [
    [["--organisation", "0", "--actor", "Grace"], /^--organisation must be an id\. /],
    [["--organisation", "1"], /^--actor is missing\. /],
    [
      [...erase, "--table", "ticketing-prod-x", "--stage", "dev"],
      /^Table ticketing-prod-x belongs to the stage prod, not to dev\. Nothing was changed\.$/m,
    ],
  ],
  "key revoke": [
    [["--actor", "Grace"], /^Give one of --key ID, --prefix PREFIX and --secret\. /],
    [["--key", "7", "--actor", "Grace"], /^--key must be the id of a key\. /],
    [["--prefix", "tsk_4fQ9wLxT"], /^--actor is missing\. /],
  ],
  "webhook pause": [
    [["--organisation", "1", "--actor", "Grace"], /^--webhook is missing\. /],
    [["--organisation", "1", "--webhook", "all", "--actor", "Grace"], /^--webhook must be the id of a webhook\. /],
    [["--organisation", "1", "--webhook", "0mi7c1q2k5f0c2a9d1e4b"], /^--actor is missing\. /],
  ],
  "webhooks wake": [[["--organisation", "all"], /^--organisation must be an id\. /]],
  "table restore": [
    [["--table", "tickets"], /^--to is missing\. /],
    [["--table", "tickets", "--to", "2026-03-01T24:00:00"], /^--to: Hours are 00 to 23\./],
    [["--to", "2026-03-01T02:00:00Z"], /^Name a stage in AWS with --stage NAME\. /],
    [
      ["--table", "ticketing-prod-x", "--to", "2026-03-01"],
      /^Table ticketing-prod-x belongs to the stage prod, which --st/,
    ],
    [
      ["--table", "tickets", "--stage", "dev", "--to", "2026-03-01"],
      /^Table tickets does not belong to the stage dev\./,
    ],
  ],
  "table adopt": [
    [["--table", "tickets", "--stage", "dev"], /^--actor is missing\. /],
    [["--table", "tickets", "--actor", "Grace"], /^Name a stage in AWS with --stage NAME\. /],
  ],
  "table check": [
    [["--organisation", "all"], /^--organisation must be an id\. /],
    [[], /^The local service is not running: npm start\./],
  ],
  "summaries rebuild": [
    [[], /^Give either --organisation ID or --all\. /],
    [["--all", "--organisation", "1"], /^Give either --organisation ID or --all\. /],
  ],
  "super-admin add": [
    [[], /^--user-pool is missing\. --email must be an email address\. --organisation is missing\. /],
    [["--user-pool", "https://example.org"], /^--user-pool must be an id like eu-west-1_aBcDeFgHi\. /],
    [["--organisation-name", "a".repeat(201)], /--organisation-name must have 1 to 200 characters\. /],
  ],
  "stage check": [[[], /^--stage is missing\. /]],
  smoke: [
    [[], /^Give either --stage NAME or --base-url URL\.$/m],
    [
      ["--base-url", "http://127.0.0.1:9"],
      /^Set the environment variable SMOKE_KEY to an API key of the stage, or add --new/,
    ],
    [["--base-url", "example"], /^--base-url must be the stage's URL\. /],
    [["--base-url", "http://127.0.0.1:9", "--timeout", "0"], /^--timeout must be positive\. /],
  ],
  openapi: [[[], /^Give one FILE\. /]],
};

describe("in one line, with exit code 2, wrong input is refused", () => {
  test.each(Object.keys(commands))("by %s", async (name) => {
    await assertRefused(
      name,
      ["--colour", "red"],
      /^Unknown option '--colour'\. See npm run ops -- [a-z -]+ --help\.$/m,
    );
    assert.ok(refusals[name], "The table lacks the command.");
    for (const [args, problem] of refusals[name]) await assertRefused(name, args, problem);
  });
});

test("a command whose local service stops meanwhile ends with the sentence that it is not running", async () => {
  const { endpoint, tableName } = await useTestTable();
  /** @param answered the number of calls before the service stops. */
  const stopping = async (target: string, answered: number) => {
    const proxy = await startFaultyProxy(target);
    proxy.faultOf = () => {
      if (proxy.calls.length <= answered) return undefined;
      void proxy.close();
      return faults["closing connections"];
    };
    return proxy.url;
  };
  const runStopped = async (name: string, args: string[] = []) => {
    const cwd = temporaryDirectory();
    const { origin, pathname } = new URL(queues.queueUrl);
    const queue = await stopping(origin, 0);
    // A command first tests that the table is readable.
    const table = { dynamodb_endpoint: await stopping(endpoint, 1), table_name: tableName };
    await describeService(cwd, { ...table, feed_queue_url: `${queue}${pathname}` });
    const { code, stderr } = await runProgram(name, args, { cwd, asProcess: true });
    assert.deepEqual([name, code, stderr], [name, 2, "The local service is not running: npm start.\n"]);
  };
  const file = join(directory, "records");
  const runs = [runStopped("import", [file]), runStopped("feed", [file]), runStopped("dead-letters")];
  await Promise.all([...runs, runStopped("webhooks wake"), runStopped("table check")]);
});

/** The options of a run that changes something, by command. */
const changing = (): Record<string, string[]> => ({
  import: ["records"],
  "dead-letters": ["--move", "--queue-url", queues.queueUrl, "--actor", "Grace"],
  "organisation erase": [...erase, "--confirm", "1", "--settle", "0"],
  "organisation restore": [...erase, "--from-export", "organisation-1.ndjson"],
  "organisation suspend": erase,
  "key revoke": ["--prefix", prefix, "--organisation", "1", "--actor", "Grace"],
  "webhook pause": ["--organisation", "1", "--webhook", webhook, "--actor", "Grace"],
  "webhooks wake": [],
  "person blank": ["--organisation", "1", "--orders", "1", "--actor", "Grace"],
  "table adopt": ["--actor", "Grace"],
});
let prefix = "";
let webhook = "";

test("a dry run of any command changes nothing and says so", async () => {
  prefix = (await fill(1)).slice(0, 12);
  webhook = (await putWebhook(1)).id;
  await run("organisation export", [...erase, ...atTable()]);
  queues.deadLetters.send(JSON.stringify(eventRecord(1, 1)));
  const before = await dumpItems();
  for (const [name, args] of Object.entries(changing())) {
    const { code, stdout, stderr } = await run(name, [...args, "--dry-run", ...atTable()]);
    assert.deepEqual([name, code, stderr], [name, 0, ""]);
    assert.match(stdout, /Nothing was (changed|written)\.\n$/);
    assert.deepEqual(await dumpItems(), before, name);
  }
  assert.deepEqual(queues.deadLetters.counts(), { visible: 1, received: 0 });
  for (const name of Object.keys(commands))
    if (/^ {2}--dry-run /m.test((await run(name, ["--help"])).stdout) && name !== "table restore")
      assert.ok(name in changing(), name);
});

test("table adopt changes nothing at a database without backups", async () => {
  await fill(1);
  const before = await dumpItems();
  const { code, stderr } = await run("table adopt", ["--actor", "Grace", ...atTable()]);
  assert.deepEqual([code, await dumpItems()], [2, before]);
  assert.match(stderr, /^This database has no backups, .* Nothing was changed\.$/m);
});

test("the audit has the start, end and actor of each command on an organisation or on dead letters", async () => {
  await fill(1);
  const drop = ["--drop-to", "dropped", "--queue-url", queues.queueUrl, "--actor", "Grace"];
  for (const [name, args] of [
    ["organisation export", erase],
    ["organisation suspend", erase],
    ["organisation suspend", [...erase, "--resume"]],
    ["organisation erase", changing()["organisation erase"]],
    ["organisation restore", changing()["organisation restore"]],
    ["dead-letters", changing()["dead-letters"]],
    ["dead-letters", drop],
  ] as const) {
    const { code, stderr } = await run(name, [...(args ?? []), ...atTable()]);
    assert.deepEqual([name, code, stderr], [name, 0, ""]);
  }
  const audit = (await dumpItems()).filter(({ PK }) => PK === "AUDIT#organisations");
  const actions = ["export", "suspension", "resumption", "erasure", "restoration", "redrive", "drop"];
  assert.deepEqual(
    audit.map(({ action, state, actor, organisation_id }) => [action, state, actor, organisation_id]),
    actions.flatMap((action) =>
      ["started", "completed"].map((state) => [action, state, "Grace", /redrive|drop/.test(action) ? null : 1]),
    ),
  );
  for (const [index, { run_id, counts }] of audit.entries()) {
    assert.equal(run_id, audit[index - (index % 2)]?.run_id);
    assert.equal(counts === null, index % 2 === 0);
  }
});
