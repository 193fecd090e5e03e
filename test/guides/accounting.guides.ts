import assert from "node:assert/strict";
import { exec } from "node:child_process";
import { cp, readdir, readFile, writeFile } from "node:fs/promises";
import { delimiter, join, resolve } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "@jest/globals";
import * as z from "zod";
import { recordItem, tombstone } from "../../functions/records/recordItem.ts";
import { upsertRecord } from "../../functions/records/upsertRecord.ts";
import { Record as InputRecord } from "../../functions/resources/record.ts";
import { openTable } from "../../functions/table/table.ts";
import { demoRecords } from "../../local/demo/demoRecords.ts";
import { useLocalTable } from "../../local/localService.ts";
import { clientOf } from "../support/http/client.ts";
import { cases } from "../support/jest/cases.ts";
import { startChildService } from "../support/service/childService.ts";
import { until } from "../support/service/until.ts";
import { deletionOf } from "../support/sync/mirror.ts";
import { temporaryDirectory } from "../support/temporaryDirectory.ts";
import { integratorEnvironment } from "./guideExamples.ts";

const inShell = promisify(exec);
const { description } = await startChildService();
useLocalTable(description.dynamodb_endpoint, description.table_name);
const [organisation = assert.fail()] = description.organisations;
const apiKey = organisation.keys[0]?.key ?? "";
const client = clientOf(description.base_url, apiKey);

