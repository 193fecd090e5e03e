import type { GlobalConfig } from "jest";
import { useLocalTable } from "../../../local/localService.ts";
import globalSetup, { atEnd } from "../jest/globalSetup.ts";
import { logOf } from "./childService.ts";
import serviceSetup from "./serviceSetup.ts";

/**
 * Starts the service for the pages of promises, in the database of the run. After the last page, the run fails unless the service's whole log and
 * table are as promised. At a running stage, which these tests cannot look into, only the pages are tested.
 */
export default async function promisesSetup(selection: GlobalConfig): Promise<void> {
  if (process.env.BASE_URL === undefined) await globalSetup();
  const { local, organisations } = await serviceSetup();
  if (!local) return;
  const knownKeys = organisations.flatMap(({ keys }) => keys.map(({ key }) => key));
  atEnd(async () => {
    const { assertLogs } = await import("../../promises/local/logs.ts");
    const { assertStoredAttributes } = await import("../../promises/local/storedAttributes.ts");
    assertLogs(await logOf(local), knownKeys, isWhole(selection));
    useLocalTable(local.description.dynamodb_endpoint, local.description.table_name);
    await assertStoredAttributes(isWhole(selection));
  });
}

/** True if no option selects some of the tests. */
function isWhole(selection: GlobalConfig): boolean {
  const { nonFlagArgs, testPathPatterns, testNamePattern, onlyChanged, onlyFailures, shard } = selection;
  const selects = [nonFlagArgs.length > 0, testPathPatterns.isSet(), testNamePattern, onlyChanged, onlyFailures, shard];
  return !selects.some(Boolean);
}
