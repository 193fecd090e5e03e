import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { beforeEach, describe, test } from "@jest/globals";
import { stageOrder } from "../../../test/support/service/integratorStage.ts";
import { deletionOf, type Row } from "../../../test/support/sync/mirror.ts";
import type { Tables } from "./support/command.ts";
import {
  assertCopied,
  assertRuns,
  client,
  command,
  copy,
  environment,
  expectedTables,
  proxy,
  recordsOf,
  stage,
} from "./support/copiedStage.ts";

const formats = ["duckdb", "sqlite", "parquet", "csv"];

await stage.put(...recordsOf(1_001, "first"), ...recordsOf(1_002, "second"));

beforeEach(() => {
  proxy.state.edits = {};
});

async function assertFails(target: string, message: RegExp, code: number, ...options: string[]): Promise<void> {
  const ended = await copy(target, ...options);
  assert.match(ended.lastLine, message);
  assert.equal(ended.code, code);
  assert.ok(!(ended.stdout + ended.stderr).includes(stage.apiKey));
}

for (const format of formats) {
  describe(`ticketing copy into .${format}`, () => {
    test(`copies every value, and later only what changed`, async () => {
      const target = `all.${format}`;
      const before = await client.rows("/v1/changes");
      assert.equal(await assertRuns(target), before.length);
      await assertCopied(target, await expectedTables());
      const id = 2_000 + formats.indexOf(format);
      await stage.put(...recordsOf(id, "new"), ...recordsOf(1_002, `changed ${format}`));
      await stage.remove(...recordsOf(2_000 + formats.indexOf(format) - 1, "new").map(deletionOf));
      assert.equal(await assertRuns(target), 3 * recordsOf(1, "").length);
      await assertCopied(target, await expectedTables());
    });

    test(`gives a new type, field and nested field of the API a table and columns`, async () => {
      const target = `grown.${format}`;
      proxy.state.edits.edit = asEarlier;
      await assertRuns(target);
      assert.ok(!("payment" in (await command.read(target))));
      proxy.state.edits = {};
      const id = 3_100 + formats.indexOf(format);
      await stage.put(...recordsOf(id, "grown"));
      await assertRuns(target);
      const only = (tables: Tables) =>
        Object.fromEntries(
          Object.entries(tables).map(([type, rows]) => [type, rows.filter((row) => Number(row.id) === id)]),
        );
      await assertCopied(target, only(await expectedTables()), only);
    });
  });
}

describe("ticketing copy", () => {
  test("sends one request if nothing is new", async () => {
    await assertRuns("idle.duckdb");
    proxy.state.paths.length = 0;
    assert.equal(await assertRuns("idle.duckdb"), 0);
    assert.deepEqual(proxy.state.paths, ["/v1/changes"]);
  });

  test("copies only the chosen types, also in later runs, and refuses others", async () => {
    await assertRuns("chosen.duckdb", "--types", "ticket,order");
    await stage.put(stageOrder(3_001));
    assert.equal(await assertRuns("chosen.duckdb"), 1);
    const { order = [], ticket = [] } = await expectedTables();
    await assertCopied("chosen.duckdb", { order, ticket });
    await assertFails("chosen.duckdb", /^chosen\.duckdb contains the types order,ticket\. /, 2, "--types", "order");
    await assertFails("wrong.duckdb", /^orders is not a type\. The types are event, /, 2, "--types", "orders");
  });

  test("ends with a sentence and code 2 for wrong arguments, a missing or unknown key, and another program's file", async () => {
    await promisify(execFile)(
      command.python,
      ["-c", "import sqlite3; sqlite3.connect('other.sqlite').execute('CREATE TABLE t (a)')"],
      { cwd: command.directory },
    );
    await assertFails("other.sqlite", /^other\.sqlite is not a copy by this command\. /, 2);
    await assertFails("copy.xlsx", /^TARGET must end with \.duckdb, /, 2);
    await assertFails("missing/copy.duckdb", /^Create the folder missing first\./, 2);
    const run = (variables: Record<string, string>) => command.run(["copy", "keys.duckdb"], variables);
    const { BASE_URL } = environment;
    for (const [variables, message] of [
      [{}, /Set BASE_URL /],
      [{ BASE_URL }, /Set API_KEY /],
      [{ BASE_URL, API_KEY: `${stage.apiKey.slice(0, -1)}_` }, /^The service does not accept the API key\. /],
      [{ BASE_URL, API_KEY: "tsk_secret\n\n!" }, /^The API key contains invalid characters\./],
    ] as const) {
      const { code, stderr } = await run(variables);
      assert.match(stderr, message);
      assert.equal(code, 2);
      assert.ok(!/secret|Traceback/.test(stderr));
    }
  });
});

interface Attendee {
  answers: Record<string, unknown>[];
}

/** Changes a response to one of an earlier version of the API, without payments, the currency of events, and the questions of attendees. */
function asEarlier(path: string, body: Record<string, unknown>): void {
  if (path === "/openapi/types.json") {
    const { event, attendee } = body as Record<string, Record<string, string>>;
    delete body.payment;
    delete event?.currency;
    if (attendee?.answers) attendee.answers = attendee.answers.replace(", question string", "");
  }
  if (path !== "/v1/changes") return;
  const rows = (body.data as Row[]).filter(({ type }) => type !== "payment");
  for (const { type, data } of rows) {
    if (type === "event") delete data?.currency;
    if (type === "attendee")
      for (const answer of (data as unknown as Attendee | null)?.answers ?? []) delete answer.question;
  }
  body.data = rows;
}
