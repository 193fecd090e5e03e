import { importRecords } from "../cli/import/importRecords.ts";
import { messagePacker } from "../functions/feed/messagePacker.ts";
import { parseLine } from "../functions/feed/parseRecord.ts";
import { readLines } from "../functions/feed/readLines.ts";
import { tableWriter } from "../functions/feed/tableWriter.ts";
import { type RecordItem, recordItem } from "../functions/records/recordItem.ts";
import type { Record as InputRecord } from "../functions/resources/record.ts";
import { send } from "../functions/table/client.ts";
import { organisationIdOf } from "../functions/table/keys.ts";
import { changeKey } from "../functions/table/lists.ts";
import { maximumLimit } from "../functions/table/pace.ts";
import { openUncountedTable } from "../functions/table/table.ts";
import { backOff } from "../functions/table/untilTaken.ts";
import { createTable } from "../local/createTable.ts";
import { useLocalTable } from "../local/localService.ts";
import { generatedRecords, largeOrganisation } from "./generatedRecords.ts";
import { median, type Row, secondsOf } from "./row.ts";

/**
 * Measures the time to import records from a file. The baseline writes the same items with the same concurrency by bare PutItem calls.
 *
 * @param events the number of events among the records.
 */
export async function* measureImport(endpoint: string, events: number, rounds: number): AsyncGenerator<Row> {
  const seconds = { bare: [] as number[], import: [] as number[] };
  const records = [...generatedRecords(largeOrganisation, 0, events)];
  const items = records.map(recordItem);
  const file = fileOf(records);
  for (let round = 0; round < rounds; round++) {
    await useNewTable(endpoint, `bare${round}`);
    seconds.bare.push(await secondsOf(() => put(items)));
    await useNewTable(endpoint, `import${round}`);
    seconds.import.push(await secondsOf(() => importAll(file)));
  }
  const what = `${items.length.toLocaleString("en")} records`;
  const baseline = median(seconds.bare);
  yield { what: `time to put ${what} by bare PutItem calls`, unit: "s", measured: baseline, baseline };
  yield { what: `time to import ${what}`, unit: "s", measured: median(seconds.import), baseline };
}

function fileOf(records: Iterable<InputRecord>): Buffer {
  return Buffer.from(Array.from(records, (record) => JSON.stringify(record)).join("\n"));
}

async function importAll(file: Buffer): Promise<void> {
  const { signal } = new AbortController();
  const onBadLine = (number: number, problem: string) => {
    throw new Error(`Line ${number}: ${problem}`);
  };
  await importRecords(readLines(chunksOf(file)), tableWriter(openUncountedTable(), backOff(signal)), onBadLine, signal);
}

async function useNewTable(endpoint: string, name: string): Promise<void> {
  useLocalTable(endpoint, name);
  await createTable(name);
}

async function put(items: RecordItem[]): Promise<void> {
  const TableName = openUncountedTable().name();
  const waiting = items.values();
  const lane = async () => {
    for (const item of waiting) await send("PutItem", { TableName, Item: { ...item, ...changeKey(item, Date.now()) } });
  };
  await Promise.all(Array.from({ length: maximumLimit }, lane));
}

const chunkBytes = 64 * 1024;
const records = 50_000;

/** The processor time to read, check and pack a record of a file, without sending it. docs/operators/feed.md quotes it. */
export async function measureSplit(): Promise<Row> {
  const file = fileOf(generatedRecords(largeOrganisation, 1, records + 1));
  // The first time warms up.
  await split(file);
  const before = process.cpuUsage();
  await split(file);
  const { user, system } = process.cpuUsage(before);
  const what = `processor time to split a record of ${Math.round(file.length / records)} bytes`;
  return { what, unit: "µs", measured: (user + system) / records };
}

async function split(file: Buffer): Promise<void> {
  const packer = messagePacker(async () => undefined);
  for await (const line of readLines(chunksOf(file))) {
    const parsed = parseLine(line);
    if ("problem" in line || "problem" in parsed) throw new Error("A generated record is not valid.");
    await packer.add(organisationIdOf(parsed.item.PK), line.text);
  }
  await packer.finish();
}

async function* chunksOf(file: Buffer): AsyncGenerator<Buffer> {
  for (let start = 0; start < file.length; start += chunkBytes) yield file.subarray(start, start + chunkBytes);
}
