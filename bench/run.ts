import { parseArgs } from "node:util";
import { startDynamoDbLocal } from "@ticketing/local-aws/dynamodb";
import { createTable } from "../local/createTable.ts";
import { useLocalTable } from "../local/localService.ts";
import {
  countChildren,
  generatedOrders,
  generatedRecords,
  largeOrganisation,
  smallOrganisation,
  writeRecords,
} from "./generatedRecords.ts";
import { measureBundles } from "./measureBundles.ts";
import { measureProcessorTime } from "./measureProcessorTime.ts";
import { measureRequests } from "./measureRequests.ts";
import { printRow, type Row } from "./row.ts";

/*
 * npm run bench -- [--check]
 *   --check  only the budgets
 *
 * Prints what it measures, row by row. Counts have budgets, and a count over its budget makes the exit code 1. Processor times have none:
 * they are printed with their ratio to an ordinary handler's.
 */
const { check } = parseArgs({ options: { check: { type: "boolean", default: false } } }).values;

// A busy machine must not make requests fail.
process.env.DYNAMODB_TIMEOUT_MS = "20000";
process.env.POWERTOOLS_LOG_LEVEL = "SILENT";

await printRows(measureBundles());
const database = await startDynamoDbLocal();
useLocalTable(database.endpoint, "bench");
await createTable("bench", { hasStream: false });
for (const [organisationId, events] of [
  [smallOrganisation, 1_000],
  [largeOrganisation, 5_000],
] as const) {
  await writeRecords(generatedRecords(organisationId, events));
  await countChildren(organisationId);
}
await writeRecords(generatedOrders());
await printRows(measureRequests());
if (!check) await printRows(measureProcessorTime());
await database.stop();

async function printRows(rows: Iterable<Row> | AsyncIterable<Row>): Promise<void> {
  for await (const row of rows) printRow(row);
}
