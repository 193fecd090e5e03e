import { userInfo } from "node:os";
import * as z from "zod";
import { keys, lists } from "../../functions/data/table/keys.ts";
import { listAllItems } from "../../functions/data/table/reads.ts";
import type { Table } from "../../functions/data/table/table.ts";
import { putItem } from "../../functions/data/table/writes.ts";
import { type Pause, untilTaken } from "../../functions/ingest/untilTaken.ts";
import { timeOrderedId } from "../../functions/resources/timeOrderedId.ts";
import { untilAnswered } from "../table/untilAnswered.ts";

/** Items by what they are. */
export type Counts = Record<string, number>;

/** An entry of the audit of what the platform team does to whole organisations. It names no data of theirs. Entries are added and never changed. */
export const AuditEntry = z.object({
  id: z.string(),
  time: z.iso.datetime(),
  organisation_id: z.int(),
  action: z.enum(["export", "erasure"]),
  /** Two entries tell of one run, which has an id; a run with one entry did not come to its end. */
  state: z.enum(["started", "completed"]),
  run_id: z.string(),
  /** Who says to have asked for it, and the user of the machine that it ran on. */
  actor: z.string(),
  os_user: z.string(),
  /** What was exported or erased; null at the start. */
  counts: z.record(z.string(), z.int()).nullable(),
});
export type AuditEntry = z.infer<typeof AuditEntry>;

/**
 * Writes that something begins.
 * @returns writes that it has come to its end.
 */
export async function auditStart(
  table: Table,
  what: Pick<AuditEntry, "organisation_id" | "action" | "actor">,
  pause: Pause,
): Promise<(counts: Counts) => Promise<void>> {
  const run_id = timeOrderedId(new Date().toISOString());
  const add = async (state: AuditEntry["state"], counts: Counts | null) => {
    const time = new Date().toISOString();
    const id = state === "started" ? run_id : timeOrderedId(time);
    const entry: AuditEntry = { id, time, ...what, state, run_id, os_user: userInfo().username, counts };
    const put = () => putItem(table, { ...keys.organisationAudit(id), ...entry }).then(() => []);
    await untilTaken([entry], put, pause);
  };
  await add("started", null);
  return (counts) => add("completed", counts);
}

/** The whole audit, in the order of time. */
export async function readAudit(table: Table, pause: Pause): Promise<AuditEntry[]> {
  const items = await untilAnswered(() => listAllItems(table, lists.organisationAudit()), pause);
  return items.map((item) => AuditEntry.parse(item));
}
