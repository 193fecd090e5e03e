import { ChangeMessageVisibilityCommand } from "@aws-sdk/client-sqs";
import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from "aws-lambda";
import * as z from "zod";
import { passedMs } from "../changes/changeRepository.ts";
import { queueClient } from "../feed/queue.ts";
import { logger } from "../log/logger.ts";
import { measurements } from "../log/measurements.ts";
import { parseJson } from "../parseJson.ts";
import { Pace } from "../table/pace.ts";
import { openTable, type Table } from "../table/table.ts";
import type { Delivered } from "./attempt.ts";
import { deliverWebhook } from "./deliverWebhook.ts";
import {
  consumerTimeoutMs,
  longestDelayMs,
  longestRetrySeconds,
  longestSendingMs,
  returnMarginMs,
  visibilityTimeoutMs,
} from "./deliveryLimits.ts";
import { markDue, type Sender, sender } from "./storedWebhook.ts";
import { WebhookRef, wakeAgain, wakeDue } from "./wakeUp.ts";

const operationId = "webhooks";

const Environment = z.object({ WEBHOOK_QUEUE_URL: z.url(), BASE_URL: z.url() });

/** Delivers the webhooks that a batch of messages wakes, or wakes those that are due. */
export function handler(
  event: SQSEvent | { source: "aws.events" },
  context?: Pick<Context, "getRemainingTimeInMillis">,
): Promise<SQSBatchResponse> {
  return "Records" in event ? deliverBatch(event, openTable(), sender, context) : sweep(openTable());
}

/**
 * Serves the webhooks of a batch at the same time. One that failed because of us is marked as due. A message is failed, and comes again, only if
 * that is impossible, too.
 */
export async function deliverBatch(
  { Records }: SQSEvent,
  table: Table,
  own: Sender,
  context?: Pick<Context, "getRemainingTimeInMillis">,
): Promise<SQSBatchResponse> {
  const startedMs = performance.now();
  const delivered: Delivered = { messages: 0, failures: 0, lateMs: 0 };
  const timeLeftMs = (context?.getRemainingTimeInMillis() ?? consumerTimeoutMs) - returnMarginMs;
  const signal = AbortSignal.timeout(Math.max(0, Math.min(timeLeftMs, longestSendingMs)));
  const { BASE_URL: baseUrl } = Environment.parse(process.env);
  const byWebhook = Map.groupBy(Records, ({ body }) => nameOf(refOf(body)));
  const pace = new Pace();
  let failed = 0;
  const again = await Promise.all(
    [...byWebhook.values()].map(async (records) => {
      const ref = latest(records);
      if (!ref) return drop(records);
      try {
        const againMs = await deliverWebhook(table, ref, { signal, delivered, sender: own, baseUrl, pace });
        if (againMs !== undefined && againMs <= longestDelayMs) await wakeAgain(ref, Math.ceil(againMs / 1_000));
        return [];
      } catch (error) {
        logger.error("A webhook was not delivered.", { ...ref, error });
        failed += 1;
        return (await isMarked(table, ref)) ? [] : records;
      }
    }),
  );
  logDeliveries(table, { startedMs, webhooks: byWebhook.size, failed, delivered });
  await Promise.all(again.flat().map(postpone));
  return { batchItemFailures: again.flat().map(({ messageId }) => ({ itemIdentifier: messageId })) };
}

/** Lets the sweep wake a webhook again. @returns false if the table refuses that. */
function isMarked(table: Table, { organisation_id, id }: WebhookRef): Promise<boolean> {
  return markDue(table, organisation_id, id).then(
    () => true,
    () => false,
  );
}

function refOf(body: string): WebhookRef | undefined {
  return WebhookRef.safeParse(parseJson(body).value).data;
}

function nameOf(ref: WebhookRef | undefined): string {
  return ref ? `${ref.organisation_id} ${ref.id}` : "";
}

/** Several messages of one webhook ask for a look when the latest of their changes is shown. */
function latest(records: SQSRecord[]): WebhookRef | undefined {
  const refs = records.flatMap(({ body }) => refOf(body) ?? []);
  return refs.toSorted((one, other) => (one.until ?? "").localeCompare(other.until ?? "")).at(-1);
}

function drop(records: SQSRecord[]): [] {
  logger.error("A message names no webhook.", { messages: records.map(({ messageId }) => messageId) });
  return [];
}

/** Makes SQS deliver a failed message again, after a longer wait each time. If that fails, it comes after the queue's own timeout. */
async function postpone({ receiptHandle, attributes }: SQSRecord): Promise<void> {
  const { WEBHOOK_QUEUE_URL: QueueUrl } = Environment.parse(process.env);
  const receives = Number(attributes.ApproximateReceiveCount);
  const VisibilityTimeout = Math.min(longestRetrySeconds, (visibilityTimeoutMs / 1_000) * 2 ** (receives - 1));
  const input = { QueueUrl, ReceiptHandle: receiptHandle, VisibilityTimeout };
  await queueClient(QueueUrl)
    .send(new ChangeMessageVisibilityCommand(input))
    .catch((error: unknown) => logger.error("A message was not postponed.", { error }));
}

interface Work {
  startedMs: number;
  webhooks: number;
  failed: number;
  delivered: Delivered;
}

function logDeliveries({ usage }: Table, { startedMs, webhooks, failed, delivered }: Work): void {
  const { messages, failures, waitedMs, lateMs } = delivered;
  const counts = {
    webhook_late_seconds: lateMs / 1_000,
    ...(messages > 0 && { webhook_messages: messages }),
    ...(failures > 0 && { webhook_receiver_failures: failures }),
    ...(failed > 0 && { webhook_errors: failed }),
  };
  const waited = waitedMs !== undefined && { waitedSeconds: waitedMs / 1_000 };
  const measured = measurements({ operationId, startedMs, usage, counts, ...waited });
  logger.info("webhooks", { webhooks, failed, messages, receiver_failures: failures, ...measured });
}

/** Wakes the webhooks that are due, and reports whether their secrets can be derived. */
async function sweep(table: Table): Promise<SQSBatchResponse> {
  const startedMs = performance.now();
  const isKeyUsable = await sender.mac("the sweep's check").then(
    () => true,
    (error: unknown) => {
      logger.error("The key of the webhooks' secrets is not usable.", { error });
      return false;
    },
  );
  const { woken, lateMs } = await wakeDue(table, await passedMs(table));
  const counts = { webhook_late_seconds: lateMs / 1_000, webhook_key_failures: isKeyUsable ? 0 : 1 };
  const measured = measurements({ operationId, startedMs, usage: table.usage, counts });
  logger.info("webhooks swept", { woken, ...measured });
  return { batchItemFailures: [] };
}
