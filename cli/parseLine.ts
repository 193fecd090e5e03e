import type * as z from "zod";
import { type RecordItem, recordItem } from "../functions/data/recordItem.ts";
import { Record as InputRecord } from "../functions/resources/record.ts";
import type { Line } from "./readLines.ts";
import { storageProblem } from "./storageProblem.ts";

/** More of one line's problems are only counted. */
const maximumProblems = 5;

/**
 * The item that a line's record becomes, or what is wrong with the line. The problems name fields and reasons and never hold a value:
 * values can be personal data.
 */
export function parseLine(line: Line): { item: RecordItem } | { problem: string } {
  if ("problem" in line) return line;
  let value: unknown;
  try {
    value = JSON.parse(line.text);
  } catch (error) {
    return { problem: `Not JSON${positionIn(error)}.` };
  }
  const { data: record, error } = InputRecord.safeParse(value);
  if (error) return { problem: describe(error.issues) };
  const item = recordItem(record);
  const problem = storageProblem(item);
  return problem === undefined ? { item } : { problem };
}

/** The parser's own message quotes the text; only the place is taken from it. */
function positionIn(error: unknown): string {
  const position = error instanceof Error && / at position (\d+)/.exec(error.message)?.[1];
  return position ? ` at character ${Number(position) + 1}` : "";
}

function describe(issues: z.core.$ZodIssue[]): string {
  const shown = issues.slice(0, maximumProblems).map((issue) => {
    const field = issue.path.join(".");
    return `${field === "" ? "" : `${field}: `}${reason(issue)}`;
  });
  const more = issues.length - shown.length;
  return `${shown.join("; ")}${more > 0 ? `; and ${more} more` : ""}`;
}

/** A field that should not be there has a name of the input's own making, which is shown only where it looks like a name. */
function reason(issue: z.core.$ZodIssue): string {
  if (issue.code !== "unrecognized_keys") return issue.message;
  const names = issue.keys.filter((name) => /^[a-z_]\w{0,39}$/i.test(name));
  return `Unknown field${names.length > 0 ? ` ${names.join(", ")}` : ""}`;
}
