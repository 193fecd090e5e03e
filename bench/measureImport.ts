import { PutItemCommand, type PutItemCommandInput } from "@aws-sdk/client-dynamodb";
import { type RecordItem, recordItem } from "../functions/records/recordItem.ts";
import { toAttributes } from "../functions/table/dynamodb/attributeValue.ts";
import { dynamoDb } from "../functions/table/dynamodb/client.ts";
import { changeKey } from "../functions/table/keys.ts";
import { maximumLimit } from "../functions/table/pace.ts";
import { countUnits, openTable } from "../functions/table/table.ts";
import { createTable } from "../local/dynamodb/createTable.ts";
import { useLocalTable } from "../local/dynamodb/localTable.ts";
import { generatedRecords, largeOrganisation } from "./generatedRecords.ts";
import { median } from "./median.ts";
import type { Row } from "./row.ts";
import { writeRecords } from "./writeRecords.ts";

/**
 * Measures the time to import records, and to import them again unchanged. The baseline writes the same items with the same concurrency
 * by bare PutItem calls. A second row adds a condition and counted capacity, which the import also has.
 *
 * @param events the number of events among the records.
 */
export async function* measureImport(endpoint: string, events: number, rounds: number): AsyncGenerator<Row> {
  const seconds = { bare: [] as number[], conditional: [] as number[], import: [] as number[], again: [] as number[] };
  const records = [...generatedRecords(largeOrganisation, 0, events)];
  const items = records.map(recordItem);
  for (let round = 0; round < rounds; round++) {
    await useNewTable(endpoint, `bare${round}`);
    seconds.bare.push(await secondsOf(() => put(items, () => ({}))));
    await useNewTable(endpoint, `conditional${round}`);
    seconds.conditional.push(await secondsOf(() => put(items, conditional)));
    await useNewTable(endpoint, `import${round}`);
    seconds.import.push(await secondsOf(() => writeRecords(records)));
    seconds.again.push(await secondsOf(() => writeRecords(records)));
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

async function put(items: RecordItem[], further: (item: RecordItem) => Partial<PutItemCommandInput>): Promise<void> {
  const TableName = openTable().name();
  const waiting = items.values();
  const lane = async () => {
    for (const item of waiting) {
      const Item = toAttributes({ ...item, ...changeKey(item, Date.now()) });
      await dynamoDb().send(new PutItemCommand({ TableName, Item, ...further(item) }));
    }
  };
  await Promise.all(Array.from({ length: maximumLimit }, lane));
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
