import { SendMessageBatchCommand } from "@aws-sdk/client-sqs";
import * as z from "zod";
import { logger } from "../log/logger.ts";
import { queueClient } from "../queue.ts";
import { visibilityDelayMs } from "../records/changeTime.ts";
import { resourceOf } from "../records/recordItem.ts";
import type { Item } from "../table/item.ts";
import { type ItemKey, organisationIdOf } from "../table/itemKeys.ts";
import { partitions, webhookShards } from "../table/lists.ts";
import { listAllItems, listItems } from "../table/reads.ts";
import { readable } from "../table/rows.ts";
import type { Table } from "../table/table.ts";
import { isoOf } from "../values/instant.ts";
import { longestDelayMs, maximumWokenPerShard } from "./deliveryLimits.ts";
import { StoredWebhook, schedule, typesOf, wakeDelayMs } from "./storedWebhook.ts";

/** A wake-up: a message of the queue that names a webhook to poll. */
export const WebhookRef = z.object({
  organisation_id: z.int(),
  id: z.string(),
  /** Poll only once changes up to this time are visible. */
  until: z.iso.datetime().optional(),
});
export type WebhookRef = z.infer<typeof WebhookRef>;

const Environment = z.object({ WEBHOOK_QUEUE_URL: z.url() });

interface ChangedItem {
  key: ItemKey;
  /** The change time; undefined if the item is not among the organisation's changes. */
  accepted: string | undefined;
}

/**
 * Wakes the webhooks that follow these changed items when the changes are shown. If the queue refuses a wake-up, the webhook is scheduled for the
 * sweep.
 * @throws if the table is unavailable. Waking again does no harm.
 */
export async function wakeFollowers(table: Table, changed: readonly ChangedItem[]): Promise<void> {
  const byOrganisation = Map.groupBy(
    changed.filter(({ key, accepted }) => accepted !== undefined && resourceOf(key.SK)),
    ({ key }) => organisationIdOf(key.PK),
  );
  const refused = await Promise.all(
    [...byOrganisation].map(async ([organisationId, items]) => {
      const types = new Set(items.map(({ key }) => resourceOf(key.SK)?.type));
      const until = items.map(({ accepted = "" }) => accepted).reduce((last, time) => (time > last ? time : last));
      const webhooks = activeOf(await listAllItems(table, partitions.webhooks(organisationId))).filter((one) =>
        typesOf(one).some((type) => types.has(type)),
      );
      const refs = webhooks.map(({ id }) => ({ organisation_id: organisationId, id, until }));
      return wake(refs, untilShownMs({ until }, table.clock.nowMs()));
    }),
  );
  await Promise.all(refused.flat().map(({ organisation_id, id }) => schedule(table, organisation_id, id)));
}

export function activeOf(items: readonly Item[]): StoredWebhook[] {
  return items.flatMap((item) => readable(StoredWebhook, item) ?? []).filter(({ status }) => status === "active");
}

/** The time until the change that woke a webhook is shown; 0 if it is shown already. */
export function untilShownMs({ until }: Pick<WebhookRef, "until">, nowMs: number): number {
  const ms = Date.parse(until ?? "") + visibilityDelayMs + 1 - nowMs;
  return ms > 0 ? Math.min(ms, longestDelayMs) : 0;
}

/**
 * Wakes the webhooks that are due. If the queue refuses a wake-up, the webhook stays due.
 * @param nowMs by the table's clock.
 * @returns their number, and how long the first of them has been due.
 */
export async function wakeDue(table: Table, nowMs: number): Promise<{ woken: number; lateMs: number }> {
  const until = isoOf(nowMs);
  const pages = await Promise.all(
    webhookShards.map((shard) => listItems(table, partitions.dueWebhooks(shard, until), maximumWokenPerShard)),
  );
  const due = pages.flatMap(({ items }) => items.flatMap((item) => readable(StoredWebhook, item) ?? []));
  const refused = await wake(due, 0);
  const lateMs = due.map(({ next_poll }) => nowMs - Date.parse(next_poll ?? until));
  return { woken: due.length - refused.length, lateMs: Math.max(0, ...lateMs) };
}

/** SQS's limit for a call. */
const maximumEntries = 10;

/** Sends a message for each webhook. @returns those whose message the queue did not accept. */
export async function wake(webhooks: readonly WebhookRef[], delayMs = wakeDelayMs): Promise<WebhookRef[]> {
  const batches = Array.from({ length: Math.ceil(webhooks.length / maximumEntries) }, (_, batch) =>
    webhooks.slice(batch * maximumEntries, (batch + 1) * maximumEntries),
  );
  return (await Promise.all(batches.map((batch) => wakeBatch(batch, delayMs)))).flat();
}

async function wakeBatch(batch: readonly WebhookRef[], delayMs: number): Promise<readonly WebhookRef[]> {
  try {
    const { WEBHOOK_QUEUE_URL: QueueUrl } = Environment.parse(process.env);
    const Entries = batch.map((webhook, index) => ({
      Id: String(index),
      MessageBody: JSON.stringify(WebhookRef.parse(webhook)),
      MessageGroupId: String(webhook.organisation_id),
      DelaySeconds: Math.ceil(delayMs / 1_000),
    }));
    const { Failed = [] } = await queueClient(QueueUrl).send(new SendMessageBatchCommand({ QueueUrl, Entries }));
    if (Failed.length > 0) logger.error("Wake-ups were refused.", { codes: Failed.map(({ Code }) => Code) });
    return Failed.flatMap(({ Id }) => batch[Number(Id)] ?? []);
  } catch (error) {
    logger.error("The queue of wake-ups is unavailable.", { error });
    return batch;
  }
}
