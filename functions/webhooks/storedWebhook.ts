import * as z from "zod";
import { notFound } from "../problem.ts";
import { visibilityDelayMs } from "../records/changeTime.ts";
import { changingTypes } from "../resources/index.ts";
import { maximumErrorMs } from "../table/clock.ts";
import type { Item } from "../table/item.ts";
import { itemKeys } from "../table/itemKeys.ts";
import { dueWebhookKey } from "../table/lists.ts";
import { getItem } from "../table/reads.ts";
import type { Table } from "../table/table.ts";
import { isWritten, putItem } from "../table/writes.ts";
import { isoOf } from "../values/instant.ts";
import { longestDelayMs } from "./deliveryLimits.ts";
import { Webhook } from "./webhook.ts";

/** All times are the table's. */
export const StoredWebhook = Webhook.omit({ next_attempt: true }).extend({
  organisation_id: z.int(),
  /** The cursor in the organisation's changes of these types, after the last delivered one. */
  position: z.string(),
  secret_version: z.int(),
  /** The first version whose key is text; null if none is, as in webhooks that an earlier release created. */
  text_secret_from: z.int().nullable().default(null),
  /** The next poll of an active webhook, whether or not it has anything to send; null if it is not active. */
  next_poll: z.string().nullable(),
  /** Consecutive failed attempts. While there are any, `next_poll` is a retry's time. */
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
  const { organisation_id, id, next_poll } = stored;
  const place = next_poll !== null && dueWebhookKey(organisation_id, id, next_poll);
  return { ...itemKeys.webhook(organisation_id, id), ...stored, ...place };
}

/** A webhook as its super-admins see it, at the table's time. While it only waits for a change, it shows no next attempt. */
export function publicWebhook(stored: StoredWebhook, { clock }: Table): Webhook {
  const next_attempt = isScheduled(stored, clock.nowMs()) ? stored.next_poll : null;
  return Webhook.parse({ ...stored, next_attempt });
}

/** True for a scheduled retry, or a poll within a minute. Otherwise, the next change causes a poll. */
export function isScheduled({ failures, next_poll }: StoredWebhook, nowMs: number): boolean {
  return failures > 0 || Date.parse(next_poll ?? "") <= nowMs + longestDelayMs;
}

export const withoutFailure = { failing_since: null, failures: 0 };

/** All changes up to now are shown after this time, even if two clocks differ. */
export const wakeDelayMs = visibilityDelayMs + 2 * maximumErrorMs;

/** Schedules an active webhook's next poll for when all changes up to now are shown. @param nowMs by the table's clock. */
export function pollSoon(stored: StoredWebhook, nowMs: number): StoredWebhook {
  return { ...stored, next_poll: stored.status === "active" ? isoOf(nowMs + wakeDelayMs) : null };
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

/** @throws Problem `not_found` */
export async function getWebhook(table: Table, organisationId: number, id: string): Promise<StoredWebhook> {
  const stored = await readWebhook(table, organisationId, id);
  if (!stored) throw notFound("webhook");
  return stored;
}

/** Polls an active webhook soon, after a lost wake-up. If a retry is due anyway, it stays: it sends these changes too. */
export async function schedule(table: Table, organisationId: number, id: string): Promise<void> {
  for (;;) {
    const stored = await readWebhook(table, organisationId, id);
    if (stored?.status !== "active") return;
    const after = pollSoon(stored, table.clock.nowMs());
    if (stored.failures > 0 && String(stored.next_poll) > String(after.next_poll)) return;
    const { put, condition } = withNextRevision(stored, after);
    if (await isWritten(putItem(table, put, condition))) return;
  }
}
