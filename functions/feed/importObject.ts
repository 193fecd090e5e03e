import { Readable } from "node:stream";
import { setTimeout as wait } from "node:timers/promises";
import { GetObjectCommand, PutObjectCommand, S3Client } from "@aws-sdk/client-s3";
import * as z from "zod";
import { parseJson } from "../parseJson.ts";
import { pauseMs } from "../table/retries.ts";

/** An object in a bucket, with the content that the ETag identifies. */
export interface ImportObject {
  bucket: string;
  key: string;
  /** Without HTTP's quotes. */
  etag: string;
  sizeBytes: number;
}

export class ObjectGone extends Error {
  override readonly name = "ObjectGone";
}

/** Consecutive reads that fail without a byte, before the error is thrown. */
const maximumBrokenReads = 5;

let client: S3Client | undefined;

/** The process's only client. If `AWS_ENDPOINT_URL_S3` is an IP address, the SDK puts the bucket into the path by itself. */
function s3(): S3Client {
  client ??= new S3Client({
    requestHandler: { connectionTimeout: 5_000, socketTimeout: 30_000 },
    // S3 only has the checksum of a whole object, and reading one may take several requests. TLS protects the bytes in transit.
    responseChecksumValidation: "WHEN_REQUIRED",
  });
  return client;
}

/** If a read fails midway, the next request continues from there. @throws ObjectGone */
export async function* readObject(object: ImportObject, startByte: number): AsyncGenerator<Buffer> {
  // S3 rejects a range that begins at the end. An empty object is read without a range.
  if (startByte > 0 && startByte === object.sizeBytes) return;
  let nextByte = startByte;
  let brokenReads = 0;
  do {
    const body = await open(object, nextByte);
    try {
      for await (const chunk of body) {
        nextByte += chunk.length;
        brokenReads = 0;
        yield chunk;
      }
    } catch (error) {
      brokenReads += 1;
      if (brokenReads === maximumBrokenReads) throw error;
      await wait(pauseMs(brokenReads));
    }
  } while (nextByte < object.sizeBytes);
}

/** Reads a text, and its ETag with HTTP's quotes. Returns undefined if the object does not exist. */
async function readText(bucket: string, key: string): Promise<{ text: string; etag: string } | undefined> {
  try {
    const { Body, ETag } = await s3().send(new GetObjectCommand({ Bucket: bucket, Key: key }));
    if (!Body || ETag === undefined) throw new Error("S3 responded without a body or an ETag.");
    return { text: await Body.transformToString(), etag: ETag };
  } catch (error) {
    if (isRefusal(error, "NoSuchKey")) return undefined;
    throw error;
  }
}

/** @param replaced the ETag that was read, if any. @returns the new ETag. @throws S3's error if the object has changed since. */
async function writeText(
  { bucket, key }: Pick<ImportObject, "bucket" | "key">,
  text: string,
  replaced: string | undefined,
): Promise<string> {
  const condition = replaced === undefined ? { IfNoneMatch: "*" } : { IfMatch: replaced };
  const input = { Bucket: bucket, Key: key, Body: text, ContentType: "application/json", ...condition };
  const { ETag } = await s3().send(new PutObjectCommand(input));
  if (ETag === undefined) throw new Error("S3 responded without an ETag.");
  return ETag;
}

async function open({ bucket, key, etag }: ImportObject, startByte: number): Promise<Readable> {
  const Range = startByte > 0 ? `bytes=${startByte}-` : undefined;
  try {
    const { Body } = await s3().send(new GetObjectCommand({ Bucket: bucket, Key: key, IfMatch: `"${etag}"`, Range }));
    if (!(Body instanceof Readable)) throw new Error("S3 responded without a body.");
    return Body;
  } catch (error) {
    if (!isRefusal(error, "NoSuchKey", "PreconditionFailed")) throw error;
    throw new ObjectGone("The object was deleted or replaced.", { cause: error });
  }
}

function isRefusal(error: unknown, ...names: string[]): boolean {
  return error instanceof Error && names.includes(error.name);
}

/** Further rejected lines are only counted. */
const maximumListedLines = 1_000;

const count = z.int().nonnegative();

/** The progress of an object's import, and the position from which it continues. Lines counted as accepted are in the queue. */
export const ImportReport = z.object({
  object: z.string(),
  etag: z.string(),
  state: z.enum(["running", "done", "failed"]),
  reason: z.string().nullable(),
  date_started: z.iso.datetime(),
  date_updated: z.iso.datetime(),
  /** Unpacked bytes, up to the end of the last line that was read. */
  bytes_read: count,
  /** Includes blank lines, which are neither accepted nor rejected. */
  lines_read: count,
  accepted: count,
  rejected: count,
  /** The first rejected lines, by their numbers from 1. A reason names fields and never contains values. */
  rejected_lines: z.array(z.object({ line: count, reason: z.string() })).max(maximumListedLines),
});
export type ImportReport = z.infer<typeof ImportReport>;

interface OpenReport {
  report: ImportReport;
  /** Writes the report. Throws S3's error if another process has written it since; the stored report then stays. */
  save: () => Promise<void>;
}

/** Opens the stored report on an object, or a new one if the stored one is missing, invalid or about different content. */
export async function openReport(object: ImportObject, key: string): Promise<OpenReport> {
  const stored = await readText(object.bucket, key);
  const report = (stored && parse(stored.text, object)) ?? newReport(object);
  let etag = stored?.etag;
  return {
    report,
    async save() {
      report.date_updated = new Date().toISOString();
      etag = await writeText({ bucket: object.bucket, key }, `${JSON.stringify(report, null, 2)}\n`, etag);
    },
  };
}

export function addRejected(report: ImportReport, line: number, reason: string): void {
  report.rejected += 1;
  if (report.rejected <= maximumListedLines) report.rejected_lines.push({ line, reason });
}

function parse(text: string, object: ImportObject): ImportReport | undefined {
  const { data: report } = ImportReport.safeParse(parseJson(text).value);
  return report?.object === object.key && report.etag === object.etag ? report : undefined;
}

function newReport({ key, etag }: ImportObject): ImportReport {
  const now = new Date().toISOString();
  return {
    object: key,
    etag,
    state: "running",
    reason: null,
    date_started: now,
    date_updated: now,
    bytes_read: 0,
    lines_read: 0,
    accepted: 0,
    rejected: 0,
    rejected_lines: [],
  };
}
