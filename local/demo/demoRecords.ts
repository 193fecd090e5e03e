import type { Record as InputRecord } from "../../functions/resources/record.ts";

/** The demo records. */
export function demoRecords(): InputRecord[] {
  return [];
}
