import * as z from "zod";
import { parseJson } from "../parseJson.ts";
import { type ImportObject, readText, writeText } from "./importObject.ts";

/** Further rejected lines are only counted. */
const maximumListedLines = 1_000;

const count = z.int().nonnegative();

/** The progress of an object's import, and the position from which it continues. Lines counted as accepted are in the queue. */
export const ImportReport = z.object({
  /** The key of the object. */
  object: z.string(),
  /** The object's ETag, which identifies its content. */
  etag: z.string(),
  state: z.enum(["running", "done", "failed"]),
  /** Why it failed. */
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

export interface OpenReport {
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

/** Counts a rejected line, and lists it if it is among the first. */
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
