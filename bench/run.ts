import { parseArgs } from "node:util";
import { startDynamoDbLocal } from "@ticketing/local-aws/dynamodb";
import { recordLastUsed } from "../functions/keys/apiKeyHashes.ts";
import { Scope } from "../functions/keys/apiKeyPrincipal.ts";
import { apiKeyRepository } from "../functions/keys/apiKeyRepository.ts";
import { openTable } from "../functions/table/table.ts";
import { createTable } from "../local/createTable.ts";
import { useLocalTable } from "../local/localService.ts";
import {
  countChildren,
  furtherChildren,
  generatedRecords,
  largeOrganisation,
  smallOrganisation,
  writeRecords,
} from "./generatedRecords.ts";
import { measureBundles } from "./measureBundles.ts";
import { measureCopies } from "./measureCopies.ts";
import { measurePayments } from "./measurePayments.ts";
import { measureDepth, measureRequests } from "./measureRequests.ts";
import { measureSplit } from "./measureSplit.ts";
import { measureInitialisation, measureProcessorTime } from "./processorTime.ts";
import { startRecordingProxy } from "./recordingProxy.ts";
import { printRow, type Row } from "./row.ts";

/*
 * npm run bench -- [--quick | --check]
 *   --quick  fewer rounds, and 30,000 events instead of 1,000,000
 *   --check  only checks the budgets, with 5,000 events, and takes each time only once
 *
 * Prints what it measures, row by row. Counts have budgets, and a count over its budget makes the exit code 1. Processor times have none:
 * they are printed with their ratio to the first row of each group.
 */
const flag = { type: "boolean", default: false } as const;
const { quick, check } = parseArgs({ options: { quick: flag, check: flag } }).values;
const largeSize = check ? 5_000 : quick ? 30_000 : 1_000_000;
const smallSize = 1_000;
const rounds = check ? 1 : quick ? 11 : 25;
/** Children of one event and of one date of the large organisation. */
const children = check ? { dates: 200, orders: 1_000 } : { dates: 2_000, orders: 10_000 };
const effort = { rounds, ...(check && { warmUpRequests: 1, requestsPerRound: 1 }) };
const tableName = "bench";

// A busy machine must not make requests fail.
process.env.DYNAMODB_TIMEOUT_MS = "20000";
// The requests whose calls are counted run in this process.
process.env.POWERTOOLS_LOG_LEVEL = "SILENT";

await printRows(measureBundles());
printRow(await measureSplit());

const database = await startDynamoDbLocal();
useLocalTable(database.endpoint, tableName);
await createTable(tableName, { hasStream: false });
const keys = { small: await makeKey(smallOrganisation), large: await makeKey(largeOrganisation) };
await writeRecords(generatedRecords(smallOrganisation, 0, smallSize));
await writeRecords(generatedRecords(largeOrganisation, 0, largeSize));
await writeRecords(furtherChildren(largeOrganisation, "event_date", children.dates));
await writeRecords(furtherChildren(largeOrganisation, "order", children.orders));

for (const organisationId of [smallOrganisation, largeOrganisation]) await countChildren(organisationId);

await printRows(measureCopies(smallOrganisation, rounds));
const proxy = await startRecordingProxy(database.endpoint);
useLocalTable(proxy.url, tableName);
await printRows(measureRequests(keys, proxy.takeCalls, largeSize));
const lists = { listEvents: largeSize, listEventDates: children.dates, listDateOrders: children.orders };
await printRows(measureDepth(keys.large, proxy.takeCalls, lists, rounds));
await printRows(measureProcessorTime(keys.small, proxy, effort));
await printRows(measureInitialisation(rounds));
proxy.stop();
// Last, because it leaves a crowded balance.
useLocalTable(database.endpoint, tableName);
await printRows(measurePayments(smallOrganisation, check ? 1 : 5, check ? 60 : 320));
await database.stop();

async function printRows(rows: Iterable<Row> | AsyncIterable<Row>): Promise<void> {
  for await (const row of rows) printRow(row);
}

async function makeKey(organisationId: number): Promise<string> {
  const createdBy = { name: "bench", subject: "bench" };
  const { key, stored } = await apiKeyRepository(organisationId, openTable()).create(
    "Bench",
    [...Scope.options],
    createdBy,
  );
  // A last use tomorrow, so that no request writes its own: requests write it at most once a minute.
  await recordLastUsed(openTable(), stored.hash, new Date(Date.now() + 86_400_000));
  return key;
}
