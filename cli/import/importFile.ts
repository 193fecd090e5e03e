import * as z from "zod";
import { readLines } from "../../functions/feed/readLines.ts";
import type { Io } from "../shared/command.ts";
import { showProgress } from "../shared/progress.ts";
import { type Destination, importRecords } from "./importRecords.ts";
import { openInput } from "./openInput.ts";

/** Bad lines beyond this number are only counted. */
const maximumPrintedLines = 100;

/** A command's only argument. */
export const oneFile = z.tuple([z.string()], "Give one FILE, or - for standard input.");

/** What is reported while the import runs and at its end. */
export interface Reported {
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
