import { count } from "../shared/progress.ts";
import type { Counts } from "./organisationAudit.ts";

/** One line per kind, sorted by name. */
export function describeCounts(counts: Counts): string {
  return Object.entries(counts)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([what, number]) => `${count(number).padStart(12)} ${what}`)
    .join("\n");
}

export function total(counts: Counts): number {
  return Object.values(counts).reduce((sum, number) => sum + number, 0);
}
