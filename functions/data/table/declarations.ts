import * as z from "zod";
import { Problem } from "../../problem.ts";
import { ConditionFailed } from "./errors.ts";
import { keys } from "./keys.ts";
import { getItem } from "./reads.ts";
import type { Table } from "./table.ts";
import { updateItem } from "./writes.ts";

/** Version 1.1 of this service stored no number. */
const Stored = z.object({ declarations: z.int().default(1) });

/** The versions that tables are known to satisfy. */
const known = new Map<string, number>();
/** The tables that are known not to claim more than this process writes. */
const lowered = new Set<string>();

/**
 * Refuses a request for a list whose declaration is newer than the table, because stored items are not in it yet. `npm run reindex` puts them there.
 * For such a list, it reads one item, once in each process.
 *
 * @param since the list's version. Every table satisfies version 1.
 * @throws Problem `service_unavailable`
 */
export async function assertSatisfied(table: Table, since = 1): Promise<void> {
  if (since <= (known.get(table.name()) ?? 1)) return;
  const version = await storedVersion(table);
  if (since > version) {
    throw new Problem("service_unavailable", "This list is new, and existing data is not in it yet. Retry later.");
  }
  known.set(table.name(), version);
}

/** The version of the declarations that every item of the table satisfies. */
export async function storedVersion(table: Table): Promise<number> {
  return Stored.parse((await getItem(table, keys.declarations())) ?? {}).declarations;
}

/** Records that every item satisfies a version. A newer one remains. */
export function storeVersion(table: Table, version: number): Promise<void> {
  return setVersion(table, version, "attribute_not_exists(declarations) OR declarations < :version");
}

/**
 * Before the first write of an earlier version of this service, which puts no item into newer lists: the table satisfies only its declarations from
 * now on. Reads one item, once in each process.
 */
export async function lowerVersion(table: Table, version: number): Promise<void> {
  if (lowered.has(table.name())) return;
  if ((await storedVersion(table)) > version) await setVersion(table, version, "declarations > :version");
  lowered.add(table.name());
}

async function setVersion(table: Table, version: number, condition: string): Promise<void> {
  const change = { update: "SET declarations = :version", condition, values: { ":version": version } };
  try {
    await updateItem(table, keys.declarations(), change);
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
  }
}
