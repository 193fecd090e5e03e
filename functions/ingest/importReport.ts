import * as z from "zod";
import { type ImportObject, readText, writeText } from "./importObject.ts";
import { parseJson } from "./parseJson.ts";

/** Further rejected lines are only counted. */
const maximumToldLines = 1_000;

const count = z.int().nonnegative();

/** What has become of an object's lines, and where its import goes on. What it counts as accepted is in the queue. */
export const ImportReport = z.object({
  /** The key of the object. */
  object: z.string(),
  /** That of the object, whose content it tells about. */
  etag: z.string(),
  state: z.enum(["running", "done", "failed"]),
  /** Why it failed. */
  reason: z.string().nullable(),
  date_started: z.iso.datetime(),
  date_updated: z.iso.datetime(),
  /** Unpacked, up to the end of the last line that was read. */
  bytes_read: count,
  /** All lines, the blank ones too, which are neither accepted nor rejected. */
  lines_read: count,
  accepted: count,
  rejected: count,
  /** The first of them, by their numbers from 1. A reason names fields and never holds a value. */
  rejected_lines: z.array(z.object({ line: count, reason: z.string() })).max(maximumToldLines),
});
export type ImportReport = z.infer<typeof ImportReport>;

/** A report that is kept up to date. */
export interface OpenReport {
  report: ImportReport;
  /** Writes it as it is now, unless somebody else has written it since: then S3 refuses, and what is there stays. */
  save: () => Promise<void>;
}

/** Opens the report on an object: the one that is there, or a new one where that cannot be read or tells of another content. */
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

/** Counts a rejected line, and tells the first of them. */
export function addRejected(report: ImportReport, line: number, reason: string): void {
  report.rejected += 1;
  if (report.rejected <= maximumToldLines) report.rejected_lines.push({ line, reason });
}

function parse(text: string, object: ImportObject): ImportReport | undefined {
  const json = parseJson(text);
  const { data: report } = ImportReport.safeParse("value" in json ? json.value : undefined);
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
