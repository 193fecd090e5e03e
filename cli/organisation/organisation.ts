import { userInfo } from "node:os";
import * as z from "zod";
import type { Item } from "../../functions/table/item.ts";
import { itemKeys, organisationPrefix } from "../../functions/table/itemKeys.ts";
import { partitions } from "../../functions/table/lists.ts";
import { getItems, listAllItems } from "../../functions/table/reads.ts";
import { type Pause, retryWhileUnavailable } from "../../functions/table/retries.ts";
import type { Table } from "../../functions/table/table.ts";
import { putItem } from "../../functions/table/writes.ts";
import { timeOrderedId } from "../../functions/values/timeOrderedId.ts";
import { idOption, option } from "../shared/command.ts";
import { count } from "../shared/progress.ts";
import type { Wanted } from "../table/scanTable.ts";

export const organisationOption = option(idOption("--organisation"), "ID", "the organisation");

/** The name of the person who requested the run, for the audit. */
export const Actor = z
  .string("--actor is missing.")
  .trim()
  .regex(/^[^\p{Cc}\p{Cs}]{1,100}$/u, "--actor must be a name of 1 to 100 characters.");
export const actorOption = option(Actor, "NAME", "the person who requested it, for the audit");

/** The name and id of a person of the platform team in an organisation's activity. */
export function platformTeam(actor: string): { name: string; subject: string } {
  return { name: `${actor} (platform team)`, subject: `platform team: ${userInfo().username}` };
}

/** The number of items by kind. */
export type Counts = Record<string, number>;

/** An entry of the audit of the platform team's work on whole organisations and on dead letters. It contains none of their data, and never changes. */
export const AuditEntry = z.object({
  id: z.string(),
  time: z.iso.datetime(),
  /** Null for dead letters, which can have records of several, and for an adoption of the table. */
  organisation_id: z.int().nullable(),
  action: z.enum([
    "export",
    "erasure",
    "restoration",
    "suspension",
    "resumption",
    "blanking",
    "redrive",
    "drop",
    "adoption",
  ]),
  /** The queue of the dead letters. */
  queue: z.string().optional(),
  /** The source of a restoration, as the option of npm run ops -- organisation restore. */
  source: z.string().optional(),
  /** The ids whose texts were blanked, because a restoration from an earlier export has to be followed by the same. */
  balance_payments: z.array(z.int()).optional(),
  orders: z.array(z.int()).optional(),
  /** A completed run has two entries with its `run_id`; a run with one entry did not finish. */
  state: z.enum(["started", "completed"]),
  run_id: z.string(),
  /** The name given with --actor, and the operating system's user. */
  actor: z.string(),
  os_user: z.string(),
  /** The items by kind; null at the start. */
  counts: z.record(z.string(), z.int()).nullable(),
});
export type AuditEntry = z.infer<typeof AuditEntry>;

/** Records the start of a run. @returns records its completion. */
export async function auditStart(
  table: Table,
  what: Pick<AuditEntry, "organisation_id" | "action" | "actor" | "queue" | "source" | "balance_payments" | "orders">,
  pause: Pause,
): Promise<(counts: Counts) => Promise<void>> {
  const run_id = timeOrderedId(new Date().toISOString());
  const add = async (state: AuditEntry["state"], counts: Counts | null) => {
    const time = new Date().toISOString();
    const id = state === "started" ? run_id : timeOrderedId(time);
    const entry: AuditEntry = { id, time, ...what, state, run_id, os_user: userInfo().username, counts };
    await retryWhileUnavailable(() => putItem(table, { ...itemKeys.organisationAudit(id), ...entry }), pause);
  };
  await add("started", null);
  return (counts) => add("completed", counts);
}

/** The whole audit, oldest first. */
export async function readAudit(table: Table, pause: Pause): Promise<AuditEntry[]> {
  const items = await retryWhileUnavailable(() => listAllItems(table, partitions.organisationAudit()), pause);
  return items.map((item) => AuditEntry.parse(item));
}

export const Hashed = z.object({ hash: z.string() });

/** The items that the authorizer looks up for an organisation's listed API keys. Skips damaged entries of the list. */
export async function apiKeyHashesOf(table: Table, organisationId: number, pause: Pause): Promise<Item[]> {
  const apiKeys = await retryWhileUnavailable(() => listAllItems(table, partitions.apiKeys(organisationId)), pause);
  const hashKeys = apiKeys.flatMap((item) => {
    const { data } = Hashed.safeParse(item);
    return data ? [itemKeys.apiKeyHash(data.hash)] : [];
  });
  return retryWhileUnavailable(() => getItems(table, hashKeys), pause);
}

/** All of one organisation's items: those in its own partitions and the hashes of its API keys. */
export function itemsOfOrganisation(organisationId: number): Wanted {
  return {
    filter: "begins_with(PK, :organisation) OR (begins_with(PK, :hash) AND organisation_id = :id)",
    values: {
      ":organisation": organisationPrefix(organisationId),
      ":hash": itemKeys.apiKeyHash("").PK,
      ":id": organisationId,
    },
  };
}

/** One line per kind, sorted by name. */
export function describeCounts(counts: Counts): string {
  return Object.entries(counts)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([what, number]) => `${count(number).padStart(12)} ${what}`)
    .join("\n");
}

export function total(counts: Counts): number {
  return Object.values(counts).reduce((sum, number) => sum + number, 0);
}

/** The second file of an export: the data that has no record. */
export function additionsOf(output: string): string {
  return `${output.replace(/\.ndjson$/, "")}.additions.ndjson`;
}
