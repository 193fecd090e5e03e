import * as z from "zod";
import type { Item } from "../../functions/data/table/item.ts";
import { itemTypeOf, keys, lists } from "../../functions/data/table/keys.ts";
import { getItems, listAllItems } from "../../functions/data/table/reads.ts";
import type { Table } from "../../functions/data/table/table.ts";
import type { Pause } from "../../functions/ingest/untilTaken.ts";
import { scanInParallel, type Wanted } from "../table/scanTable.ts";
import { untilAnswered } from "../table/untilAnswered.ts";
import { deleteItems } from "./deleteItems.ts";
import type { Counts } from "./organisationAudit.ts";
import { itemsOfOrganisation } from "./organisationItems.ts";

/** Whoever still finds something after so many passes has somebody who goes on writing. */
export const maximumPasses = 10;

/** What has become of it so far. */
export interface Erased {
  counts: Counts;
  passes: number;
}

/** How an erasure waits, and is stopped. */
export interface Waiting {
  pause: Pause;
  /** Gives those who are behind the table's stream the time to write what they still write of what was deleted. */
  settle: () => Promise<unknown>;
  signal: AbortSignal;
}

const Scanned = z.object({ PK: z.string(), SK: z.string(), deleted: z.unknown().optional() });
type Scanned = z.infer<typeof Scanned>;
const Hashed = z.object({ hash: z.string() });

/**
 * Deletes all that the table holds of an organisation. First what lets its API keys in, so that nobody reads or writes any more. Then
 * pass after pass over the whole table, until one that began after the others had time to write has found nothing: the consumer of the
 * stream notes of each deleted item that it counts no more, and that note is to go, too.
 *
 * @param erased is kept up to date.
 * @returns whether nothing is left. If not, somebody goes on writing.
 */
export async function eraseOrganisation(
  table: Table,
  organisationId: number,
  erased: Erased,
  { pause, settle, signal }: Waiting,
): Promise<boolean> {
  const erase = (found: Scanned[]) => deleteItems(table, found, (deleted) => count(erased.counts, deleted), pause);
  await erase(await lettingIn(table, organisationId, pause));
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

/** What an erasure would delete, as of now. */
export async function countOrganisation(
  table: Table,
  organisationId: number,
  counts: Counts,
  waiting: Pick<Waiting, "pause" | "signal">,
): Promise<void> {
  await scanOrganisation(table, organisationId, async (items) => count(counts, items), waiting);
}

/** The items by which the authorizer lets in the organisation's API keys. One that is not listed is found by the scan. */
async function lettingIn(table: Table, organisationId: number, pause: Pause): Promise<Scanned[]> {
  const apiKeys = await untilAnswered(() => listAllItems(table, lists.apiKeys(organisationId)), pause);
  const hashKeys = apiKeys.flatMap((item) => {
    const { data: stored } = Hashed.safeParse(item);
    return stored ? [keys.apiKeyHash(stored.hash)] : [];
  });
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
