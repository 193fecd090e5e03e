import * as z from "zod";
import { ConditionFailed, Unavailable } from "./errors.ts";
import type { Item } from "./item.ts";
import { keys } from "./keys.ts";
import { getItem } from "./reads.ts";
import type { Table } from "./table.ts";
import { type Expression, updateItem } from "./writes.ts";

/** A table that was never reindexed has no number. `reindexing` is the version that an unfinished `npm run ops -- reindex` brings the table to. */
const Stored = z.object({ declarations: z.int().default(1), reindexing: z.int().optional() });
type StoredVersion = z.infer<typeof Stored>;

/** The versions that tables are known to satisfy. */
const known = new Map<string, number>();

/**
 * Refuses a request for a list whose declaration is newer than the table, because stored items are not in it yet. `npm run ops -- reindex` puts them there.
 * For such a list, it reads one item, once in each process.
 *
 * @param since the list's version. Every table satisfies version 1.
 * @throws Unavailable
 */
export async function assertSatisfied(table: Table, since = 1): Promise<void> {
  if (since <= (known.get(table.name()) ?? 1)) return;
  const { declarations } = await storedVersion(table);
  if (since > declarations) {
    throw new Unavailable(undefined, "This list is new, and existing data is not in it yet. Retry later.");
  }
  known.set(table.name(), declarations);
}

/** The version of the declarations that every item of the table satisfies. */
export async function storedVersion(table: Table): Promise<StoredVersion> {
  return Stored.parse((await getItem(table, keys.declarations())) ?? {});
}

/** Records that items are being brought to a version, so that an earlier version of this service reports its writes meanwhile. */
export async function storeReindexing(table: Table, version: number): Promise<void> {
  await change(table, version, { update: "SET reindexing = :version" });
}

/**
 * Records that every item satisfies a version.
 * @returns false if an earlier version of this service has written since {@link storeReindexing}, so that items may not satisfy it.
 */
export async function storeReindexed(table: Table, version: number): Promise<boolean> {
  const update = "SET declarations = :version REMOVE reindexing";
  const stored = await change(table, version, { update, condition: "reindexing = :version" });
  return Stored.parse(stored ?? {}).declarations === version;
}

const checkEveryMs = 60_000;
/** This process's last check that a table does not claim more than it writes, and when it began. */
const checks = new Map<string, { beganMs: number; check: Promise<void> }>();

/**
 * For each write of a record: if this is an earlier version of this service, which puts no item into newer lists, the table satisfies only its
 * declarations from now on, and an unfinished reindex must begin again. Reads one item a minute in each process, for all writes at the same time.
 */
export function lowerVersion(table: Table, version: number, nowMs = performance.now()): Promise<void> {
  const last = checks.get(table.name());
  if (last && nowMs - last.beganMs < checkEveryMs) return last.check;
  const check = lowerOnce(table, version);
  checks.set(table.name(), { beganMs: nowMs, check });
  check.catch(() => checks.delete(table.name()));
  return check;
}

async function lowerOnce(table: Table, version: number): Promise<void> {
  const { declarations, reindexing = 0 } = await storedVersion(table);
  const condition = "declarations > :version OR reindexing > :version";
  if (Math.max(declarations, reindexing) > version) {
    await change(table, version, { update: "SET declarations = :version REMOVE reindexing", condition });
  }
}

/** @returns the item after the change, or as it is if the condition is false. */
async function change(table: Table, version: number, { update, condition }: Expression): Promise<Item | undefined> {
  try {
    return await updateItem(table, keys.declarations(), { update, condition, values: { ":version": version } });
  } catch (error) {
    if (error instanceof ConditionFailed) return error.item;
    throw error;
  }
}
