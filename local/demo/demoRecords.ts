import type { Record as InputRecord } from "../../functions/resources/record.ts";
import { northernLights } from "./northernLights.ts";
import { programmeRecords } from "./programmeRecords.ts";
import { riverside } from "./riverside.ts";

/** What the demo organisations have: the same records at every start. */
export function demoRecords(): InputRecord[] {
  return [...programmeRecords(riverside), ...programmeRecords(northernLights)];
}
