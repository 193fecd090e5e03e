import { setTimeout as wait } from "node:timers/promises";
import * as z from "zod";
import { erasedRevoked } from "../../functions/keys/apiKeyHashes.ts";
import type { Item } from "../../functions/table/item.ts";
import { type ItemKey, itemKeys, itemTypeOf } from "../../functions/table/itemKeys.ts";
import { backOff, type Pause, retryWhileThrottled, retryWhileUnavailable } from "../../functions/table/retries.ts";
import { callTable, type Table } from "../../functions/table/table.ts";
import { isWritten, putItem, transactWrite } from "../../functions/table/writes.ts";
import { command, dryRun, type Io, option } from "../shared/command.ts";
import { count, showProgress } from "../shared/progress.ts";
import { openTarget, targetOptions } from "../shared/target.ts";
import { scanInParallel, type Waiting, type Wanted } from "../table/scanTable.ts";
import {
  Actor,
  apiKeyHashesOf,
  auditStart,
  type Counts,
  describeCounts,
  itemsOfOrganisation,
  organisationOption,
  total,
} from "./organisation.ts";

/** If the last of these passes still finds items, something keeps writing them. */
export const maximumPasses = 10;

export interface Erased {
  counts: Counts;
  passes: number;
}

interface Settling extends Waiting {
  /** Waits for the table's stream consumers, which still write about deleted items. */
  settle: () => Promise<unknown>;
}

const Scanned = z.object({ PK: z.string(), SK: z.string(), deleted: z.unknown().optional() });
type Scanned = z.infer<typeof Scanned>;

/**
 * Deletes all of an organisation's items. First the hashes of its API keys, so that no caller can read or write any more; a revoked key's hash
 * stays. Then scans the whole table until a pass after the first finds nothing: the stream's consumer writes an item for every counted item that was
 * deleted, and these must go too.
 * @param erased is updated during the run.
 * @returns false if something keeps writing items.
 */
