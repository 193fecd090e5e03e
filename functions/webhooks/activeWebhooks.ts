import { partitions, webhookShards } from "../table/lists.ts";
import { listAllItems } from "../table/reads.ts";
import { type Pause, retryWhileUnavailable } from "../table/retries.ts";
import type { Table } from "../table/table.ts";
import { type StoredWebhook, schedule } from "./storedWebhook.ts";
import { activeOf } from "./wakeUp.ts";

/** The active webhooks of an organisation, or of all: the list of due webhooks has every active one, at its next poll. */
export async function listActive(table: Table, pause: Pause, organisationId?: number): Promise<StoredWebhook[]> {
  const active: StoredWebhook[] = [];
  const parts =
    organisationId === undefined
      ? webhookShards.map((shard) => partitions.dueWebhooks(shard))
      : [partitions.webhooks(organisationId)];
  for (const part of parts) {
    const items = await retryWhileUnavailable(() => listAllItems(table, part), pause);
    active.push(...activeOf(items));
  }
  return active;
}

/** Few, to leave throughput for the running service. */
const concurrency = 16;

/** Schedules a poll of every active webhook of an organisation, or of all, because their wake-ups were lost. @returns their number. */
export async function scheduleAll(
  table: Table,
  { pause, signal }: { pause: Pause; signal: AbortSignal },
  organisationId?: number,
): Promise<number> {
  const active = await listActive(table, pause, organisationId);
  for (let start = 0; start < active.length; start += concurrency) {
    signal.throwIfAborted();
    const some = active.slice(start, start + concurrency);
    await Promise.all(
      some.map(({ organisation_id, id }) => retryWhileUnavailable(() => schedule(table, organisation_id, id), pause)),
    );
  }
  return active.length;
}
