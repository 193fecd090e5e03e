import type * as z from "zod";
import { parseJson } from "../parseJson.ts";
import { type RecordItem, recordItem, tombstone } from "../records/recordItem.ts";
import { maximumNoteLength } from "../resources/order.ts";
import { Deletion, Record as InputRecord } from "../resources/record.ts";
import { keys } from "../table/keys.ts";
import type { Line } from "./readLines.ts";

/** Further problems of a record are only counted. */
const maximumProblems = 5;

/** The item for a record, or the record's problem. */
type ParsedRecord = { item: RecordItem } | { problem: string };

/** The item for a line's record, or the line's problem. */
export function parseLine(line: Line): ParsedRecord {
  if ("problem" in line) return line;
  if (hasTooManyValues(line.text)) return { problem: `More than ${maximumValues.toLocaleString("en")} JSON values.` };
  const json = parseJson(line.text);
  return "problem" in json ? json : parseRecord(json.value);
}

/**
 * A record that can be stored has at most 40,000: each answer of an attendee has four, in at least 41 of the item's 400 KB. A line of 4 MB
 * could have millions, which take far more memory than its text.
 */
const maximumValues = 50_000;

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

/** The limit for an item, from "Quotas in Amazon DynamoDB". One larger item would fail its whole batch. */
const maximumItemBytes = 400 * 1024;
/** For the attributes that writing an item adds: its place among the changes, a revision, a note's time. */
const reservedBytes = 1024;
/** For a note that the API may add to an order; UTF-8 has at most four bytes for each character. */
const noteBytes = 4 * maximumNoteLength;
/** A number takes about one byte per two digits plus one; ours have at most 16 digits and a sign. Other values take one byte. */
const otherValueBytes = 10;

/** The reason why DynamoDB cannot store an item, or undefined if it can. */
export function storageProblem(item: Record<string, unknown>): string | undefined {
  const reserved = reservedBytes + (item.SK === keys.order(1, 1).SK ? noteBytes : 0);
  let bytes = reserved;
  for (const [name, value] of Object.entries(item)) {
    if (typeof value === "string" && !value.isWellFormed()) return `data.${name}: Contains a lone surrogate`;
    bytes += Buffer.byteLength(name) + sizeOf(value);
  }
  if (bytes <= maximumItemBytes) return undefined;
  return `Larger than the ${Math.floor((maximumItemBytes - reserved) / 1024)} KB limit of an item`;
}

function sizeOf(value: unknown): number {
  if (typeof value === "string") return Buffer.byteLength(value);
  // Texts in arrays and objects, such as an attendee's answers, have at least the size of their JSON.
  if (typeof value === "object" && value !== null) return Buffer.byteLength(JSON.stringify(value));
  return otherValueBytes;
}
