import * as z from "zod";
import type { Item } from "../../functions/table/item.ts";
import { type ItemKey, itemTypeOf } from "../../functions/table/keys.ts";
import { getItems } from "../../functions/table/reads.ts";
import { callTable, type Table } from "../../functions/table/table.ts";
import { type Pause, untilAnswered, untilTaken } from "../../functions/table/untilTaken.ts";
import { scanInParallel, type Wanted } from "../table/scanTable.ts";
import { apiKeyHashesOf, type Counts, itemsOfOrganisation } from "./organisation.ts";

/** If the last of these passes still finds items, something keeps writing them. */
export const maximumPasses = 10;

/** The progress so far. */
export interface Erased {
  counts: Counts;
  passes: number;
}

interface Waiting {
  pause: Pause;
  /** Waits for the table's stream consumers, which still write about deleted items. */
  settle: () => Promise<unknown>;
  signal: AbortSignal;
}

const Scanned = z.object({ PK: z.string(), SK: z.string(), deleted: z.unknown().optional() });
type Scanned = z.infer<typeof Scanned>;

/**
 * Deletes all of an organisation's items. First the hashes of its API keys, so that no caller can read or write any more. Then scans the whole table until a pass after the first finds nothing: the stream's consumer
 * writes an item for every counted item that was deleted, and these must go too.
 *
 * @param erased is updated during the run.
 * @returns whether nothing is left. False means that something keeps writing items.
 */
export async function eraseOrganisation(
  table: Table,
  organisationId: number,
  erased: Erased,
  { pause, settle, signal }: Waiting,
): Promise<boolean> {
  const erase = (found: Scanned[]) => deleteItems(table, found, (deleted) => count(erased.counts, deleted), pause);
  await erase(await itemsOfAuthorizer(table, organisationId, pause));
  for (;;) {
    let found = 0;
    const eraseFound = (items: Scanned[]) => {
      found += items.length;
      return erase(items);
    };
    await scanOrganisation(table, organisationId, eraseFound, { pause, signal });
    erased.passes += 1;
    if (found === 0 && erased.passes > 1) return true;
    if (erased.passes === maximumPasses) return false;
    await settle();
  }
}

/** Counts what an erasure would delete now. */
export async function countOrganisation(
  table: Table,
  organisationId: number,
  counts: Counts,
  waiting: Pick<Waiting, "pause" | "signal">,
): Promise<void> {
  await scanOrganisation(table, organisationId, async (items) => count(counts, items), waiting);
}

/** The items that the authorizer looks up for the organisation's API keys. The scan finds those missing from the list. */
async function itemsOfAuthorizer(table: Table, organisationId: number, pause: Pause): Promise<Scanned[]> {
  const hashKeys = await apiKeyHashesOf(table, organisationId, pause);
  const items = await untilAnswered(() => getItems(table, hashKeys), pause);
  return items.map((item) => Scanned.parse(item));
}

async function scanOrganisation(
  table: Table,
  organisationId: number,
  onPage: (items: Scanned[]) => Promise<void>,
  waiting: Pick<Waiting, "pause" | "signal">,
): Promise<void> {
  const wanted: Wanted = {
    ...itemsOfOrganisation(organisationId),
    projection: "PK, SK, #deleted",
    names: { "#deleted": "deleted" },
  };
  await scanInParallel(table, wanted, (items: Item[]) => onPage(items.map((item) => Scanned.parse(item))), waiting);
}

function count(counts: Counts, items: Scanned[]): void {
  for (const item of items) {
    const what = item.deleted === true ? "TOMBSTONE" : itemTypeOf(item);
    counts[what] = (counts[what] ?? 0) + 1;
  }
}

/** BatchWriteItem's limit. */
const maximumBatch = 25;

/**
 * Deletes items. Missing items are ignored. Only the CLI deletes; no function of the service does.
 *
 * @param onDeleted gets the keys of each deleted batch.
 * @throws GivenUp if the table keeps rejecting the deletes.
 */
export async function deleteItems<Key extends ItemKey>(
  table: Table,
  keys: Key[],
  onDeleted: (keys: Key[]) => void,
  pause: Pause,
): Promise<void> {
  const deleteSome = async (some: Key[]) => {
    const refused = await deleteBatch(table, some);
    onDeleted(some.filter((key) => !refused.includes(key)));
    return refused;
  };
  for (let start = 0; start < keys.length; start += maximumBatch) {
    await untilTaken(keys.slice(start, start + maximumBatch), deleteSome, pause);
  }
}

/** @returns the keys that DynamoDB did not process. */
async function deleteBatch<Key extends ItemKey>(table: Table, keys: Key[]): Promise<Key[]> {
  const requests = keys.map(({ PK, SK }) => ({ DeleteRequest: { Key: { PK, SK } } }));
  const { UnprocessedItems } = await callTable(table, "BatchWriteItem", { RequestItems: { [table.name()]: requests } });
  const left = (UnprocessedItems?.[table.name()] ?? []).map(({ DeleteRequest }) => DeleteRequest?.Key);
  return keys.filter(({ PK, SK }) => left.some((key) => key?.PK === PK && key?.SK === SK));
}