const guide = await readFile(new URL("../../docs/integrators/guides/accounting.md", import.meta.url), "utf8");
const [, copyCommand = ""] = /^```sh\n(uvx .+)\npython3 close\.py/m.exec(guide) ?? [];
const [, program = ""] = /^```python\n([\s\S]*?)^```$/m.exec(guide) ?? [];
assert.ok(copyCommand && program, "The guide should have the command and the program.");

const directory = temporaryDirectory();
const uv = join(process.env.uv ?? "/usr", "bin");
const PATH = [join(directory, ".venv/bin"), uv, integratorEnvironment.PATH].join(delimiter);
const ownVariables = { PATH, VIRTUAL_ENV: join(directory, ".venv"), TZ: "Pacific/Chatham" };

async function run(command: string, cwd = directory, variables: NodeJS.ProcessEnv = {}) {
  const env = {
    ...integratorEnvironment,
    ...ownVariables,
    BASE_URL: description.base_url,
    API_KEY: apiKey,
    ...variables,
  };
  return (await inShell(command, { cwd, env, maxBuffer: 2 ** 28 })).stdout;
}

await run("python3 -m venv .venv && uv pip install --quiet duckdb==2.0.1 beancount==3.2.0 tzdata==2026.3");
await writeFile(join(directory, "close.py"), program);
const independent = resolve(import.meta.dirname, "closedMonths.py");
const demo = resolve(import.meta.dirname, "../../local/demo/records.ndjson");
await run(copyCommand);

/** A copy with nothing closed. */
async function emptyBooks(): Promise<string> {
  const books = temporaryDirectory();
  for (const file of ["close.py", "tickets.sqlite"]) await cp(join(directory, file), join(books, file));
  return books;
}

const Comparison = z.object({ compared: z.int(), differing: z.array(z.int()) });

async function compare(books: string, ...options: string[]) {
  return Comparison.parse(JSON.parse(await run(`python '${independent}' compare ${options.join(" ")}`, books)));
}

const months = ["2026-07", "2026-08", "2026-09", "2026-10", "2026-11"];

async function closeDemo(zone: string): Promise<string> {
  const books = await emptyBooks();
  for (const month of months) await run(`python close.py ${month} ${zone}`, books);
  return books;
}

test.each(["Europe/London", "America/New_York"])(
  "the demo's months close in %s as an independent computation closes them",
  async (zone) => {
    const { compared, differing } = await compare(await closeDemo(zone), `'${demo}'`, "1", zone);
    expect(differing).toEqual([]);
    assert.ok(compared > 10);
  },
);

test.each([
  { wrong: "utc", way: "UTC's days", ids: [500139, 500140] },
  { wrong: "inner", way: "an inner join to orders", ids: [500122, 500143] },
])("the demo's payments show the mistake of $way", async ({ wrong, ids }) => {
  const { differing } = await compare(await closeDemo("Europe/London"), `'${demo}'`, "1", "Europe/London", wrong);
  expect(differing).toEqual(expect.arrayContaining(ids));
});

test("the demo's months agree with the summaries, and name payments that no month has", async () => {
  const printed = await run("python close.py 2026-10 Europe/London", await emptyBooks());
  expect(printed).toContain("Differences from the summaries of these events: none");
  expect(printed).toMatch(/without date_completed, so in no month: 1\n.*500142/);
});

test("the demo's summaries show the mistake of gross less discount_total", async () => {
  const other = clientOf(description.base_url, description.organisations[1]?.keys[0]?.key ?? "");
  const summary = Object(await other.json("/v1/events/1068/summary"));
  expect(summary.gross - summary.discount_total).toBeLessThan(0);
  expect(summary.sales_total).toBeGreaterThan(0);
});

test("beancount and hledger read the journal with the sums of the days", async () => {
  const books = await closeDemo("Europe/London");
  await run("bean-check 2026-10/journal.beancount", books);
  for (const [currency, sum] of Object.entries({ GBP: "69.40 GBP", EUR: "-39.00 EUR" })) {
    const query = `balance --flat -O csv Assets:Clearing:Card cur:${currency}`;
    expect(await run(`hledger -f 2026-10/journal.beancount ${query}`, books)).toContain(
      `"Assets:Clearing:Card","${sum}"`,
    );
  }
});

test("a statement of the bank is matched by reference and amount", async () => {
  const books = await emptyBooks();
  await writeFile(join(books, "bank.csv"), "reference,amount\ntp_4xgk2iu2ai,60.90\ntp_4yapwv1puo,26.00\n");
  const printed = await run("python close.py 2026-10 Europe/London bank.csv", books);
  expect(printed).toMatch(/On the bank's statement only: 1\n {2}tp_4yapwv1puo {2}26\.00\n/);
  expect(printed).toMatch(/Not on the bank's statement: 3\n/);
});

test("a month in another form than 2026-07 is refused before anything is written", async () => {
  const books = await emptyBooks();
  await expect(run("python close.py 2026-7 Europe/London", books)).rejects.toThrow("close.py MONTH ZONE");
  expect((await readdir(books)).sort()).toEqual(["close.py", "tickets.sqlite"]);
});

const payments = cases(50_000, 200_000);

test(`a year of ${payments} payments in three zones closes without a difference of a row or a cent`, async () => {
  const made = await emptyBooks();
  await run(`python '${independent}' make year.ndjson ${payments}`, made);
  const year = Array.from({ length: 12 }, (_, index) => `2026-${String(index + 1).padStart(2, "0")}`);
  const zones = ["Europe/London", "America/New_York", "Pacific/Chatham"];
  const comparisons = zones.map(async (zone) => {
    const books = temporaryDirectory();
    await cp(made, books, { recursive: true });
    for (const month of year) await run(`python close.py ${month} ${zone}`, books, { API_KEY: undefined });
    return compare(books, "year.ndjson", "1", zone);
  });
  for (const { compared, differing } of await Promise.all(comparisons)) {
    expect(differing).toEqual([]);
    assert.ok(compared > payments / 4);
  }
});

function isPayment({ type, organisation_id, data }: InputRecord, id: string): boolean {
  return type === "payment" && organisation_id === 1 && String(data.id) === id;
}

test("a month that is closed again names the rows that came late or went", async () => {
  const books = await emptyBooks();
  const close = () => run("python close.py 2026-10 Europe/London", books);
  await close();
  const [late, gone] = ["500125", "500143"].map(
    (id) => demoRecords().find((record) => isPayment(record, id)) ?? assert.fail(),
  );
  const completed = { ...late?.data, status: "confirmed", date_completed: "2026-10-31T23:59:59Z" };
  await upsertRecord(openTable(), recordItem(InputRecord.parse({ ...late, data: completed })));
  await upsertRecord(openTable(), tombstone(deletionOf(gone ?? assert.fail())));
  await until(async () => {
    const rows = await client.rows("/v1/changes?types=payment");
    const changes = rows.map(({ id, change, data }) => `${id} ${change} ${Object(data).status}`);
    return changes.includes("500125 upserted confirmed") && changes.includes("500143 deleted undefined");
  });
  await run(copyCommand, books);
  const printed = await close();
  expect(printed).toMatch(/Gone since the last close: 1\n.*500143/);
  expect(printed).toMatch(/New since the last close: 1\n.*500125/);
});
