import { setTimeout as wait } from "node:timers/promises";
import { SendMessageBatchCommand } from "@aws-sdk/client-sqs";
import * as z from "zod";
import { queueClient } from "../feed/queue.ts";
import { logger } from "../log/logger.ts";
import { resourceTypes } from "../resources/resource.ts";
import { type ItemKey, organisationIdOf } from "../table/keys.ts";
import { lists, webhookShards } from "../table/lists.ts";
import { listAllItems, listItems } from "../table/reads.ts";
import { readable } from "../table/rows.ts";
import type { Table } from "../table/table.ts";
import { maximumWokenPerShard, wakeDelaySeconds } from "./deliveryLimits.ts";
import { markDue, StoredWebhook, typesOf } from "./storedWebhook.ts";

/** Names a webhook in a message of the queue. */
export const WebhookRef = z.object({
  organisation_id: z.int(),
  id: z.string(),
  /** When the change was accepted that woke it. The webhook must be looked at once that change is shown. */
  until: z.iso.datetime().optional(),
});
export type WebhookRef = z.infer<typeof WebhookRef>;

const Environment = z.object({ WEBHOOK_QUEUE_URL: z.url() });

/** What items are called in a webhook's types, by sort key. */
const typeBySortKey = new Map<string, string>(Object.entries(resourceTypes).map(([type, { item }]) => [item, type]));

/** A changed item, and when its change was accepted; undefined for one that is not among the organisation's changes. */
interface ChangedItem {
  key: ItemKey;
  accepted: string | undefined;
}

/**
 * Wakes the webhooks that follow these changed items, so that they look when the changes are shown. Those that the queue refuses are marked in the
 * table, where the sweep finds them.
 * @throws if the table is unavailable. Waking again does no harm.
 */
export async function wakeFollowers(table: Table, changed: readonly ChangedItem[]): Promise<void> {
  const byOrganisation = Map.groupBy(
    changed.filter(({ key, accepted }) => accepted !== undefined && typeBySortKey.has(key.SK)),
    ({ key }) => organisationIdOf(key.PK),
  );
  const followers = await Promise.all(
    [...byOrganisation].map(async ([organisationId, items]) => {
      const types = new Set(items.map(({ key }) => typeBySortKey.get(key.SK)));
      const until = items.map(({ accepted = "" }) => accepted).reduce((last, time) => (time > last ? time : last));
      const webhooks = (await listAllItems(table, lists.webhooks(organisationId)))
        .flatMap((item) => readable(StoredWebhook, item) ?? [])
        .filter((one) => one.status === "active" && !isLaterDue(table, one))
        .filter((one) => typesOf(one).some((type) => types.has(type)));
      return webhooks.map(({ id }) => ({ organisation_id: organisationId, id, until }));
    }),
  );
  const refused = await send(followers.flat(), wakeDelaySeconds);
  await Promise.all(refused.map(({ organisation_id, id }) => markDue(table, organisation_id, id)));
}

/** Whether the webhook will be looked at when the change is shown, because an attempt is due then or later. */
function isLaterDue({ clock }: Table, { next_attempt }: StoredWebhook): boolean {
  if (next_attempt === null || !clock.isSet()) return false;
  return Date.parse(next_attempt) > clock.nowMs() + wakeDelaySeconds * 1_000;
}

/** How long a person's request waits for the queue. */
const longestWakingMs = 1_000;

/** Wakes webhooks that somebody has changed and marked, so that they need not wait for the sweep. It never fails. */
export async function wakeSoon(webhooks: readonly WebhookRef[]): Promise<void> {
  await Promise.race([send(webhooks, wakeDelaySeconds), wait(longestWakingMs, undefined, { ref: false })]);
}

/** @throws if the queue refuses the message. */
export async function wakeAgain(webhook: WebhookRef, delaySeconds: number): Promise<void> {
  const refused = await send([webhook], delaySeconds);
  if (refused.length > 0) throw new Error("The queue refused a wake-up.");
}

/**
 * Wakes the webhooks that are due. One that is not woken stays due.
 * @param nowMs by the table's clock.
 * @returns their number, and how long the first of them has been due.
 */
export async function wakeDue(table: Table, nowMs: number): Promise<{ woken: number; lateMs: number }> {
  const until = new Date(nowMs).toISOString();
  const pages = await Promise.all(
    webhookShards.map((shard) => listItems(table, lists.dueWebhooks(shard, until), maximumWokenPerShard)),
  );
  const due = pages.flatMap(({ items }) => items.flatMap((item) => readable(StoredWebhook, item) ?? []));
  const refused = await send(due, 0);
  const lateMs = due.map(({ next_attempt, look_at }) => nowMs - Date.parse(next_attempt ?? look_at));
  return { woken: due.length - refused.length, lateMs: Math.max(0, ...lateMs) };
}

/** SQS's limit for a call. */
const maximumEntries = 10;
const maximumCalls = 20;

/** Sends a message for each webhook. @returns those whose message the queue did not accept. */
async function send(webhooks: readonly WebhookRef[], DelaySeconds: number): Promise<WebhookRef[]> {
  if (webhooks.length === 0) return [];
  const left = Array.from({ length: Math.ceil(webhooks.length / maximumEntries) }, (_, batch) =>
    webhooks.slice(batch * maximumEntries, (batch + 1) * maximumEntries),
  );
  const refused: WebhookRef[] = [];
  const sendBatches = async () => {
    for (let batch = left.shift(); batch; batch = left.shift()) {
      try {
        const { WEBHOOK_QUEUE_URL: QueueUrl } = Environment.parse(process.env);
        const Entries = batch.map((webhook, index) => ({
          Id: String(index),
          MessageBody: JSON.stringify(WebhookRef.parse(webhook)),
          MessageGroupId: String(webhook.organisation_id),
          DelaySeconds,
        }));
        const { Failed = [] } = await queueClient(QueueUrl).send(new SendMessageBatchCommand({ QueueUrl, Entries }));
        for (const { Id, Code } of Failed) logger.error("A wake-up was refused.", { ...batch[Number(Id)], code: Code });
        refused.push(...Failed.flatMap(({ Id }) => batch[Number(Id)] ?? []));
      } catch (error) {
        logger.error("The queue of wake-ups is unavailable.", { error });
        // The others would wait for it, too.
        refused.push(...batch, ...left.splice(0).flat());
      }
    }
  };
  await Promise.all(Array.from({ length: maximumCalls }, sendBatches));
  return refused;
}
