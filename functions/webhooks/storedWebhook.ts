import * as z from "zod";
import { visibilityDelayMs } from "../records/changeTime.ts";
import { changingTypes } from "../resources/index.ts";
import { maximumErrorMs } from "../table/clock.ts";
import type { Item } from "../table/item.ts";
import { itemKeys } from "../table/itemKeys.ts";
import { dueWebhookKey } from "../table/lists.ts";
import { getItem } from "../table/reads.ts";
import type { Table } from "../table/table.ts";
import { isWritten, putItem } from "../table/writes.ts";
import { longestDelayMs } from "./deliveryLimits.ts";
import { Webhook } from "./webhook.ts";

/** All times are the table's. While the webhook is active, `next_attempt` is its next poll, even if it only waits for a change. */
export const StoredWebhook = Webhook.extend({
  organisation_id: z.int(),
  /** The cursor in the organisation's changes of these types, after the last delivered one. */
  position: z.string(),
  secret_version: z.int(),
  /** Consecutive failed attempts. While there are any, `next_attempt` is a retry's time. */
  failures: z.int(),
  /** The latest run that claimed the webhook, to send. */
  claim_id: z.string().nullable(),
  /** The end of the current run's claim; null if it has ended. */
  claimed_until: z.string().nullable(),
  /** Increased by every write, so that none overwrites another. */
  revision: z.int(),
});
export type StoredWebhook = z.infer<typeof StoredWebhook>;

export const typesOf = ({ types }: Pick<Webhook, "types">) => types ?? changingTypes;

/** The webhook's item. An index sorts the active webhooks by their next poll. */
export function itemOf(stored: StoredWebhook): Item {
  const { organisation_id, id, next_attempt } = stored;
  const place = next_attempt !== null && dueWebhookKey(organisation_id, id, next_attempt);
  return { ...itemKeys.webhook(organisation_id, id), ...stored, ...place };
}

/** A webhook as its super-admins see it, at the table's time. While it only waits for a change, it shows no next attempt. */
export function publicWebhook(stored: StoredWebhook, { clock }: Table): Webhook {
  return Webhook.parse({ ...stored, ...(!isScheduled(stored, clock.nowMs()) && { next_attempt: null }) });
}

/** True for a scheduled retry, or a poll within a minute. Otherwise, the next change causes a poll. */
export function isScheduled({ failures, next_attempt }: StoredWebhook, nowMs: number): boolean {
  return failures > 0 || Date.parse(next_attempt ?? "") <= nowMs + longestDelayMs;
}

export const withoutFailure = { failing_since: null, failures: 0 };

/** All changes up to now are shown after this time, even if two clocks differ. */
export const wakeDelayMs = visibilityDelayMs + 2 * maximumErrorMs;

/** Schedules an active webhook's next poll for when all changes up to now are shown. @param nowMs by the table's clock. */
export function pollSoon(stored: StoredWebhook, nowMs: number): StoredWebhook {
  const soon = new Date(nowMs + wakeDelayMs).toISOString();
  return { ...stored, next_attempt: stored.status === "active" ? soon : null };
}

/** The write of a changed webhook, on condition that it is as it was read. */
export function withNextRevision({ revision }: StoredWebhook, after: StoredWebhook) {
  return {
    put: itemOf({ ...after, revision: revision + 1 }),
    condition: { condition: "revision = :revision", values: { ":revision": revision } },
  };
}

export async function readWebhook(
  table: Table,
  organisationId: number,
  id: string,
): Promise<StoredWebhook | undefined> {
  const item = await getItem(table, itemKeys.webhook(organisationId, id));
  return item && StoredWebhook.parse(item);
}

/** Schedules a poll of an active webhook, whose wake-up was lost. A later retry keeps its time, because it also sends the changes up to now. */
export async function schedule(table: Table, organisationId: number, id: string): Promise<void> {
  for (;;) {
    const stored = await readWebhook(table, organisationId, id);
    if (stored?.status !== "active") return;
    const after = pollSoon(stored, table.clock.nowMs());
    if (stored.failures > 0 && String(stored.next_attempt) > String(after.next_attempt)) return;
    const { put, condition } = withNextRevision(stored, after);
    if (await isWritten(putItem(table, put, condition))) return;
  }
}
