import type { Context, SQSEvent, SQSRecord } from "aws-lambda";
import * as z from "zod";
import { logger } from "../log/logger.ts";
import { measurements } from "../log/measurements.ts";
import { isImport, reportKeyOf } from "./bulkDelivery.ts";
import { type ImportObject, ObjectGone } from "./importObject.ts";
import { type PackedMessage, sendPacked } from "./messagePacker.ts";
import { sendMessage } from "./queue.ts";
import { splitImport } from "./splitImport.ts";

const Environment = z.object({ FEED_QUEUE_URL: z.url(), IMPORT_QUEUE_URL: z.url() });

/** The function stops this long before its timeout, to save the progress. */
const savingMs = 60_000;

/** EventBridge's event "Object Created" of S3. Its key is not URL-encoded, unlike in S3's own notifications. */
const ObjectCreated = z
  .object({
    detail: z.object({
      bucket: z.object({ name: z.string() }),
      object: z.object({ key: z.string(), etag: z.string(), size: z.int().nonnegative() }),
    }),
  })
  .transform(({ detail: { bucket, object } }): ImportObject => {
    return { bucket: bucket.name, key: object.key, etag: object.etag, sizeBytes: object.size };
  });

/**
 * Splits new objects of the import bucket into messages of the feed. If the time is too short, it sends itself the same message to continue.
 * It throws only if S3 or SQS fails; then SQS redelivers the message, and the import continues from its report.
 */
export async function handler({ Records }: SQSEvent, context: Pick<Context, "getRemainingTimeInMillis">) {
  const deadline = AbortSignal.timeout(Math.max(0, context.getRemainingTimeInMillis() - savingMs));
  for (const message of Records) await processMessage(message, deadline);
}

async function processMessage({ body }: SQSRecord, deadline: AbortSignal): Promise<void> {
  const startedMs = performance.now();
  const { FEED_QUEUE_URL, IMPORT_QUEUE_URL } = Environment.parse(process.env);
  const object = ObjectCreated.parse(JSON.parse(body));
  const { key } = object;
  if (!isImport(key)) return logger.warn("Ignored an object that is not an import.", { key });
  const send = (message: PackedMessage) => sendPacked(FEED_QUEUE_URL, message);
  try {
    const report = await splitImport({ object, reportKey: reportKeyOf(key), send, deadline });
    if (report.state === "running") await sendMessage(IMPORT_QUEUE_URL, body);
    const { state, reason, bytes_read, lines_read, accepted, rejected } = report;
    logger.info("bulkImport", {
      key,
      state,
      reason,
      bytes_read,
      lines_read,
      accepted,
      rejected,
      ...measurements({ operationId: "bulkImport", startedMs }),
    });
  } catch (error) {
    if (!(error instanceof ObjectGone)) throw error;
    logger.warn("An object was deleted or replaced before its import was complete.", { key });
  }
}
