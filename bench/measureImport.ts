import { importRecords } from "../cli/import/importRecords.ts";
import { messagePacker } from "../functions/feed/messagePacker.ts";
import { parseLine } from "../functions/feed/parseRecord.ts";
import { readLines } from "../functions/feed/readLines.ts";
import { tableWriter } from "../functions/feed/tableWriter.ts";
import { type RecordItem, recordItem } from "../functions/records/recordItem.ts";
import type { Record as InputRecord } from "../functions/resources/record.ts";
import { type Input, send } from "../functions/table/client.ts";
import { changeKey, organisationIdOf } from "../functions/table/keys.ts";
import { maximumLimit } from "../functions/table/pace.ts";
import { openUncountedTable } from "../functions/table/table.ts";
import { backOff } from "../functions/table/untilTaken.ts";
import { createTable } from "../local/createTable.ts";
import { useLocalTable } from "../local/localService.ts";
import { generatedRecords, largeOrganisation } from "./generatedRecords.ts";
import { median, type Row, secondsOf } from "./row.ts";

/**
 * Measures the time to import records from a file, and to import them again unchanged. The baseline writes the same items with the same concurrency
 * by bare PutItem calls. A second row adds a condition, which the import also has.
 *
 * @param events the number of events among the records.
 */
export async function* measureImport(endpoint: string, events: number, rounds: number): AsyncGenerator<Row> {
  const efforts = { bare: [] as Effort[], conditional: [] as Effort[], import: [] as Effort[], again: [] as Effort[] };
  const records = [...generatedRecords(largeOrganisation, 0, events)];
  const items = records.map(recordItem);
  const file = fileOf(records);
  for (let round = 0; round < rounds; round++) {
    await useNewTable(endpoint, `bare${round}`);
    efforts.bare.push(await effortOf(() => put(items, () => ({}))));
    await useNewTable(endpoint, `conditional${round}`);
    efforts.conditional.push(await effortOf(() => put(items, conditional)));
    await useNewTable(endpoint, `import${round}`);
    efforts.import.push(await effortOf(() => importAll(file)));
    efforts.again.push(await effortOf(() => importAll(file)));
  }
  const what = `${items.length.toLocaleString("en")} records`;
  yield* rowsOf(efforts.bare, `put ${what} by bare PutItem calls`, efforts.bare);
  yield* rowsOf(efforts.conditional, "put them by PutItem calls with a condition", efforts.bare);
  yield* rowsOf(efforts.import, "import them", efforts.bare);
  yield* rowsOf(efforts.again, "import them again, unchanged", efforts.bare);
}

/** What some work took: the time, and this process's processor time, which excludes the database's. */
interface Effort {
  seconds: number;
  processorSeconds: number;
}

async function effortOf(work: () => Promise<unknown>): Promise<Effort> {
  const before = process.cpuUsage();
  const seconds = await secondsOf(work);
  const { user, system } = process.cpuUsage(before);
  return { seconds, processorSeconds: (user + system) / 1e6 };
}

function rowsOf(efforts: Effort[], what: string, baseline: Effort[]): Row[] {
  const rowOf = (name: keyof Effort, title: string): Row => {
    const [measured, base] = [efforts, baseline].map((some) => median(some.map((effort) => effort[name])));
    return { what: `${title} to ${what}`, unit: "s", measured: measured ?? 0, baseline: base ?? 0 };
  };
  return [rowOf("seconds", "time"), rowOf("processorSeconds", "processor time")];
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

async function put(items: RecordItem[], further: (item: RecordItem) => Partial<Input<"PutItem">>): Promise<void> {
  const TableName = openUncountedTable().name();
  const waiting = items.values();
  const lane = async () => {
    for (const item of waiting) {
      const Item = { ...item, ...changeKey(item, Date.now()) };
      await send("PutItem", { TableName, Item, ...further(item) });
    }
  };
  await Promise.all(Array.from({ length: maximumLimit }, lane));
}

function conditional({ content_hash }: RecordItem) {
  return {
    ConditionExpression: "attribute_not_exists(content_hash) OR content_hash <> :hash",
    ExpressionAttributeValues: { ":hash": content_hash },
    ReturnValuesOnConditionCheckFailure: "ALL_OLD" as const,
  };
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
