import { ChangeMessageVisibilityCommand } from "@aws-sdk/client-sqs";
import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from "aws-lambda";
import * as z from "zod";
import { queueClient } from "../feed/queue.ts";
import { logger } from "../log/logger.ts";
import { measurements } from "../log/measurements.ts";
import { parseJson } from "../parseJson.ts";
import { openTable } from "../table/table.ts";
import { type Delivered, deliverWebhook } from "./deliverWebhook.ts";
import { WebhookRef, wakeAll } from "./wakeUp.ts";
import { consumerTimeoutMs, longestHeldMs, returnMarginMs } from "./webhooksDelivery.ts";

const operationId = "webhooks";

/** Delivers the webhooks that a batch of messages wakes, or wakes all that are active. */
export async function handler(
  event: SQSEvent | { source: "aws.events" },
  context?: Pick<Context, "getRemainingTimeInMillis">,
): Promise<SQSBatchResponse> {
  if (!("Records" in event)) return sweep();
  const startedMs = performance.now();
  const table = openTable();
  const delivered: Delivered = { messages: 0, failures: 0 };
  const timeLeftMs = (context?.getRemainingTimeInMillis() ?? consumerTimeoutMs) - returnMarginMs;
  const signal = AbortSignal.timeout(Math.max(0, timeLeftMs));
  // Several messages of one webhook ask for the same.
  const byWebhook = Map.groupBy(event.Records, ({ body }) => body);
  const outcomes = await Promise.all(
    [...byWebhook.values()].map(async (records) => {
      const last = records.at(-1);
      const ref = WebhookRef.safeParse(parseJson(last?.body ?? "").value).data;
      if (!last || !ref) return { failed: true };
      try {
        const againMs = await deliverWebhook(table, ref, { signal, delivered });
        return {
          failed: false,
          held: againMs !== undefined && againMs <= longestHeldMs ? await hold(last, againMs) : [],
        };
      } catch (error) {
        // The sweep wakes it again.
        logger.error("A webhook was not delivered.", { ...ref, error });
        return { failed: true };
      }
    }),
  );
  const failed = outcomes.filter((outcome) => outcome.failed).length;
  const { messages, failures, waitedMs } = delivered;
  logger.info("webhooks", {
    webhooks: byWebhook.size,
    failed,
    messages,
    receiver_failures: failures,
    ...measurements({
      operationId,
      startedMs,
      usage: table.usage,
      ...(waitedMs !== undefined && { waitedSeconds: waitedMs / 1_000 }),
      counts: {
        ...(messages > 0 && { webhook_messages: messages }),
        ...(failures > 0 && { webhook_receiver_failures: failures }),
        ...(failed > 0 && { webhook_errors: failed }),
      },
    }),
  });
  return { batchItemFailures: outcomes.flatMap(({ held = [] }) => held) };
}

async function sweep(): Promise<SQSBatchResponse> {
  const startedMs = performance.now();
  const table = openTable();
  const { woken, failingSince } = await wakeAll(table);
  const undelivered = failingSince && { webhook_undelivered_seconds: (Date.now() - Date.parse(failingSince)) / 1_000 };
  const counts = { webhook_sweep_failures: 0, ...undelivered };
  logger.info("webhooks swept", { woken, ...measurements({ operationId, startedMs, usage: table.usage, counts }) });
  return { batchItemFailures: [] };
}

/** Makes SQS deliver a message again after some time, until when its webhook gets no other. */
async function hold({ messageId, receiptHandle }: SQSRecord, ms: number) {
  const QueueUrl = z.url().parse(process.env.WEBHOOK_QUEUE_URL);
  const input = { QueueUrl, ReceiptHandle: receiptHandle, VisibilityTimeout: Math.ceil(ms / 1_000) };
  await queueClient(QueueUrl).send(new ChangeMessageVisibilityCommand(input));
  return [{ itemIdentifier: messageId }];
}
