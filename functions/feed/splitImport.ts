import { organisationIdOf } from "../table/keys.ts";
import { type ImportObject, readObject } from "./importObject.ts";
import { addRejected, type ImportReport, openReport } from "./importReport.ts";
import { type MessagePacker, messagePacker, type PackedMessage } from "./messagePacker.ts";
import { parseLine } from "./parseRecord.ts";
import { isBlank, type Line, readEveryLine } from "./readLines.ts";
import { gzipProblem, unpacked } from "./unpacked.ts";

/**
 * The progress is saved after this number of bytes. Processing them takes some seconds, and saving about a tenth of a second. So saving costs a
 * few per cent, and a killed run repeats a few seconds of work.
 */
const checkpointBytes = 64 * 1024 * 1024;

/** An import, or the rest of one. */
export interface Split {
  object: ImportObject;
  reportKey: string;
  /** Sends one message to the feed. */
  send: (message: PackedMessage) => Promise<void>;
  /** When it aborts, the import stops at the end of a line. */
  deadline: AbortSignal;
}

/**
 * Splits an object of NDJSON, plain or gzip, into messages of the feed, with constant memory. It continues from the position in its report, and
 * does nothing if the import is already done or failed.
 *
 * Lines that the saved report counts as accepted are in the queue. If a run was killed, or two run at the same time, some records are sent twice.
 * Of two concurrent runs, one fails when it saves its progress, so the report counts every line once.
 *
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
