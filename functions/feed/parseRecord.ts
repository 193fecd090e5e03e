import type * as z from "zod";
import { parseJson } from "../parseJson.ts";
import { type RecordItem, recordItem } from "../records/recordItem.ts";
import { tombstone } from "../records/tombstone.ts";
import { Deletion, Record as InputRecord } from "../resources/record.ts";
import type { Line } from "./readLines.ts";
import { storageProblem } from "./storageProblem.ts";

/** Further problems of a record are only counted. */
const maximumProblems = 5;

/** The item for a record, or the record's problem. */
export type ParsedRecord = { item: RecordItem } | { problem: string };

/** The item for a line's record, or the line's problem. */
export function parseLine(line: Line): ParsedRecord {
  if ("problem" in line) return line;
  const json = parseJson(line.text);
  return "problem" in json ? json : parseRecord(json.value);
}

/**
 * Parses an untrusted record into its item. A problem names fields and reasons but never contains values, which may be personal data.
 */
export function parseRecord(value: unknown): ParsedRecord {
  if (typeof value === "object" && value !== null && "deleted" in value) {
    const { data: deletion, error } = Deletion.safeParse(value);
    return deletion ? { item: tombstone(deletion) } : { problem: describe(error.issues) };
  }
  const { data: record, error } = InputRecord.safeParse(value);
  if (error) return { problem: describe(error.issues) };
  const item = recordItem(record);
  const problem = storageProblem(item);
  return problem === undefined ? { item } : { problem };
}

function describe(issues: z.core.$ZodIssue[]): string {
  const shown = issues.slice(0, maximumProblems).map((issue) => {
    const field = issue.path.join(".");
    return `${field === "" ? "" : `${field}: `}${reason(issue)}`;
  });
  const more = issues.length - shown.length;
  return `${shown.join("; ")}${more > 0 ? `; and ${more} more` : ""}`;
}

/** The name of an unknown field is input too, so it is shown only if it looks like a name. */
function reason(issue: z.core.$ZodIssue): string {
  if (issue.code !== "unrecognized_keys") return issue.message;
  const names = issue.keys.filter((name) => /^[a-z_]\w{0,39}$/i.test(name)).slice(0, maximumProblems);
  return `Unknown field${names.length > 0 ? ` ${names.join(", ")}` : ""}`;
}
