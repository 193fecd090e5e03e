import assert from "node:assert/strict";
import { exec } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, describe, expect, test } from "@jest/globals";
import * as z from "zod";
import { recordItem, tombstone } from "../../functions/records/recordItem.ts";
import { upsertRecord } from "../../functions/records/upsertRecord.ts";
import { changingTypes } from "../../functions/resources/index.ts";
import { Record as InputRecord } from "../../functions/resources/record.ts";
import { openTable } from "../../functions/table/table.ts";
import { demoRecords } from "../../local/demo/demoRecords.ts";
import { useLocalTable } from "../../local/localService.ts";
import { clientOf } from "../support/http/client.ts";
import { startChildService } from "../support/service/childService.ts";
import { until } from "../support/service/until.ts";
import { deletionOf } from "../support/sync/mirror.ts";
import { temporaryDirectory } from "../support/temporaryDirectory.ts";
import { faultyProxy } from "./faultyProxy.ts";
import { integratorEnvironment } from "./guideExamples.ts";
import { airbyteSync, readers } from "./pipelineReaders.ts";

const inShell = promisify(exec);
const { description } = await startChildService();
useLocalTable(description.dynamodb_endpoint, description.table_name);
const proxy = await faultyProxy(description.base_url);
const [organisation = assert.fail()] = description.organisations;
const apiKey = organisation.keys[0]?.key ?? "";
const client = clientOf(description.base_url, apiKey);

const guide = await readFile(new URL("../../docs/integrators/guides/tables-and-pipelines.md", import.meta.url), "utf8");

