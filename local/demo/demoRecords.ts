import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Record as InputRecord } from "../../functions/resources/record.ts";

/** The demo data: input records, as `npm run import` takes them. */
export const demoRecordsFile = join(import.meta.dirname, "records.ndjson");

/** The demo data's records, each after those that it belongs to. */
export function demoRecords(): InputRecord[] {
  const lines = readFileSync(demoRecordsFile, "utf8").trimEnd().split("\n");
  return lines.map((line) => InputRecord.parse(JSON.parse(line)));
}
