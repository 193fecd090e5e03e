import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { afterAll, test } from "@jest/globals";
import type { Attendee } from "../../functions/resources/attendee.ts";
import type { Order } from "../../functions/resources/order.ts";
import { useLocalTable } from "../../local/localService.ts";
import { assertTables, installCommand } from "../../packages/client-python/test/support/command.ts";
import { syncChanges, ticketingClient } from "../../packages/client-typescript/index.ts";
import { ndjson, runImport } from "../cli/support/runProgram.ts";
import { eventRecord } from "../support/data/records.ts";
import { clientOf, PageBody } from "../support/http/client.ts";
import { cases } from "../support/jest/cases.ts";
import { startChildService } from "../support/service/childService.ts";
import { assertSameRows, marker, mirrorOf, putMarker, type Row } from "../support/sync/mirror.ts";
import { dataSetLines, parseDataSet, realDataFile, rowOf, salesFor, someOf } from "./dataSet.ts";
import { storedItems } from "./storedItems.ts";

/*
 * Tests the whole service with every twentieth event of the real data set: REAL_DATA_FILE=… .ci/run real_data
 * With THOROUGH=1, with all of them.
 */

const organisationId = 1842;
const maximumMemoryBytes = 150_000_000;
const { scripts } = JSON.parse(readFileSync("package.json", "utf8"));
/** The options of `npm run ops -- import` for Node: collect garbage early to use less memory. */
const npmOptions = String(scripts.ops).match(/--\S+/g) ?? [];
/** The number of concurrent requests. */
const concurrency = 8;

const lines = someOf(await dataSetLines(realDataFile()));
const packed = gzipSync(`${lines.join("\n")}\n`);
const { events, dates, categories } = parseDataSet(lines);

const service = await startChildService();
afterAll(() => service.stop());
const { base_url, dynamodb_endpoint, table_name, organisations } = service.description;
const key = organisations.find(({ organisation_id }) => organisation_id === organisationId)?.keys[0]?.key ?? "";
const client = clientOf(base_url, key);
useLocalTable(dynamodb_endpoint, table_name);
const command = await installCommand(base_url);
const mirror = mirrorOf((cursor) => syncChanges(ticketingClient({ baseUrl: base_url, apiKey: key }), { cursor }));

/** Runs the import to its end and prints its duration and its maximum of memory. */
async function measuredImport(stdin: Buffer, { options = [] as string[], expectedCode = 0 } = {}) {
  const preload = new URL("reportMemory.ts", import.meta.url).href;
  const commandLine = ["-", "--endpoint", dynamodb_endpoint, "--table", table_name, ...options];
  const nodeOptions = [...npmOptions, "--import", preload];
  const { code, stdout, stderr } = await runImport(commandLine, { stdin, nodeOptions });
  assert.equal(code, expectedCode, stderr);
  const bytes = Number(/^Maximum memory: (\d+) KB$/m.exec(stderr)?.[1]) * 1024;
  console.log(`${stdout.trim()} At most ${Math.round(bytes / 1e6)} MB of memory.`);
  assert.ok(bytes < maximumMemoryBytes);
  return stdout;
}

async function forEach<Item>(items: readonly Item[], visit: (item: Item) => Promise<void>): Promise<void> {
  const queue = items.values();
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      for (const item of queue) await visit(item);
    }),
  );
}

/** Compares the values as text, because the order of the fields counts too. */
function assertSame(actual: unknown, expected: unknown): void {
  assert.equal(JSON.stringify(actual), JSON.stringify(expected));
}

const number = lines.length.toLocaleString("en");

test("the import stores all records within its memory limit", async () => {
  const output = await measuredImport(packed);
  assert.ok(
    output.startsWith(`${number} new records, 0 changed, 0 unchanged, 0 older than stored, 0 bad lines`),
    output,
  );
});

test("a mirror by the client's sync equals the file", async () => {
  await putMarker(organisationId, marker(0));
  const changes = await mirror.follow(marker(0));
  assert.equal(changes.length, lines.length + 1);
  assertSameRows(mirror.rows.values(), lines.map(rowOf));
});

for (const format of ["duckdb", "sqlite", "parquet", "csv"]) {
  test(`ticketing copy into .${format} equals the file`, async () => {
    const target = `all.${format}`;
    const types = Map.groupBy(lines.map(rowOf), ({ type }) => type);
    const { code, stderr } = await command.run(["copy", target, "--types", [...types.keys()].join()], {
      BASE_URL: base_url,
      API_KEY: key,
    });
    assert.equal(code, 0, stderr);
    const fieldsOf = ({ type, id, data, ...extraFields }: Row) => ({ ...extraFields, ...data });
    const tables = [...types].map(([type, rows]) => [type, rows.map(fieldsOf)]);
    assertTables(target, await command.read(target), Object.fromEntries(tables));
  });
}

