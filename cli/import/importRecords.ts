import { parseLine } from "../../functions/feed/parseRecord.ts";
import type { Line } from "../../functions/feed/readLines.ts";
import type { RecordItem } from "../../functions/records/recordItem.ts";

export interface Destination {
  /**
   * Takes a record, or its text, and waits while too many are in flight. Returns the problem if it rejects the record.
   * @param onRefused gets the problem if it rejects the record later.
   */
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

/**
 * Sends the record of every line to the destination. Bad lines are reported and skipped.
 *
 * @param signal stops the import after what is in flight.
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
