import { lists, webhookShards } from "../table/lists.ts";
import { listAllItems } from "../table/reads.ts";
import { readable } from "../table/rows.ts";
import type { Table } from "../table/table.ts";
import { type Pause, untilAnswered } from "../table/untilTaken.ts";
import { markDue, StoredWebhook } from "./storedWebhook.ts";

/** The active webhooks of an organisation, or of all: the list of due webhooks has every active one, at its next look. */
export async function listActive(table: Table, pause: Pause, organisationId?: number): Promise<StoredWebhook[]> {
  const active: StoredWebhook[] = [];
  const parts =
    organisationId === undefined
      ? webhookShards.map((shard) => lists.dueWebhooks(shard))
      : [lists.webhooks(organisationId)];
  for (const part of parts) {
    const items = await untilAnswered(() => listAllItems(table, part), pause);
    active.push(...items.flatMap((item) => readable(StoredWebhook, item) ?? []));
  }
  return active.filter(({ status }) => status === "active");
}

/** Few, to leave throughput for the running service. */
const atOnce = 16;

/**
 * Makes the sweep look at the active webhooks of an organisation, or of all, because their wake-ups were lost. Those that an attempt is planned for
 * keep its time.
 * @returns the number of active webhooks.
 */
export async function markAllDue(
  table: Table,
  { pause, signal }: { pause: Pause; signal: AbortSignal },
  organisationId?: number,
): Promise<number> {
  const active = await listActive(table, pause, organisationId);
  for (let start = 0; start < active.length; start += atOnce) {
    signal.throwIfAborted();
    const some = active.slice(start, start + atOnce);
    await Promise.all(
      some.map(({ organisation_id, id }) => untilAnswered(() => markDue(table, organisation_id, id), pause)),
    );
  }
  return active.length;
}
