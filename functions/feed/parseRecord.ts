import type * as z from "zod";
import { faultsIn, type JsonFault, parseJson } from "../parseJson.ts";
import { type RecordItem, recordItem, tombstone } from "../records/recordItem.ts";
import { Deletion, ExportedRecord, Record as InputRecord } from "../resources/record.ts";
import type { Line } from "./readLines.ts";
import { storageProblem } from "./storageProblem.ts";

/** Further problems of a record are only counted. */
const maximumProblems = 5;

type ParsedRecord = { item: RecordItem } | { problem: string };

export function parseLine(line: Line): ParsedRecord {
  if ("problem" in line) return line;
  if (hasTooManyValues(line.text)) return { problem: `More than ${maximumValues.toLocaleString("en")} JSON values.` };
  const json = parseJson(line.text);
  return "problem" in json ? json : parseRecord(json.value, { faults: faultsIn(line.text, json.value) });
}

/**
 * The most JSON values in a record. A storable one has at most 137,000, because each id in a list takes at least three of the item's 409,600
 * bytes. A line of 4 MB could have millions, which take far more memory than its text.
 */
const maximumValues = 140_000;

function hasTooManyValues(text: string): boolean {
  // Each value follows one of these characters.
  if (text.length <= 2 * maximumValues) return false;
  let values = 0;
  let isInString = false;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '"') isInString = !isInString;
    else if (character === "\\") at++;
    else if (!isInString && (character === "," || character === "[" || character === "{")) values++;
  }
  return values > maximumValues;
}

interface ParsingOptions {
  /** Parts that parsing the record's JSON changed or lost. */
  faults?: JsonFault[];
  /** True for a record that this service has exported: only its types are checked, because an earlier version may have stored it. */
  isExported?: boolean;
}

/** Parses an untrusted record into its item. A problem names fields and reasons but no values, which may be personal data. */
export function parseRecord(value: unknown, { faults = [], isExported }: ParsingOptions = {}): ParsedRecord {
  if (faults.length > 0) return { problem: describeIssues(faults) };
  if (typeof value === "object" && value !== null && "deleted" in value) {
    const { data: deletion, error } = Deletion.safeParse(value);
    return deletion ? { item: tombstone(deletion) } : { problem: describeIssues(error.issues) };
  }
  const { data: record, error } = (isExported ? ExportedRecord : InputRecord).safeParse(value);
  if (error) return { problem: describeIssues(error.issues) };
  const item = recordItem(record);
  const problem = isExported ? undefined : storageProblem(item);
  return problem === undefined ? { item } : { problem };
}

type Issue = Pick<z.core.$ZodIssue, "path" | "message"> & { code?: string; keys?: string[] };

/** Names fields and reasons, never values. */
export function describeIssues(issues: Issue[]): string {
  const shown = issues.slice(0, maximumProblems).map((issue) => {
    const field = issue.path.map((name) => (isName(name) ? String(name) : "…")).join(".");
    return `${field === "" ? "" : `${field}: `}${reason(issue)}`;
  });
  const more = issues.length - shown.length;
  return `${shown.join("; ")}${more > 0 ? `; and ${more} more` : ""}`;
}

function reason({ message, keys: unknown }: Issue): string {
  if (unknown === undefined) return message;
  const names = unknown.filter(isName).slice(0, maximumProblems);
  return `Unknown field${names.length > 0 ? ` ${names.join(", ")}` : ""}`;
}

/** The name of an unknown field is input too, so it is shown only if it looks like a name, or is the number of an element. */
function isName(name: PropertyKey): boolean {
  return typeof name === "number" || /^[a-z_]\w{0,39}$/i.test(String(name));
}
