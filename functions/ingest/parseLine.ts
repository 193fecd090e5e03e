import { parseJson } from "./parseJson.ts";
import { type ParsedRecord, parseRecord } from "./parseRecord.ts";
import type { Line } from "./readLines.ts";

/** The item for a line's record, or the line's problem. */
export function parseLine(line: Line): ParsedRecord {
  if ("problem" in line) return line;
  const json = parseJson(line.text);
  return "problem" in json ? json : parseRecord(json.value);
}
