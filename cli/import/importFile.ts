import { readLines } from "../../functions/ingest/readLines.ts";
import { showProgress } from "../shared/progress.ts";
import { type Destination, importRecords } from "./importRecords.ts";
import { openInput } from "./openInput.ts";

/** The most bad lines that are told in full; more are only counted. */
const maximumToldLines = 100;

/** What the one who waits is told. */
export interface Told {
  /** How many records have arrived so far. */
  arrived: () => number;
  /** What became of them, even where it does not end well. */
  summary: (badLines: number, seconds: string) => string;
}

/**
 * Hands on the records of a file, or of standard input for `-`, and tells how far it is and which lines are bad.
 *
 * @returns the exit code: 1 where lines were bad.
 * @throws UsageError where the file cannot be read.
 */
export async function importFile(
  file: string,
  destination: Destination,
  { arrived, summary }: Told,
  signal: AbortSignal,
): Promise<number> {
  const { chunks, bytesRead, totalBytes } = await openInput(file, signal);
  const startMs = performance.now();
  let bad = 0;
  const progress = showProgress(process.stderr, () => ({
    records: arrived(),
    fraction: totalBytes && bytesRead() / totalBytes,
  }));
  const onBadLine = (number: number, problem: string) => {
    bad += 1;
    if (bad <= maximumToldLines) progress.print(`line ${number}: ${problem}`);
    if (bad === maximumToldLines + 1) progress.print("More bad lines are only counted.");
  };
  try {
    await importRecords(readLines(chunks), destination, onBadLine, signal);
  } finally {
    progress.stop();
    console.log(summary(bad, ((performance.now() - startMs) / 1000).toFixed(1)));
  }
  return Math.min(bad, 1);
}
