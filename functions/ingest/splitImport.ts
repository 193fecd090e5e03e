import { type ImportObject, readObject } from "./importObject.ts";
import { addRejected, type ImportReport, openReport } from "./importReport.ts";
import { type MessagePacker, messagePacker } from "./messagePacker.ts";
import { parseLine } from "./parseLine.ts";
import { isBlank, type Line, readEveryLine } from "./readLines.ts";
import { gzipProblem, unpacked } from "./unpacked.ts";

/**
 * After so many bytes the progress is saved. To wait for the queue and to write the report takes about a tenth of a second, and these
 * bytes take some seconds: so saving costs a few per cent, and who is killed repeats a few seconds of work.
 */
const checkpointBytes = 64 * 1024 * 1024;

/** An import, or what is left of it. */
export interface Split {
  object: ImportObject;
  reportKey: string;
  /** Sends one message to the feed. */
  send: (body: string) => Promise<void>;
  /** Is aborted when the time is nearly over: then it stops at the end of a line. */
  deadline: AbortSignal;
}

/**
 * Splits an object of NDJSON, plain or gzip, into messages of the feed, in memory that does not grow with it. It goes on from where its
 * report is; an import that is done or has failed is left as it is.
 *
 * What a report says to be in the queue is in the queue. Where a run was killed, or two are under way at once, records are sent twice;
 * of two, one fails as soon as it wants to save its progress, and so every line counts once.
 *
 * @returns the report as it was saved: still `running` where the time was not enough.
 * @throws ObjectGone where the object is not any more what it was; its report stays as it is.
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

/** @returns why the line is rejected, if it is. */
async function offer(line: Line, packer: MessagePacker): Promise<string | undefined> {
  if ("problem" in line) return line.problem;
  const parsed = parseLine(line);
  return "problem" in parsed ? parsed.problem : packer.add(line.text);
}