test("a repeated import changes nothing", async () => {
  const stored = () => storedItems(dynamodb_endpoint, table_name, lines);
  const before = await stored();
  assert.equal(before.length, lines.length);
  const output = await measuredImport(packed);
  assert.ok(
    output.startsWith(`0 new records, 0 changed, ${number} unchanged, 0 older than stored, 0 bad lines`),
    output,
  );
  assert.deepEqual(await stored(), before);
  await putMarker(organisationId, marker(1));
  assert.deepEqual(
    (await mirror.follow(marker(1))).map(({ id }) => id),
    [marker(1).id],
  );
  // The tests below find no record twice and none that is not in the file.
});

test("ten times as much input needs no more memory", async () => {
  const output = await measuredImport(Buffer.concat(Array.from({ length: 10 }, () => packed)), {
    options: ["--dry-run"],
  });
  assert.ok(output.startsWith(`${(lines.length * 10).toLocaleString("en")} good records, 0 bad lines.`));
});

test("records of the largest size need no more memory either", async () => {
  const otherId = organisationId + 1;
  const records = Array.from({ length: 300 }, (_, index) =>
    eventRecord(otherId, index + 1, { description: "x".repeat(390_000) }),
  );
  const output = await measuredImport(gzipSync(ndjson(records)));
  assert.ok(output.startsWith("300 new records, 0 changed"), output);
});

test("long lines that are not records need no more memory either", async () => {
  const members = Array.from({ length: 49_000 }, (_, index) => `"k${index}${"x".repeat(68)}":1`);
  const lines = [`{${members}}`, `[${"{},".repeat(1_000_000)}{}]`, `{"type":"${"x".repeat(4_000_000)}"}`];
  const text = `${lines.join("\n")}\n`;
  const output = await measuredImport(gzipSync(text.repeat(8)), { options: ["--dry-run"], expectedCode: 1 });
  assert.ok(output.startsWith("0 good records, 24 bad lines."), output);
});

for (const { perPage, pages } of [
  { perPage: 1_000, pages: Infinity },
  { perPage: 31, pages: Infinity },
  { perPage: 1, pages: 300 },
]) {
  test(`events in pages of ${perPage} come most recent first, each once and equal to the file`, async () => {
    const rows: unknown[] = [];
    let query: Record<string, string | number> = { per_page: perPage };
    for (let page = 0; page < pages; page++) {
      const { data, pagination } = await client.page("/v1/events", query);
      rows.push(...data);
      if (pagination.next_cursor === null) break;
      // 1 MB of stored events ends a page earlier.
      assert.ok(data.length === perPage || (perPage === 1_000 && data.length > 500), `${data.length} rows`);
      query = { per_page: perPage, cursor: pagination.next_cursor };
    }
    assert.equal(rows.length, Math.min(events.length, perPage * pages));
    for (const [index, row] of rows.entries()) assertSame(row, events[index]);
  });
}

test("a single event equals the file's", async () => {
  const sample = events.filter((_, index) => index % 10 === 0);
  await forEach(sample, async (event) => assertSame(await client.json(`/v1/events/${event.id}`), event));
});

for (const { path, children } of [
  { path: "dates", children: dates },
  { path: "ticket-categories", children: categories },
]) {
  test(`every event's ${path} equal the file's, in the API's order`, async () => {
    let count = 0;
    await forEach(events, async ({ id }) => {
      const { data, pagination } = PageBody.parse(await client.json(`/v1/events/${id}/${path}?per_page=200`));
      assertSame(data, children.get(id) ?? []);
      assert.equal(pagination.has_more, false);
      count += data.length;
    });
    assert.equal(count, [...children.values()].flat().length);
  });
}

test("look-ups by every e-mail address and reference find what a scan finds", async () => {
  const all = [...dates.values()].flat().map(({ id, event_id }) => ({ id, event_id: Number(event_id) }));
  const sales = salesFor(organisationId, cases(all.slice(0, all.length / 3), all));
  const input = gzipSync(`${sales.map((record) => JSON.stringify(record)).join("\n")}\n`);
  const output = await measuredImport(input);
  assert.ok(output.startsWith(`${sales.length.toLocaleString("en")} new records, `), output);
  const newestFirst = (type: string) =>
    sales
      .filter((record) => record.type === type)
      .map(({ data }) => data as Order | Attendee)
      .sort((one, other) => other.date_created.localeCompare(one.date_created) || other.id - one.id);
  const known = (text: string | null) => text?.trim().toLowerCase();
  const [ofOrders, ofAttendees] = [newestFirst("order"), newestFirst("attendee")];
  const emails = new Set(ofOrders.flatMap(({ email }) => known(email) ?? []));
  await forEach([...emails, "nobody@example.org"], async (email) => {
    const query = `email=${encodeURIComponent(email.toUpperCase())}`;
    const found = (rows: (Order | Attendee)[]) => rows.filter((row) => known(row.email) === email);
    assert.deepEqual(await client.rows(`/v1/orders?${query}`), found(ofOrders), email);
    assert.deepEqual(await client.rows(`/v1/attendees?${query}`), found(ofAttendees), email);
  });
  const references = Map.groupBy(ofOrders, (order) => ("reference" in order ? order.reference : ""));
  await forEach([...references], async ([reference, rows]) => {
    assert.deepEqual(await client.rows(`/v1/orders?reference=${reference.toLowerCase()}`), rows, reference);
  });
});
