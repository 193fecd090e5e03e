import type { RecordItem } from "../functions/data/recordItem.ts";
import { parseLine } from "./parseLine.ts";
import type { Line } from "./readLines.ts";

/** What has become of the lines so far. */
export interface Counts {
  /** Records that are in the table; in a dry run, those that would be. */
  written: number;
  /** Records that were left out because the stored one's version is higher. */
  older: number;
  bad: number;
}

/** Where records go. */
export interface Writer {
  /** Takes a record, waiting while there are enough under way. */
  add: (item: RecordItem) => Promise<void>;
  /** Writes what is left and waits for all of it. */
  finish: () => Promise<void>;
  /** Waits for what is under way, whatever becomes of it. */
  settle: () => Promise<void>;
}

/**
 * Writes the record of every line; a bad line is reported and counted, and the others go in.
 *
 * @param signal stops it: what is under way is ended, the rest is left.
 */
export async function importRecords(
  lines: AsyncIterable<Line>,
  writer: Writer,
  onBadLine: (number: number, problem: string) => void,
  signal: AbortSignal,
): Promise<void> {
  try {
    for await (const line of lines) {
      if (signal.aborted) return;
      const parsed = parseLine(line);
      if ("problem" in parsed) onBadLine(line.number, parsed.problem);
      else await writer.add(parsed.item);
    }
    await writer.finish();
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    await writer.settle();
  }
}
