import { readFile } from "node:fs/promises";
import { gunzipSync } from "node:zlib";
import { cases } from "../support/jest/cases.ts";
import { Row } from "../support/sync/row.ts";

/** The lines of the real data set. */
export async function dataSetLines(file: string): Promise<string[]> {
  const text = gunzipSync(await readFile(file)).toString();
  return text.trim().split("\n");
}

/** Every tenth line, which has records of every type and from the whole of the data set; with THOROUGH=1, all lines. */
export function someOf(lines: string[]): string[] {
  const tenth = lines.filter((_, index) => index % 10 === 0);
  return cases(tenth, lines);
}

/** The row that a mirror has for a line's record. */
export function rowOf(line: string): Row {
  const { type, event_id, data } = JSON.parse(line);
  return Row.parse({ type, id: data.id, ...(event_id !== undefined && { event_id }), data });
}
