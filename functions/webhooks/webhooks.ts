import type { SQSBatchResponse, SQSEvent } from "aws-lambda";
import * as z from "zod";
import { logger } from "../log/logger.ts";
import { measurements } from "../log/measurements.ts";
import { parseJson } from "../parseJson.ts";
import { passedMs } from "../records/changeTime.ts";
import { openTable, type Table } from "../table/table.ts";
import { deliverWebhook, type Report } from "./deliverWebhook.ts";
import { type Sender, sender } from "./sendMessage.ts";
import { schedule } from "./storedWebhook.ts";
import { WebhookRef, wake, wakeDue } from "./wakeUp.ts";

const operationId = "webhooks";

const Environment = z.object({ BASE_URL: z.url() });

/** Delivers the webhooks that a batch of messages wakes, or wakes those that are due. */
export function handler(event: SQSEvent | { source: "aws.events" }): Promise<SQSBatchResponse> {
  return "Records" in event ? deliverBatch(event, openTable(), sender) : sweep(openTable());
}

/**
 * Serves the webhooks of a batch concurrently. If delivery fails on our side, the webhook is scheduled for the next sweep. Only if that also fails
 * does SQS redeliver the message.
 */
export async function deliverBatch({ Records }: SQSEvent, table: Table, own: Sender): Promise<SQSBatchResponse> {
  const startedMs = performance.now();
  const { BASE_URL: baseUrl } = Environment.parse(process.env);
  const reports: Report[] = [];
  const failed: string[] = [];
  let errors = 0;
  const deliver = async (ref: WebhookRef) => {
    const { wakeMs, report } = await deliverWebhook(table, ref, { sender: own, baseUrl });
    if (report) reports.push(report);
    if (wakeMs === undefined) return;
    const refused = await wake([ref], wakeMs);
    if (refused.length > 0) throw new Error("The queue refused a wake-up.");
  };
  await Promise.all(
    Records.map(async ({ messageId, body }) => {
      const ref = WebhookRef.safeParse(parseJson(body).value).data;
      if (!ref) return logger.error("A message names no webhook.", { message: messageId });
      try {
        await deliver(ref);
      } catch (error) {
        logger.error("A webhook was not delivered.", { ...ref, error });
        errors += 1;
        await schedule(table, ref.organisation_id, ref.id).catch(() => failed.push(messageId));
      }
    }),
  );
  logReports(table, { startedMs, webhooks: Records.length, errors, reports });
  return { batchItemFailures: failed.map((itemIdentifier) => ({ itemIdentifier })) };
}

interface Work {
  startedMs: number;
  webhooks: number;
  errors: number;
  reports: Report[];
}

function logReports({ usage }: Table, { startedMs, webhooks, errors, reports }: Work): void {
  const messages = reports.filter(({ isAccepted }) => isAccepted).length;
  const failures = reports.length - messages;
  const counts = {
    webhook_late_seconds: Math.max(0, ...reports.map(({ lateMs }) => lateMs)) / 1_000,
    ...(messages > 0 && { webhook_messages: messages }),
    ...(failures > 0 && { webhook_receiver_failures: failures }),
    ...(errors > 0 && { webhook_errors: errors }),
  };
  const measured = measurements({ operationId, startedMs, usage, counts });
  logger.info("webhooks", { webhooks, failed: errors, messages, receiver_failures: failures, ...measured });
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
