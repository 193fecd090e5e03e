import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Record as InputRecord } from "../../functions/resources/record.ts";

/** The demo data, in the format of `npm run import`. */
export const demoRecordsFile = join(import.meta.dirname, "records.ndjson");

/** The demo records, parents before children. */
export function demoRecords(): InputRecord[] {
  const lines = readFileSync(demoRecordsFile, "utf8").trimEnd().split("\n");
  return lines.map((line) => InputRecord.parse(JSON.parse(line)));
}
