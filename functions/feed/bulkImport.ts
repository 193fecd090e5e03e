import type { Context, SQSEvent, SQSRecord } from "aws-lambda";
import * as z from "zod";
import { logger } from "../log/logger.ts";
import { measurements } from "../log/measurements.ts";
import { sendMessage } from "../queue.ts";
import { organisationIdOf } from "../table/itemKeys.ts";
import { isImport, reportKeyOf } from "./importLimits.ts";
import {
  addRejected,
  type ImportObject,
  type ImportReport,
  ObjectGone,
  openReport,
  readObject,
} from "./importObject.ts";
import { type MessagePacker, messagePacker, type PackedMessage, sendPacked } from "./messagePacker.ts";
import { parseLine } from "./parseRecord.ts";
import { gzipProblem, isBlank, type Line, readEveryLine, unpacked } from "./readLines.ts";

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
 * Splits new objects of the import bucket into messages of the feed. If its time runs out, it sends itself the same message to continue.
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

/** Bytes between two saves of the progress: some seconds of work, which a killed run repeats. A save takes about a tenth of a second. */
const checkpointBytes = 64 * 1024 * 1024;

interface Split {
  object: ImportObject;
  reportKey: string;
  send: (message: PackedMessage) => Promise<void>;
  /** Aborting stops the import at the end of a line. */
  deadline: AbortSignal;
}

/**
 * Splits an object of NDJSON, plain or gzip, into messages of the feed, with constant memory. It continues from the position in its report, and
 * does nothing if the import is already done or failed.
 *
 * Lines that the saved report counts as accepted are in the queue. After a killed run, or with two concurrent runs, some records are sent twice.
 * One of two concurrent runs fails when it saves its progress, so the report counts every line once.
 * @returns the saved report, still `running` if the deadline came first.
 * @throws ObjectGone if the object was deleted or replaced; its report then stays unchanged.
 */
export async function splitImport(
  { object, reportKey, send, deadline }: Split,
  savedEveryBytes = checkpointBytes,
): Promise<ImportReport> {
  const { report, save } = await openReport(object, reportKey);
  if (report.state !== "running") return report;
  const packer = messagePacker(send);
  let savedBytes = report.bytes_read;
  const before = { lines: report.lines_read, bytes: report.bytes_read };
  const chunks = unpacked((startByte) => readObject(object, startByte), report.bytes_read);

  async function saveProgress(): Promise<void> {
    await packer.finish();
    await save();
    savedBytes = report.bytes_read;
  }

  try {
    for await (const { line, endByte } of readEveryLine(chunks, before)) {
      await take(line, report, packer);
      report.bytes_read = endByte;
      if (deadline.aborted || endByte - savedBytes >= savedEveryBytes) await saveProgress();
      if (deadline.aborted) return report;
    }
    report.state = "done";
  } catch (error) {
    const problem = gzipProblem(error);
    if (problem === undefined) throw error;
    report.state = "failed";
    report.reason = `The object is ${problem}.`;
  }
  await saveProgress();
  return report;
}

async function take(line: Line, report: ImportReport, packer: MessagePacker): Promise<void> {
  report.lines_read = line.number;
  if (isBlank(line)) return;
  const problem = await offer(line, packer);
  if (problem === undefined) report.accepted += 1;
  else addRejected(report, line.number, problem);
}

/** @returns the reason if the line is rejected. */
async function offer(line: Line, packer: MessagePacker): Promise<string | undefined> {
  if ("problem" in line) return line.problem;
  const parsed = parseLine(line);
  return "problem" in parsed ? parsed.problem : packer.add(organisationIdOf(parsed.item.PK), line.text);
}
