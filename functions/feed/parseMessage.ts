import { parseJson } from "../parseJson.ts";
import type { RecordItem } from "../records/recordItem.ts";
import { parseRecord } from "./parseRecord.ts";
import { messageText } from "./queue.ts";

/** A valid record, and its text for a message of its own. */
export interface Received {
  item: RecordItem;
  text: () => string;
}

/** A record that cannot be stored, as the text of a message, and the reason. */
export interface Rejected {
  text: string;
  reason: string;
}

/** With more invalid records, the message is rejected as a whole: sending a dead letter for each would take too long. */
const maximumRejected = 100;

/** Parses an untrusted message of the feed: one record, or an array of records. */
export function parseMessage(body: string): { received: Received[]; rejected: Rejected[] } {
  const json = parseJson(body);
  if ("problem" in json) return { received: [], rejected: [{ text: body, reason: json.problem }] };
  const { value } = json;
  if (!Array.isArray(value)) return parseRecords([value], () => body);
  if (value.length === 0) return { received: [], rejected: [{ text: body, reason: "The array is empty." }] };
  const { received, rejected } = parseRecords(value, (record) => textOf(record) ?? body);
  const [first] = rejected;
  if (!first || rejected.length <= maximumRejected) return { received, rejected };
  const reason = `${rejected.length} of its ${value.length} records are invalid. The first: ${first.reason}`;
  return { received, rejected: [{ text: body, reason }] };
}

function parseRecords(records: unknown[], rejectedText: (record: unknown) => string) {
  const received: Received[] = [];
  const rejected: Rejected[] = [];
  for (const record of records) {
    const parsed = parseRecord(record);
    if ("item" in parsed) received.push({ item: parsed.item, text: () => messageText(JSON.stringify(record)) });
    else rejected.push({ text: rejectedText(record), reason: parsed.problem });
  }
  return { received, rejected };
}

/** Undefined if the record is nested too deeply for `JSON.stringify`; then the dead letter contains the whole message. */
function textOf(record: unknown): string | undefined {
  try {
    return messageText(JSON.stringify(record));
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