export async function eraseOrganisation(
  table: Table,
  organisationId: number,
  erased: Erased,
  { pause, settle, signal }: Settling,
): Promise<boolean> {
  const count = (deleted: Scanned[]) => addTo(erased.counts, deleted);
  const erase = async (found: Scanned[]) => {
    const [hashes, others] = [found.filter(isHash), found.filter((item) => !isHash(item))];
    for (const hash of hashes) {
      await retryWhileUnavailable(() => eraseHash(table, hash), pause);
      count([hash]);
    }
    await deleteItems(table, others, count, pause);
  };
  // The scan finds those that the list lacks.
  const hashes = await apiKeyHashesOf(table, organisationId, pause);
  await erase(hashes.map((item) => Scanned.parse(item)));
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

function isHash(item: ItemKey): boolean {
  return itemTypeOf(item) === itemTypeOf(itemKeys.apiKeyHash(""));
}

/** Deletes the hash of an API key. If the key is revoked, its hash stays, without any other attribute, so that no restoration makes the key work. */
async function eraseHash(table: Table, { PK, SK }: ItemKey): Promise<void> {
  const isRevoked = "#status = :revoked";
  const about = { names: { "#status": "status" }, values: { ":revoked": erasedRevoked.status } };
  const remove = { delete: { PK, SK }, condition: { condition: `NOT ${isRevoked}`, ...about } };
  for (;;) {
    if (await isWritten(putItem(table, { PK, SK, ...erasedRevoked }, { condition: isRevoked, ...about }))) return;
    // False if somebody has revoked the key meanwhile.
    if (await isWritten(transactWrite(table, [remove]))) return;
  }
}

async function scanOrganisation(
  table: Table,
  organisationId: number,
  onPage: (items: Scanned[]) => Promise<void>,
  waiting: Waiting,
): Promise<void> {
  const wanted: Wanted = {
    ...itemsOfOrganisation(organisationId),
    projection: "PK, SK, #deleted",
    names: { "#deleted": "deleted" },
  };
  await scanInParallel(table, wanted, (items: Item[]) => onPage(items.map((item) => Scanned.parse(item))), waiting);
}

function addTo(counts: Counts, items: Scanned[]): void {
  for (const item of items) {
    const what = item.deleted === true ? "TOMBSTONE" : itemTypeOf(item);
    counts[what] = (counts[what] ?? 0) + 1;
  }
}

/** BatchWriteItem's limit. */
const maximumBatch = 25;

/**
 * Missing items are ignored. Only the CLI deletes; no function of the service does.
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
    await retryWhileThrottled(keys.slice(start, start + maximumBatch), deleteSome, pause);
  }
}

/** @returns the keys that DynamoDB did not process. */
async function deleteBatch<Key extends ItemKey>(table: Table, keys: Key[]): Promise<Key[]> {
  const requests = keys.map(({ PK, SK }) => ({ DeleteRequest: { Key: { PK, SK } } }));
  const { UnprocessedItems } = await callTable(table, "BatchWriteItem", { RequestItems: { [table.name()]: requests } });
  const left = (UnprocessedItems?.[table.name()] ?? []).map(({ DeleteRequest }) => DeleteRequest?.Key);
  return keys.filter(({ PK, SK }) => left.some((key) => key?.PK === PK && key?.SK === SK));
}

const about = `First stops the organisation's API keys from working. Then reads the whole table until a pass finds none of the organisation's items.
Before you start, make the core system stop sending its records. docs/operators/recovery.md lists what this command cannot reach.
Exit codes: 0 nothing left, 1 records are still arriving, 2 failed, 130 interrupted.
Running it again is safe. After 1, 2 or 130, run it again to continue.`;

const outOfReach = `Only the hash of each revoked API key stays, so that no restoration reactivates the key.
This command cannot reach the following, which expire by themselves: logs (30 days), point-in-time backups (35 days), queue messages
and dead letters (14 days), and the import bucket's files (30 days) and reports (a year). Delivered events remain with their receivers.`;

const stillWriting = `New items still appeared after ${maximumPasses} passes. Stop the feed of this organisation's records, then run it again.`;

const Options = z
  .object({
    organisation: organisationOption,
    confirm: option(z.string().optional(), "ID", "the same id again; required without --dry-run"),
    actor: option(Actor.optional(), "NAME", "the person who requested it, for the audit; required without --dry-run"),
    "dry-run": dryRun,
    settle: option(
      z
        .string()
        .regex(/^\d{1,4}$/, "--settle must be a number of seconds, at most 9999.")
        .default("60")
        .transform(Number),
      "SECONDS",
      "time for the table's stream consumers to catch up between two passes; default: 60",
    ),
    ...targetOptions,
  })
  .refine(
    ({ organisation, confirm, "dry-run": isDryRun }) => isDryRun || confirm === String(organisation),
    "Repeat the id with --confirm ID, or count the items with --dry-run.",
  )
  .refine(({ actor, "dry-run": isDryRun }) => isDryRun || actor !== undefined, "--actor is missing.");

const interrupted = "Interrupted. Part of the data is left. Run it again to continue.";

export const main = command({ name: "organisation erase", Options, about, interrupted }, run);

async function run(options: z.infer<typeof Options>, io: Io): Promise<number> {
  const { stdout, stderr, signal } = io;
  const { organisation, actor, "dry-run": isDryRun, settle } = options;
  const table = await openTarget(options);
  if (isDryRun || actor === undefined) return countOnly(table, organisation, io);
  const pause = backOff(signal);
  const erased: Erased = { counts: {}, passes: 0 };
  const complete = await auditStart(table, { organisation_id: organisation, action: "erasure", actor }, pause);
  const progress = showProgress(stderr, () => total(erased.counts));
  let isDone = false;
  try {
    const waiting = { pause, settle: () => wait(settle * 1_000, undefined, { signal }), signal };
    isDone = await eraseOrganisation(table, organisation, erased, waiting);
    if (isDone) await complete(erased.counts);
  } finally {
    progress.stop();
    stdout.write(`Erased from organisation ${organisation} in ${erased.passes} passes: ${itemCounts(erased.counts)}\n`);
  }
  stdout.write(`${isDone ? `The table contains no more of the organisation's data.\n${outOfReach}` : stillWriting}\n`);
  return isDone ? 0 : 1;
}

async function countOnly(table: Table, organisation: number, { stdout, signal }: Io): Promise<number> {
  const counts = {};
  const waiting = { pause: backOff(signal), signal };
  await scanOrganisation(table, organisation, async (items) => addTo(counts, items), waiting);
  stdout.write(`Organisation ${organisation} has ${itemCounts(counts)}\nNothing was changed.\n`);
  return 0;
}

function itemCounts(counts: Record<string, number>): string {
  return [`${count(total(counts))} items.`, describeCounts(counts)].filter(Boolean).join("\n");
}
