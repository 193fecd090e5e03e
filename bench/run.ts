import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { UpdateTableCommand } from "@aws-sdk/client-dynamodb";
import { dynamoDb } from "../functions/data/dynamodb/client.ts";
import { recordLastUsed } from "../functions/data/repositories/apiKeyHashes.ts";
import { apiKeyRepository } from "../functions/data/repositories/apiKeyRepository.ts";
import { openTable } from "../functions/data/table/table.ts";
import { Scope } from "../functions/resources/scope.ts";
import { createTable } from "../local/dynamodb/createTable.ts";
import { useLocalTable } from "../local/dynamodb/localTable.ts";
import { startDynamoDbLocal } from "../local/dynamodb/startDynamoDbLocal.ts";
import { generatedRecords, largeOrganisation, smallOrganisation } from "./generatedRecords.ts";
import { loadRecords } from "./loadRecords.ts";
import { measureBundles } from "./measureBundles.ts";
import { measureCosts } from "./measureCosts.ts";
import { measureGrowth } from "./measureGrowth.ts";
import { measureImport } from "./measureImport.ts";
import { measureInitialisation } from "./measureInitialisation.ts";
import { measureReadsBesideFeed } from "./measureReadsBesideFeed.ts";
import { measureSplit } from "./measureSplit.ts";
import { measureStart } from "./measureStart.ts";
import { measureWarmRequests } from "./measureWarmRequests.ts";
import { progress } from "./progress.ts";
import { formatTable, isWithinBudget, type Row } from "./row.ts";

/*
 * npm run bench -- [--quick] [--data FILE]
 *   --quick      fewer turns, and growth to 30,000 events instead of 1,000,000
 *   --data FILE  import these records instead of generated ones
 *
 * Prints each budget beside what was measured and writes the same to bench/results.json. A count over its budget is exit code 1; times are
 * only told, since they are the machine's as much as ours.
 */
const { quick, data } = parseArgs({
  options: { quick: { type: "boolean", default: false }, data: { type: "string" } },
}).values;

const sizes = quick ? [1_000, 30_000] : [1_000, 100_000, 1_000_000];
const turns = quick ? 3 : 25;
const tableName = "bench";

const rows: Row[] = [];
progress("bundles");
rows.push(...measureBundles());
progress("initialisation");
rows.push(...measureInitialisation(turns));
progress("start");
rows.push(...(await measureStart()));

progress("split");
rows.push(await measureSplit());
progress("import");
await withTable(async (endpoint) => {
  rows.push(...(await measureImport(endpoint, tableName, { file: data, events: quick ? 20_000 : 80_000 })));
});
// A million events are worth the compiler that takes longer to warm up.
process.env.JAVA_TOOL_OPTIONS = "-XX:+UseSerialGC -Xmx2g";
await withTable(async (endpoint) => {
  // Nobody reads the stream here, and it would take most of the time of loading.
  await dynamoDb().send(
    new UpdateTableCommand({ TableName: tableName, StreamSpecification: { StreamEnabled: false } }),
  );
  const keys = { large: await makeKey(largeOrganisation), small: await makeKey(smallOrganisation) };
  await loadRecords(generatedRecords(smallOrganisation, 0, 1_000));
  progress("costs");
  rows.push(...(await measureCosts(endpoint, keys.small)));
  progress("warm requests");
  rows.push(...(await measureWarmRequests(endpoint, keys.small, turns)));
  rows.push(...(await measureReadsBesideFeed(endpoint, keys.small, turns)));
  rows.push(...(await measureGrowth(endpoint, keys, sizes, turns)));
});

console.log(formatTable(rows));
const results = rows.map((row) => ({ ...row, ok: isWithinBudget(row) }));
writeFileSync(join(import.meta.dirname, "results.json"), `${JSON.stringify(results, null, 2)}\n`);
process.exitCode = results.some(({ kind, ok }) => kind === "count" && !ok) ? 1 : 0;

/** An empty table in a DynamoDB Local of its own, which this process and those that it starts use, for the time of a measurement. */
async function withTable(measure: (endpoint: string) => Promise<void>): Promise<void> {
  const { endpoint, stop } = await startDynamoDbLocal();
  useLocalTable(endpoint, tableName);
  await createTable(tableName);
  await measure(endpoint);
  await stop();
}

async function makeKey(organisationId: number): Promise<string> {
  const { key, stored } = await apiKeyRepository(organisationId, openTable()).create("Bench", [...Scope.options], {
    name: "bench",
    subject: "bench",
  });
  // As if it were used tomorrow, so that no request notes its use: that is a write a minute at most, and not what a request costs.
  await recordLastUsed(openTable(), stored.hash, new Date(Date.now() + 86_400_000));
  return key;
}
