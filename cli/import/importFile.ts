import { type FileHandle, open } from "node:fs/promises";
import { addAbortSignal } from "node:stream";
import * as z from "zod";
import { gzipProblem, readLines, unpacked } from "../../functions/feed/readLines.ts";
import type { Io } from "../shared/command.ts";
import { showProgress } from "../shared/progress.ts";
import { UsageError } from "../shared/usageError.ts";
import { type Destination, importRecords } from "./importRecords.ts";

/** Bad lines beyond this number are only counted. */
const maximumPrintedLines = 100;

/** A command's only argument. */
export const oneFile = z.tuple([z.string()], "Give one FILE, or - for standard input.");

/** What is reported while the import runs and at its end. */
interface Reported {
  /** The number of records that arrived so far. */
  arrived: () => number;
  /** Printed at the end, even after a failure. */
  summary: (badLines: number, seconds: string) => string;
}

/**
 * Sends the records of a file, or of standard input for `-`, to a destination, and prints progress and bad lines.
 *
 * @returns the exit code: 1 if lines were bad.
 * @throws UsageError if the file cannot be read.
 */
export async function importFile(
  file: string,
  destination: Destination,
  { arrived, summary }: Reported,
  io: Io,
): Promise<number> {
  const { chunks, bytesRead, totalBytes } = await openInput(file, io);
  let bad = 0;
  const progress = showProgress(io.stderr, arrived, () => totalBytes && bytesRead() / totalBytes);
  const onBadLine = (number: number, problem: string) => {
    bad += 1;
    if (bad <= maximumPrintedLines) progress.print(`line ${number}: ${problem}`);
    if (bad === maximumPrintedLines + 1) progress.print("Further bad lines are only counted.");
  };
  try {
    await importRecords(readLines(chunks), destination, onBadLine, io.signal);
  } finally {
    io.stdout.write(`${summary(bad, progress.stop())}\n`);
  }
  return Math.min(bad, 1);
}

interface Input {
  /** The unpacked bytes. */
  chunks: AsyncIterable<Buffer>;
  /** Bytes read from the file so far, before unpacking. */
  bytesRead: () => number;
  /** Undefined for standard input and pipes. */
  totalBytes: number | undefined;
}

/**
 * Opens a file, or standard input for `-`, plain or gzip. The first two bytes identify gzip.
 *
 * @param io its signal ends the reading, even while it waits for input.
 * @throws UsageError if the file cannot be read; `chunks` throws one if a gzip file is damaged or truncated.
 */
export async function openInput(file: string, { stdin, signal }: Pick<Io, "stdin" | "signal">): Promise<Input> {
  const { source, totalBytes } = file === "-" ? { source: stdin, totalBytes: undefined } : await openFile(file);
  addAbortSignal(signal, source);
  let bytesRead = 0;
  async function* counted(): AsyncGenerator<Buffer> {
    for await (const chunk of source) {
      bytesRead += chunk.length;
      yield chunk;
    }
  }
  return { chunks: explained(file, unpacked(counted)), bytesRead: () => bytesRead, totalBytes };
}

async function openFile(file: string) {
  let handle: FileHandle;
  try {
    handle = await open(file);
  } catch (error) {
    throw unreadable(file, error);
  }
  const stat = await handle.stat();
  if (stat.isDirectory()) {
    await handle.close();
    throw new UsageError(`Cannot read ${file}: it is a directory.`);
  }
  return { source: handle.createReadStream(), totalBytes: stat.isFile() ? stat.size : undefined };
}

async function* explained(file: string, chunks: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* chunks;
  } catch (error) {
    throw unreadable(file, error);
  }
}

function unreadable(file: string, error: unknown): unknown {
  if (!(error instanceof Error && "code" in error)) return error;
  const name = file === "-" ? "standard input" : file;
  const problem = gzipProblem(error);
  if (problem !== undefined) return new UsageError(`${name} is ${problem}.`, { cause: error });
  const reasons: Record<string, string> = { ENOENT: "no such file", EACCES: "permission denied" };
  return new UsageError(`Cannot read ${name}: ${reasons[String(error.code)] ?? error.message}.`, { cause: error });
}
