import { createReadStream } from "node:fs";
import { PutItemCommand, type PutItemCommandInput } from "@aws-sdk/client-dynamodb";
import { importRecords } from "../cli/import/importRecords.ts";
import { toAttributes } from "../functions/data/dynamodb/attributeValue.ts";
import { dynamoDb } from "../functions/data/dynamodb/client.ts";
import { type RecordItem, recordItem } from "../functions/data/records/recordItem.ts";
import { changeKey } from "../functions/data/table/keys.ts";
import { countUnits, openTable } from "../functions/data/table/table.ts";
import { readLines } from "../functions/ingest/readLines.ts";
import { maximumConcurrent, tableWriter } from "../functions/ingest/tableWriter.ts";
import { unpacked } from "../functions/ingest/unpacked.ts";
import { backOff } from "../functions/ingest/untilTaken.ts";
import { createTable } from "../local/dynamodb/createTable.ts";
import { useLocalTable } from "../local/dynamodb/localTable.ts";
import { generatedRecords, largeOrganisation } from "./generatedRecords.ts";
import { median } from "./median.ts";
import type { Row } from "./row.ts";

const generatedEvents = 4_000;

/**
 * The time to import records, the first time and again without a change, compared with PutItem calls of the same items, as many at a time:
 * bare ones, and ones with a condition and counted capacity, which an import's have too.
 *
 * @param file NDJSON, perhaps packed; by default generated records.
 */
export async function* measureImport(endpoint: string, file: string | undefined, rounds: number): AsyncGenerator<Row> {
  const seconds = { bare: [] as number[], conditional: [] as number[], import: [] as number[], again: [] as number[] };
  const items: RecordItem[] = [];
  const collect = { add: async (item: RecordItem) => void items.push(item), finish: async () => undefined };
  await importFile(file, { ...collect, settle: async () => undefined });
  for (let round = 0; round < rounds; round++) {
    await useNewTable(endpoint, `bare${round}`);
    seconds.bare.push(await secondsOf(() => put(items, () => ({}))));
    await useNewTable(endpoint, `conditional${round}`);
    seconds.conditional.push(await secondsOf(() => put(items, conditional)));
    await useNewTable(endpoint, `import${round}`);
    seconds.import.push(await secondsOf(() => importFile(file, newWriter())));
    seconds.again.push(await secondsOf(() => importFile(file, newWriter())));
  }
  const what = `time to import ${items.length.toLocaleString("en")} records`;
  const baseline = median(seconds.bare);
  yield { what: "time to put records by bare PutItem calls", unit: "s", measured: baseline, baseline };
  const conditionalWhat = "time to put them by PutItem calls with a condition and counted capacity";
  yield { what: conditionalWhat, unit: "s", measured: median(seconds.conditional), baseline };
  yield { what, unit: "s", measured: median(seconds.import), baseline };
  yield { what: `${what} again, unchanged`, unit: "s", measured: median(seconds.again), baseline };
}

async function useNewTable(endpoint: string, name: string): Promise<void> {
  useLocalTable(endpoint, name);
  await createTable(name, { hasStream: false });
}

const newWriter = () => tableWriter(openTable(), { written: 0, older: 0 }, backOff(new AbortController().signal));

async function importFile(file: string | undefined, writer: ReturnType<typeof tableWriter>): Promise<void> {
  if (file === undefined) {
    for (const record of generatedRecords(largeOrganisation, 0, generatedEvents)) await writer.add(recordItem(record));
    await writer.finish();
    return;
  }
  async function* read(start: number): AsyncGenerator<Buffer> {
    yield* createReadStream(file ?? "", { start });
  }
  const lines = readLines(unpacked(read));
  const refuse = (line: number, problem: string) => {
    throw new Error(`Line ${line}: ${problem}`);
  };
  await importRecords(lines, writer, refuse, new AbortController().signal);
}

async function put(items: RecordItem[], further: (item: RecordItem) => Partial<PutItemCommandInput>): Promise<void> {
  const TableName = openTable().name();
  const waiting = items.values();
  const lane = async () => {
    for (const item of waiting) {
      const Item = toAttributes({ ...item, ...changeKey(item, Date.now()) });
      await dynamoDb().send(new PutItemCommand({ TableName, Item, ...further(item) }));
    }
  };
  await Promise.all(Array.from({ length: maximumConcurrent }, lane));
}

function conditional({ content_hash }: RecordItem) {
  return {
    ...countUnits,
    ConditionExpression: "attribute_not_exists(content_hash) OR content_hash <> :hash",
    ExpressionAttributeValues: toAttributes({ ":hash": content_hash }),
    ReturnValuesOnConditionCheckFailure: "ALL_OLD" as const,
  };
}

async function secondsOf(work: () => Promise<void>): Promise<number> {
  const startedMs = performance.now();
  await work();
  return (performance.now() - startedMs) / 1_000;
}
