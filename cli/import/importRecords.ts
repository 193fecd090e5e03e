import type { RecordItem } from "../../functions/data/records/recordItem.ts";
import { parseLine } from "../../functions/ingest/parseLine.ts";
import type { Line } from "../../functions/ingest/readLines.ts";

/** Where the lines' records go. */
export interface Destination {
  /** Takes a record, or its text, waiting while there are enough under way; and tells why where it cannot. */
  add: (item: RecordItem, text: string) => Promise<string | undefined> | Promise<void>;
  /** Hands on what is left and waits for all of it. */
  finish: () => Promise<void>;
  /** Waits for what is under way, whatever becomes of it. */
  settle: () => Promise<void>;
}

/**
 * Hands on the record of every line; a bad line is reported, and the others go in.
 *
 * @param signal stops it: what is under way is ended, the rest is left.
 */
export async function importRecords(
  lines: AsyncIterable<Line>,
  destination: Destination,
  onBadLine: (number: number, problem: string) => void,
  signal: AbortSignal,
): Promise<void> {
  try {
    for await (const line of lines) {
      if (signal.aborted) return;
      const problem = await take(line, destination);
      if (problem !== undefined) onBadLine(line.number, problem);
    }
    await destination.finish();
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    await destination.settle();
  }
}

async function take(line: Line, destination: Destination): Promise<string | undefined> {
  if ("problem" in line) return line.problem;
  const parsed = parseLine(line);
  if ("problem" in parsed) return parsed.problem;
  return (await destination.add(parsed.item, line.text)) ?? undefined;
}
