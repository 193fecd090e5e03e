import { type FileHandle, open } from "node:fs/promises";
import { addAbortSignal } from "node:stream";
import { UsageError } from "@ticketing/local-aws/usage-error";
import * as z from "zod";
import { parseLine } from "../../functions/feed/parseRecord.ts";
import { gzipProblem, type Line, readLines, unpacked } from "../../functions/feed/readLines.ts";
import type { RecordItem } from "../../functions/records/recordItem.ts";
import { type Io, option } from "../shared/command.ts";
import { showProgress } from "../shared/progress.ts";

/** Bad lines beyond this number are only counted. */
const maximumPrintedLines = 100;

/** A command's only argument. */
export const oneFile = option(
  z.tuple([z.string()], "Give one FILE, or - for standard input."),
  "FILE",
  "input records, one JSON object per line, plain or gzip; - for standard input",
);

interface Reported {
  arrived: () => number;
  /** Printed at the end, even after a failure. */
  summary: (badLines: number, seconds: string) => string;
}

/**
 * Sends the records of a file, or of standard input for `-`, to a destination, and prints progress and bad lines.
 * @returns the exit code: 1 if lines were bad.
 * @throws UsageError if the file cannot be read.
 */
export async function importFile(
  file: string,
  destination: Destination,
  { arrived, summary }: Reported,
  io: Io,
): Promise<number> {
  const chunks = await openInput(file, io);
  let bad = 0;
  const progress = showProgress(io.stderr, arrived);
  const onBadLine = (number: number, problem: string) => {
    bad += 1;
    if (bad <= maximumPrintedLines) io.stderr.write(`line ${number}: ${problem}\n`);
    if (bad === maximumPrintedLines + 1) io.stderr.write("Further bad lines are only counted.\n");
  };
  try {
    await importRecords(readLines(chunks), destination, onBadLine, io.signal);
  } finally {
    io.stdout.write(`${summary(bad, progress.stop())}\n`);
  }
  return Math.min(bad, 1);
}

export interface Destination {
  /** Waits while too many are in flight. Returns the problem if it rejects the record. @param onRefused gets the problem if it comes later. */
  add: (
    item: RecordItem,
    text: string,
    onRefused: (problem: string) => void,
  ) => Promise<string | undefined> | Promise<void>;
  /** Sends the rest and waits for all of it. */
  finish: () => Promise<void>;
  /** Waits for what is in flight, whether it succeeds or fails. */
  settle: () => Promise<void>;
}

/** Bad lines are reported and skipped. @param signal stops the import after what is in flight. */
export async function importRecords(
  lines: AsyncIterable<Line>,
  destination: Destination,
  onBadLine: (number: number, problem: string) => void,
  signal: AbortSignal,
): Promise<void> {
  try {
    for await (const line of lines) {
      if (signal.aborted) return;
      const onProblem = (problem: string) => onBadLine(line.number, problem);
      const problem = await take(line, destination, onProblem);
      if (problem !== undefined) onProblem(problem);
    }
    await destination.finish();
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    await destination.settle();
  }
}

async function take(
  line: Line,
  destination: Destination,
  onRefused: (problem: string) => void,
): Promise<string | undefined> {
  if ("problem" in line) return line.problem;
  const parsed = parseLine(line);
  if ("problem" in parsed) return parsed.problem;
  return (await destination.add(parsed.item, line.text, onRefused)) ?? undefined;
}

/**
 * Opens a file, or standard input for `-`, plain or gzip. The first two bytes identify gzip.
 * @param io its signal ends the reading, even while it waits for input.
 * @param name for errors, instead of the file's name, which may be a mistyped key.
 * @returns the unpacked bytes. Reading them throws a UsageError if a gzip file is damaged or truncated.
 * @throws UsageError if the file cannot be read.
 */
export async function openInput(
  file: string,
  { stdin, signal }: Pick<Io, "stdin" | "signal">,
  name = file === "-" ? "Standard input" : "The file",
): Promise<AsyncIterable<Buffer>> {
  const source = file === "-" ? stdin : await openFile(file, name);
  addAbortSignal(signal, source);
  const read = async function* () {
    yield* source;
  };
  return explained(name, unpacked(read));
}

async function openFile(file: string, name: string) {
  let handle: FileHandle;
  try {
    handle = await open(file);
  } catch (error) {
    throw unreadable(name, error);
  }
  if (!(await handle.stat()).isDirectory()) return handle.createReadStream();
  await handle.close();
  throw new UsageError(`${name} is a directory.`);
}

async function* explained(name: string, chunks: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* chunks;
  } catch (error) {
    throw unreadable(name, error);
  }
}

function unreadable(name: string, error: unknown): unknown {
  if (!(error instanceof Error && "code" in error)) return error;
  const problem = gzipProblem(error) ?? `unreadable: ${reasons[String(error.code)] ?? error.code}`;
  return new UsageError(`${name} is ${problem}.`, { cause: error });
}

const reasons: Record<string, string> = { ENOENT: "it does not exist", EACCES: "permission denied" };
