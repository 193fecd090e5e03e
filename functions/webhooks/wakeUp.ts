import { SendMessageBatchCommand } from "@aws-sdk/client-sqs";
import * as z from "zod";
import { queueClient } from "../feed/queue.ts";
import { logger } from "../log/logger.ts";
import { resourceTypes } from "../resources/resource.ts";
import { type ItemKey, lists, organisationIdOf } from "../table/keys.ts";
import { listAllItems } from "../table/reads.ts";
import type { Table } from "../table/table.ts";
import { wakeDelaySeconds } from "./webhooksDelivery.ts";

/** Names a webhook in a message of the queue. */
export const WebhookRef = z.object({ organisation_id: z.int(), id: z.string() });
export type WebhookRef = z.infer<typeof WebhookRef>;

const Wakeable = WebhookRef.extend({
  status: z.string(),
  types: z.array(z.string()).nullable(),
  next_attempt: z.string().nullable(),
  failing_since: z.string().nullable(),
});
type Wakeable = z.infer<typeof Wakeable>;

const Environment = z.object({ WEBHOOK_QUEUE_URL: z.url() });

/** What items are called in a webhook's types, by sort key. */
const typeBySortKey = new Map<string, string>(Object.entries(resourceTypes).map(([type, { item }]) => [item, type]));

/**
 * Wakes the webhooks that follow these changed items, so that they look when the changes are shown. A failure is only logged: the sweep finds what
 * is missed.
 */
export async function wakeFollowers(table: Table, changed: readonly ItemKey[]): Promise<void> {
  try {
    const byOrganisation = Map.groupBy(
      changed.filter(({ SK }) => typeBySortKey.has(SK)),
      ({ PK }) => organisationIdOf(PK),
    );
    for (const [organisationId, items] of byOrganisation) {
      const types = new Set(items.map(({ SK }) => String(typeBySortKey.get(SK))));
      const webhooks = await listActive(table, lists.webhooks(organisationId));
      await wake(
        webhooks.filter(isDue).filter((one) => one.types === null || one.types.some((type) => types.has(type))),
      );
    }
  } catch (error) {
    logger.error("Webhooks were not woken. The sweep wakes them.", { error });
  }
}

/**
 * Wakes all active webhooks that are not waiting for a later retry.
 * @returns their number, and when the first of the attempts that still fail was made: by then its change was not delivered.
 */
export async function wakeAll(table: Table): Promise<{ woken: number; failingSince: string | undefined }> {
  const webhooks = await listActive(table, lists.activeWebhooks());
  const due = webhooks.filter(isDue);
  await wake(due);
  const [failingSince] = webhooks.flatMap(({ failing_since }) => failing_since ?? []).toSorted();
  return { woken: due.length, failingSince };
}

async function listActive(table: Table, list: Parameters<typeof listAllItems>[1]): Promise<Wakeable[]> {
  const webhooks = (await listAllItems(table, list)).flatMap((item) => {
    const { data, error } = Wakeable.safeParse(item);
    // It must not stop the others.
    if (error) logger.error("A stored webhook is damaged.", { partition: item.PK, id: item.SK, error });
    return data ?? [];
  });
  return webhooks.filter(({ status }) => status === "active");
}

function isDue({ next_attempt }: Wakeable): boolean {
  return next_attempt === null || Date.parse(next_attempt) <= Date.now() + wakeDelaySeconds * 1_000;
}

/** SQS's limit for a call. */
const maximumEntries = 10;

/** Sends a message for each webhook, at most one a second for each: SQS ignores a repeated deduplication id for five minutes. */
async function wake(webhooks: readonly WebhookRef[]): Promise<void> {
  if (webhooks.length === 0) return;
  const { WEBHOOK_QUEUE_URL: QueueUrl } = Environment.parse(process.env);
  const second = Math.floor(Date.now() / 1_000);
  for (let start = 0; start < webhooks.length; start += maximumEntries) {
    const Entries = webhooks.slice(start, start + maximumEntries).map(({ organisation_id, id }, index) => ({
      Id: String(index),
      MessageBody: JSON.stringify({ organisation_id, id } satisfies WebhookRef),
      MessageGroupId: id,
      MessageDeduplicationId: `${id}-${second}`,
    }));
    const { Failed = [] } = await queueClient(QueueUrl).send(new SendMessageBatchCommand({ QueueUrl, Entries }));
    if (Failed.length > 0) throw new Error(`SQS refused ${Failed.length} messages: ${Failed[0]?.Code}.`);
  }
}