/** The guide's examples by file. */
const examples = new Map(
  [...guide.matchAll(/^Save this as `(\S+)`.*?\brun (.+)\.\n\n```python\n([\s\S]*?)^```$/gm)].map(
    ([, file = "", run = "", code = ""]) => {
      const [install = "", command = ""] = [...run.matchAll(/`([^`]+)`/g)].map(([, text = ""]) => text);
      return [file, { install, command, code }];
    },
  ),
);

/** The guide's first command, and the results that its table names. */
const [, copyCommand = assert.fail("The guide should begin with a command.")] =
  /^```sh\n(uvx .+)\n```$/m.exec(guide) ?? [];
const targets = [...guide.matchAll(/^\| `(tickets\.\w+)` \|/gm)].map(([, target = ""]) => target);

/** The checks have uv, which takes seconds where pip takes minutes. */
const pip = process.env.uv === undefined ? "pip " : `'${process.env.uv}/bin/uv' pip `;

/** A folder with a Python environment of its own. */
async function environment(...installs: string[]) {
  const directory = temporaryDirectory();
  const run = async (command: string) => {
    const uv = process.env.uv === undefined ? [] : [join(process.env.uv, "bin")];
    const PATH = [join(directory, ".venv/bin"), ...uv, integratorEnvironment.PATH].join(delimiter);
    // Otherwise the tools send telemetry.
    const quiet = { RUNTIME__DLTHUB_TELEMETRY: "false", DO_NOT_TRACK: "true", VIRTUAL_ENV: join(directory, ".venv") };
    const env = { ...integratorEnvironment, PATH, BASE_URL: proxy.baseUrl, API_KEY: apiKey, ...quiet };
    return (await inShell(command, { cwd: directory, env, maxBuffer: 2 ** 28 })).stdout;
  };
  await run("python3 -m venv .venv");
  for (const install of installs) await run(install.replace(/^pip /, pip));
  return { directory, run };
}

const [airbyteInstall = ""] = /pip install airbyte-cdk==[\d.]+/.exec(guide) ?? [];
const [shared, airbyte] = await Promise.all([
  environment(
    "pip install duckdb==2.0.1 polars==2.1.0 pyarrow==26.0.1 pandas==3.1.1",
    ...[...examples.values()].map(({ install }) => install),
  ),
  environment(airbyteInstall),
]);
for (const [file, { code }] of examples) await writeFile(join(shared.directory, file), code);
await writeFile(join(shared.directory, "state.json"), "{}");
await writeFile(join(airbyte.directory, "sync.py"), airbyteSync);

/** The commands of a tool's run, in its environment, and what reads its copy afterwards. */
const tools = [
  {
    name: "ticketing copy",
    place: shared,
    copies: ["duckdb", "sqlite", "polars", "pyarrow", "pandas", "duckdbCsv", "polarsCsv", "pandasCsv"],
  },
  { name: "copy_dlt.py", place: shared, copies: ["dlt"] },
  { name: "tap.py", place: shared, copies: ["singer"] },
  { name: "Airbyte", place: airbyte, copies: ["airbyte"] },
] as const;
type Tool = (typeof tools)[number];

async function sync({ name, place }: Tool, run: "first" | "second"): Promise<void> {
  if (name === "ticketing copy") {
    assert.equal(targets.length, 4);
    for (const target of targets) await place.run(copyCommand.replace("tickets.duckdb", target));
    return;
  }
  const output = await place.run(examples.get(name)?.command ?? "python3 sync.py");
  if (place === airbyte || name === "tap.py") await writeFile(join(place.directory, `${run}.jsonl`), output);
  if (name !== "tap.py") return;
  const states = output.split("\n").filter((line) => line.startsWith('{"type":"STATE"'));
  await writeFile(join(place.directory, "state.json"), JSON.stringify(JSON.parse(states.at(-1) ?? "").value));
}

type Rows = Record<string, Record<string, unknown>[]>;
const Rows = z.record(z.string(), z.array(z.record(z.string(), z.unknown())));

/** The rows that plain reads return. */
async function expectedRows(): Promise<Rows> {
  const changes = (await client.rows("/v1/changes")).filter(({ change }) => change === "upserted");
  const rowOf = ({ data, ...row }: Record<string, unknown>) => {
    const beside = row.type === "ticket_category" ? { event_id: row.event_id } : {};
    return { ...beside, ...Object(data) };
  };
  return Object.fromEntries(changingTypes.map((type) => [type, changes.filter((row) => row.type === type).map(rowOf)]));
}

/** The same fields as an expected row. SQLite has 0 and 1 for booleans, and Airbyte leaves out nulls. */
function comparable(row: Record<string, unknown>, expected: Record<string, unknown>) {
  const fields = Object.entries(expected).map(([name, value]) => {
    const actual = row[name] ?? null;
    return [name, typeof value === "boolean" && typeof actual === "number" ? actual === 1 : actual];
  });
  return Object.fromEntries(fields);
}

/** A row as a library reads it: the guide says that pandas reads an empty text in CSV as null. */
function readBy(copy: string, row: Record<string, unknown>): Record<string, unknown> {
  if (copy !== "pandasCsv") return row;
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, value === "" ? null : value]));
}

async function assertCopied({ name, place, copies }: Tool): Promise<void> {
  const expected = await expectedRows();
  // In one process, because each would import the libraries again.
  const programs = copies.map((copy) => `exec(${JSON.stringify(readers[copy])}, {})\n`);
  await writeFile(join(place.directory, "read.py"), programs.join(""));
  const printed = (await place.run(`python3 read.py ${changingTypes.join(" ")}`)).trim().split("\n");
  for (const [index, copy] of copies.entries()) {
    const actual = Rows.parse(JSON.parse(printed[index] ?? ""));
    for (const [type, rows] of Object.entries(expected)) {
      const byId = new Map(actual[type]?.map((row) => [row.id, row]));
      assert.equal(actual[type]?.length, rows.length, `${name}, ${copy}: ${type}`);
      for (const row of rows) expect(comparable(byId.get(row.id) ?? {}, row)).toEqual(readBy(copy, row));
    }
  }
}

const Errors = z.array(z.object({ failure_type: z.string() }));

async function changeAndDelete(): Promise<void> {
  const records = demoRecords().filter(({ organisation_id }) => organisation_id === 1);
  const discount = records.findLast(({ type }) => type === "discount") ?? assert.fail();
  const ticket = records.findLast(({ type }) => type === "ticket") ?? assert.fail();
  const changed = InputRecord.parse({ ...discount, data: { ...discount.data, percent: 7.25, code: "0012" } });
  await upsertRecord(openTable(), recordItem(changed));
  await upsertRecord(openTable(), tombstone(deletionOf(ticket)));
  await until(async () => {
    const rows = await client.rows("/v1/changes?types=ticket,discount");
    return rows.some(({ change }) => change === "deleted") && JSON.stringify(rows).includes("7.25");
  });
}

for (const tool of tools) {
  test(`${tool.name} copies every value, in spite of 429 and 503`, async () => {
    await sync(tool, "first");
    await assertCopied(tool);
  });
}

describe("after a change and a deletion", () => {
  beforeAll(changeAndDelete);

  for (const tool of tools) {
    test(`the second run of ${tool.name} leaves no difference, in spite of 429 and 503`, async () => {
      await sync(tool, "second");
      await assertCopied(tool);
    });
  }
});

test("Airbyte reports 410 as an error of the configuration, without repeating the request", async () => {
  proxy.state.changesStatus = 410;
  const before = proxy.state.changes;
  const errors = await airbyte.run("python3 sync.py").then(
    () => assert.fail("Airbyte should fail."),
    (error: { stderr: string }) => Errors.parse(JSON.parse(error.stderr)),
  );
  assert.deepEqual(new Set(errors.map(({ failure_type }) => failure_type)), new Set(["config_error"]));
  assert.equal(proxy.state.changes - before, changingTypes.length);
});
