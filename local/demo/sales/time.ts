import { instantMs } from "../../../functions/resources/instant.ts";
import { today } from "../today.ts";

export const msPerMinute = 60_000;
export const msPerHour = 60 * msPerMinute;
export const msPerDay = 24 * msPerHour;
/** Nothing that the demo data tells of is later. */
export const nowMs = instantMs(today);

/** An instant as the records write it: in UTC, to the second. */
export function instantText(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}
